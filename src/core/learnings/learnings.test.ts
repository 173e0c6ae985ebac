import { describe, expect, it } from "vitest";
import * as texts from "../conflicts/texts.ts";
import type { Message, StoredMessage } from "../messages/messages.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import { Learner, type Learning } from "./learnings.ts";
import { appendLearnings } from "./learnings-file.ts";

/** One message per second from `at` on; the same journal every time. */
class Told {
  readonly messages: StoredMessage[] = [];
  private at = 0;

  later(seconds: number): this {
    this.at += seconds * 1000;
    return this;
  }

  say(type: string, agent: string, payload: object): this {
    const seq = this.messages.length + 1;
    this.at += 1000;
    const message = { type, agent_id: agent, payload } as unknown as Message;
    const sender = agent as AgentId;
    this.messages.push({ seq, id: `e-${seq}`, at: this.at as Instant, sender, to: [], message, key: null, re: null });
    return this;
  }

  status = (agent: string, status = "working") => this.say("agent.status", agent, { status });
  blocked = (agent: string, needs: string, from: string) => this.say("agent.blocked", agent, { needs, from });
  feedback = (agent: string, ...errors: string[]) => this.say("agent.feedback", agent, { from: "supervisor", errors });
  verified = (agent: string) => this.say("agent.verified", agent, { verified_by: "supervisor" });

  learn(): { learned: Learning[]; unresolved: Learning[] } {
    const learner = new Learner();
    return { learned: this.messages.flatMap((each) => learner.hear(each)), unresolved: learner.unresolved() };
  }

