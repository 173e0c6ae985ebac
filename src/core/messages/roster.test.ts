import { describe, expect, it } from "vitest";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Message } from "./messages.ts";
import { type AgentState, advanceRoster, move, newcomer, type RosterEntry, readRosterEntry } from "./roster.ts";
import { route } from "./routing.ts";

/** `says("status working", "blocked")`: one message a second, about agent `a`. */
function rowAfter(...said: string[]): RosterEntry {
  const last = said.reduce<RosterEntry | null>((entry, words, second) => {
    const message = spoken(words);
    const { sender, to } = route(message);
    return advanceRoster(entry, {
      seq: second + 1,
      id: "",
      at: (second * 1000) as Instant,
      sender,
      to,
      message,
      key: null,
      re: null,
    });
  }, null);
  if (last === null) throw new Error("no row");
  return last;
}

function spoken(words: string): Message {
  const [kind = "", word = "working", ...files] = words.split(" ");
  const agent_id = "a" as AgentId;
  const from = "supervisor" as AgentId;
  const messages: Record<string, unknown> = {
    status: { type: "agent.status", agent_id, payload: { status: word, modified_files: files, message: null } },
    artifact: { type: "agent.artifact", agent_id, payload: { status: word, exports: [], modified_files: files } },
    blocked: { type: "agent.blocked", agent_id, payload: { needs: "x", from: "b" } },
    question: { type: "agent.question", agent_id, payload: { question: "why?" } },
    intent: { type: "agent.intent", agent_id, payload: { files: ["x"], summary: "s", valid_for_seconds: 9 } },
    verified: { type: "agent.verified", agent_id, payload: { verified_by: from } },
    feedback: { type: "agent.feedback", agent_id, payload: { from, errors: ["x"] } },
    answer: { type: "agent.answer", agent_id, payload: { from, answer: "y" } },
  };
  return messages[kind] as Message;
}

const ends = (said: string, state: AgentState) => () => expect(rowAfter(...said.split(", ")).state).toBe(state);

describe("an agent's state", () => {
  it("is what it says it does", ends("status working", "working"));
  it("is work, whatever word it uses for it", ends("status compiling", "working"));
  it("cannot be claimed where it takes authority", ends("status verified", "working"));
  it("follows a commit", ends("status working, artifact committed", "committed"));
  it("goes back to work after a commit", ends("artifact committed, status working", "working"));
  it("shows when it was verified", ends("artifact committed, verified", "verified"));
  it("is not undone by a heartbeat once done", ends("artifact done, status working", "done"));
  it("is done, though its last commit is heard of later", ends("artifact done, artifact committed", "done"));
  it(
    "is to be verified anew after another commit",
    ends("artifact committed, verified, artifact committed", "committed"),
  );
  it("is undone by a new intent", ends("artifact done, intent", "working"));
  it("waits while its question is open", ends("status working, question", "waiting"));
  it("works again when answered", ends("question, answer", "working"));
  it("clears a block at the next sign of work", ends("blocked, status working", "working"));
  it("counts an answer as answering a block", ends("blocked, answer", "working"));
});