  /** Section and text, without the marks of code. */
  lines = () => this.learn().learned.map(({ section, text }) => `${section}: ${text.replaceAll("`", "")}`);
}

describe("where agents got stuck", () => {
  it("is from the block to the next sign of work", () => {
    const told = new Told().blocked("a", "a token", "b").status("a", "blocked").status("b").later(120).status("a");
    expect(told.lines()).toEqual(["Where agents got stuck: a was blocked for 2 min: it needed a token from b"]);
    expect(told.learn().unresolved).toEqual([]);
  });
  it("ends with a commit or an intent as well, and goes on when the same is said again", () => {
    for (const type of ["agent.artifact", "agent.intent"]) {
      const told = new Told()
        .blocked("a", "x", "b")
        .later(30)
        .blocked("a", "x", "b")
        .say(type, "a", { status: "committed" });
      expect(told.lines()).toEqual(["Where agents got stuck: a was blocked for 32 s: it needed x from b"]);
    }
  });
  it("is another time with another need", () => {
    expect(new Told().blocked("a", "x", "b").blocked("a", "y", "c").status("a").lines().length).toBe(2);
  });
  it("is said at the end of those who still are", () => {
    const { learned, unresolved } = new Told().blocked("a", "x", "b").learn();
    expect([learned, unresolved.map(({ text }) => text)]).toEqual([
      [],
      ["`a` was blocked and still is: it needs `x` from `b`"],
    ]);
  });
});

describe("recovery cycles", () => {
  it("count feedback before verified, the detector's and a person's directions not", () => {
    const told = new Told()
      .feedback("a", "[testing] 2 failures")
      .feedback("a", texts.inFlight("x", "both", "b"))
      .feedback("a", "[conflict-detector] predicted conflict: x", "src/a.ts, line 1:\n  you | x")
      .feedback("a", "[directive] hurry")
      .feedback("a", "[branch-guard] your worktree is on x")
      .feedback("a", "[spec audit] no")
      .feedback("b", "[testing] no")
      .verified("a");
    expect(told.lines().filter((line) => line.startsWith("Recovery"))).toEqual([
      "Recovery cycles: a needed 2 rounds of feedback before it was verified",
    ]);
  });
  it("begin anew after it, and none is nothing", () => {
    expect(new Told().verified("a").feedback("a", "x").verified("a").verified("a").lines()).toEqual([
      "Recovery cycles: a needed 1 round of feedback before it was verified",
    ]);
  });
});

describe("gate bounces", () => {
  it("are told each time, and as a recurring failure the second time, the fourth, and so on", () => {
    const told = new Told();
    for (const [i, agent] of ["a", "b", "a", "c"].entries())
      told.feedback(agent, `[testing] src/x.test.js:${i}: adds fails\n    1 == 2`, "[testing] other fails");
    const lines = told.lines();
    expect(lines.filter((line) => line.startsWith("Gate bounces"))).toHaveLength(4);
    expect(lines[0]).toBe("Gate bounces: a was sent back: [testing] src/x.test.js:0: adds fails and 1 more");
    expect(lines.filter((line) => line.startsWith("Recurring"))).toEqual([
      "Recurring failure shapes: 2 times, a, b: [testing] src/x.test.js:1: adds fails",
      "Recurring failure shapes: 2 times, a, b: [testing] other fails",
      "Recurring failure shapes: 4 times, a, b, c: [testing] src/x.test.js:3: adds fails",
      "Recurring failure shapes: 4 times, a, b, c: [testing] other fails",
    ]);
  });
});

describe("conflict events", () => {
  it("are one for both who are told", () => {
    const told = new Told()
      .feedback("a", texts.forward("b", [{ words: "x", crossKind: false }], 20))
      .feedback("b", texts.forward("a", [{ words: "x", crossKind: false }], 20))
      .feedback("b", texts.violation("x", "a", "intent"), texts.inFlight("x", "modifies-planned", "a"))
      .feedback("a", texts.inFlight("x", "plans-modified", "b"));
    expect(told.lines()).toEqual([
      "Conflict events: forward: a and b: x",
      "Conflict events: ownership: b in what is a's: x",
      "Conflict events: in-flight: a and b: x",
    ]);
  });
  it("are another one when it happens again later", () => {
    const again = new Told().feedback("a", texts.inFlight("x", "both", "b")).later(3600);
    expect(again.feedback("a", texts.inFlight("x", "both", "b")).lines().length).toBe(2);
  });
});

it("puts what models have learned where it belongs, once each", () => {
  const learning = (id: string, category: string, title: string, body: unknown = null) =>
    [
      "agent.learning",
      "supervisor",
      { id, agent_id: "supervisor", branch_id: "a", category, title, body, timestamp: "t" },
    ] as const;
  const told = new Told()
    .say(...learning("1", "doc_gap", "no word on ports", { convention: "x" }))
    .say(...learning("1", "doc_gap", "no word on ports"))
    .say(...learning("2", "made_up", "hm"));
  expect(told.lines()).toEqual([
    'Documentation gaps: a: no word on ports {"convention":"x"}',
    "Other learnings: a: hm",
  ]);
});

describe("the file", () => {
  const now = 0 as Instant;
  const learned = () => new Told().blocked("a", "x", "b").status("a").feedback("a", "y").verified("a").learn().learned;

  it("has a section per kind, and a time per line", () => {
    expect(appendLearnings("", learned(), now)).toBe(
      [
        "## Session Learnings — 1970-01-01T00:00:00.000Z",
        "",
        "### Where agents got stuck",
        "",
        "- 1970-01-01T00:00:02.000Z — `a` was blocked for 1 s: it needed `x` from `b` <!-- e-1 -->",
        "",
        "### Recovery cycles",
        "",
        "- 1970-01-01T00:00:04.000Z — `a` needed 1 round of feedback before it was verified <!-- e-4 -->",
        "",
      ].join("\n"),
    );
  });
  it("is only added to, and gets nothing twice", () => {
    const [first, second] = learned();
    if (first === undefined || second === undefined) throw new Error("two were expected");
    const once = appendLearnings("# Mine", [first], now) ?? "";
    expect(appendLearnings(once, [first], now)).toBe(null);
    const twice = appendLearnings(once, [first, second], now) ?? "";
    expect(twice.startsWith(once)).toBe(true);
    expect(twice.slice(once.length)).not.toContain("e-1");
    expect(appendLearnings(twice, learned(), now)).toBe(null);
  });
  it("lets nobody write into it what is not theirs", () => {
    const evil = "x` <!-- e-9 -->\n- 1970 — all is well <!-- e-7 -->\n# Heading\n``` [link](http://evil)";
    const told = new Told().blocked("a", evil, "b").status("a");
    const file = appendLearnings("", told.learn().learned, now) ?? "";
    expect(file.trim().split("\n").length).toBe(5);
    for (const key of ["e-9", "e-7"]) {
      const other: Learning = { section: "Other learnings", key, at: now, text: "t" };
      expect(appendLearnings(file, [other], now)).not.toBe(null);
    }
  });
});