describe("files seen to change", () => {
  const looked = (entry: RosterEntry, files: string[], afterMs: number, republishMs?: number) => {
    const payload = { status: "working", modified_files: files, message: "editing", complete: true };
    const message: Message = { type: "agent.status", agent_id: entry.agent, payload };
    const at = (entry.since + afterMs) as Instant;
    return advanceRoster(entry, { seq: 9, id: "", at, ...route(message), message, key: null, re: null }, republishMs);
  };

  it("are the whole set, and clear it when there are none", () => {
    expect(looked(rowAfter("status working a b"), ["c"], 1)?.files).toEqual(["c"]);
    expect(looked(rowAfter("status working a b"), [], 1)?.files).toEqual([]);
  });

  it("are work after a commit, however long ago; a clean worktree is not", () => {
    expect(looked(rowAfter("artifact committed"), ["a"], 999_999)?.state).toBe("working");
    expect(looked(rowAfter("artifact committed"), [], 999_999)?.state).toBe("committed");
  });

  it("do not take the word from an agent that says what it edits", () => {
    const payload = { status: "working", modified_files: [], message: "editing the parser" };
    const message: Message = { type: "agent.status", agent_id: "a" as AgentId, payload };
    const stored = { seq: 1, id: "", at: 0 as Instant, ...route(message), message, key: null, re: null };
    const said = advanceRoster(null, stored) as RosterEntry;
    expect([said.evidence, said.source]).toEqual(["editing the parser", "said"]);
    expect(looked(said, ["a"], 1)).toMatchObject({ evidence: "editing the parser", source: "said", files: ["a"] });
  });

  it("leave an agent its own words, and follow what was seen before", () => {
    const own = rowAfter("status working", "intent");
    expect(looked(own, ["a"], 1)).toMatchObject({ evidence: "s", label: "intent", files: ["a"] });
    const seen = looked(rowAfter("artifact committed"), ["a"], 1);
    expect(seen?.evidence).toBe("editing");
  });

  it("leave a finished agent its last word, also where we took it from its end", () => {
    const done = move(rowAfter("status working"), "done", 5 as Instant, "Added the parser and its tests");
    expect([done.source, looked(done, ["b"], 1)]).toMatchObject([
      "observed",
      { state: "done", evidence: "Added the parser and its tests", files: ["b"] },
    ]);
  });

  it("do not speak for an agent that waits", () => {
    expect(looked(rowAfter("question"), ["a"], 1)?.state).toBe("waiting");
  });
});

it("believes a mere word of working only for a while after a commit", () => {
  const heartbeat = (afterMs: number, republishMs?: number) => {
    const entry = rowAfter("artifact committed");
    const message = spoken("status working");
    const stored = { seq: 9, id: "", at: afterMs as Instant, ...route(message), message, key: null, re: null };
    return advanceRoster(entry, stored, republishMs)?.state;
  };
  expect([heartbeat(60_000), heartbeat(60_001)]).toEqual(["working", "committed"]);
  expect(heartbeat(1, 0)).toBe("committed");
});

it("keeps the files through a heartbeat, and takes committed ones off", () => {
  expect(rowAfter("status working a b", "status working").files).toEqual(["a", "b"]);
  expect(rowAfter("status working a b", "artifact committed a").files).toEqual(["b"]);
  expect(rowAfter("status working a b", "artifact committed").files).toEqual([]);
  expect(rowAfter("status working a b", "artifact done").files).toEqual(["a", "b"]);
  expect(rowAfter("status working a b", "artifact done a").files).toEqual(["a", "b"]);
});

it("counts only the agent's own word as a sign of life", () => {
  expect(rowAfter("status working", "feedback", "verified").lastSeen).toBe(0);
  expect(rowAfter("status working", "feedback", "status working").lastSeen).toBe(2000);
});

it("says since when it is in a state, not when that was last confirmed", () => {
  expect(rowAfter("status working", "status working", "status working").since).toBe(0);
  expect(rowAfter("status working", "question", "answer").since).toBe(2000);
});

it("makes no row for somebody who is only spoken of", () => {
  const { sender, to } = route(spoken("feedback"));
  expect(
    advanceRoster(null, {
      seq: 1,
      id: "",
      at: 0 as Instant,
      sender,
      to,
      message: spoken("feedback"),
      key: null,
      re: null,
    }),
  ).toBe(null);
});

it("shows of an agent's words no more than a line of them", () => {
  const long = "w".repeat(900_000);
  const { label, evidence } = rowAfter(`status ${long}`);
  expect([label.length, evidence.length]).toEqual([200, 500]);
});

it("reads rows of an older banksman, which had phases in words", () => {
  const { source: _, ...row } = newcomer("a" as AgentId, 0 as Instant, 0);
  expect(readRosterEntry({ ...row, phase: "waiting for its prompt" })).toMatchObject({
    phase: { code: "no-prompt", text: "waiting for its prompt" },
    source: "said",
  });
  expect(readRosterEntry({ ...row, phase: "trusting nobody" }).phase).toEqual({
    code: "said",
    text: "trusting nobody",
  });
  expect(readRosterEntry({ ...row, phase: null }).phase).toBe(null);
});
