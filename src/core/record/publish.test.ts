import { describe, expect, it } from "vitest";
import type { Intent } from "../claims/intents.ts";
import type { Cursor } from "../messages/cursors.ts";
import { type Envelope, parseMessage } from "../messages/parse-message.ts";
import { isOpen, type Question } from "../messages/questions.ts";
import type { RosterEntry } from "../messages/roster.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Change } from "./changes.ts";
import { accept, type PublishView } from "./publish.ts";

/** The smallest journal there is: applies what `accept` returns, and shows it. */
class Little implements PublishView {
  readonly republishMs = 60_000;
  head = 0;
  epoch = "e";
  nextQuestion = 1;
  readonly stored: Extract<Change, { row: "message" }>["put"][] = [];
  readonly rows = new Map<string, RosterEntry>();
  readonly intents = new Map<string, Intent>();
  readonly cursors = new Map<string, Cursor>();
  readonly asked = new Map<number, Question>();

  entry = (agent: AgentId) => this.rows.get(agent) ?? null;
  intent = (agent: AgentId) => this.intents.get(agent) ?? null;
  cursor = (agent: AgentId) => this.cursors.get(agent) ?? null;
  questions = (agent: AgentId) => [...this.asked.values()].filter((each) => each.agent === agent);

  say(type: string, agent_id: string, payload: object): this {
    const envelope = parseMessage({ type, agent_id, payload }, null) as Envelope;
    for (const change of accept(this, envelope, (this.head * 1000) as Instant)) this.apply(change);
    return this;
  }

  private apply(change: Change): void {
    if (change.row === "message") {
      this.stored.push(change.put);
      this.head = change.put.seq;
    }
    if (change.row === "roster" && "put" in change) this.rows.set(change.put.agent, change.put);
    if (change.row === "intent")
      "drop" in change ? this.intents.delete(change.drop) : this.intents.set(change.put.agent, change.put);
    if (change.row === "cursor" && "put" in change) this.cursors.set(change.put.agent, change.put);
    if (change.row === "question") {
      this.asked.set(change.put.number, change.put);
      this.nextQuestion = Math.max(this.nextQuestion, change.put.number + 1);
    }
  }

  open = () => [...this.asked.values()].filter(isOpen).map(({ text }) => text);
}

const ask = (text: string) => ({ question: text });
const answer = (text: string, re?: string) => ({ from: "supervisor", answer: text, ...(re && { re }) });

describe("questions", () => {
  it("are asked once while they are open, and again once answered", () => {
    const journal = new Little().say("agent.question", "a", ask("why?")).say("agent.question", "a", ask("why?"));
    expect(journal.open()).toEqual(["why?"]);
    expect(journal.stored.map(({ to }) => to)).toEqual([["supervisor"], []]);
    journal.say("agent.answer", "a", answer("because", "why?"));
    expect(journal.open()).toEqual([]);
    journal.say("agent.question", "a", ask("why?"));
    expect(journal.open()).toEqual(["why?"]);
  });
  it("of another text or another agent are other questions", () => {
    const journal = new Little()
      .say("agent.question", "a", ask("x?"))
      .say("agent.question", "b", ask("x?"))
      .say("agent.question", "a", ask("y?"));
    expect(journal.open()).toEqual(["x?", "x?", "y?"]);
  });
  it("are all answered by an answer that names none", () => {
    const journal = new Little()
      .say("agent.question", "a", ask("x?"))
      .say("agent.question", "a", ask("y?"))
      .say("agent.answer", "a", answer("both"));
    expect(journal.open()).toEqual([]);
  });
  it("are answered one at a time by one that does", () => {
    const journal = new Little()
      .say("agent.question", "a", ask("x?"))
      .say("agent.question", "a", ask("y?"))
      .say("agent.answer", "a", answer("1", "x?"));
    expect(journal.open()).toEqual(["y?"]);
  });
});

describe("intents", () => {
  const intent = (...files: string[]) => ({ files, summary: "s", valid_for_seconds: 60 });
  const claims = (journal: Little) => journal.intent("a" as AgentId)?.claims ?? null;
  it("replace each other", () => {
    expect(
      claims(new Little().say("agent.intent", "a", intent("x", "y")).say("agent.intent", "a", intent("z"))),
    ).toEqual(["z"]);
  });
  it("lose what is committed, and end when nothing is left", () => {
    const journal = new Little().say("agent.intent", "a", intent("x", "y"));
    journal.say("agent.artifact", "a", { status: "committed", modified_files: ["x"] });
    expect(claims(journal)).toEqual(["y"]);
    journal.say("agent.artifact", "a", { status: "committed", modified_files: ["y"] });
    expect(claims(journal)).toBe(null);
  });
  it("can be taken back, in part or whole", () => {
    const journal = new Little().say("agent.intent", "a", intent("x", "y")).say("agent.retract", "a", { files: ["y"] });
    expect(claims(journal)).toEqual(["x"]);
    expect(claims(journal.say("agent.retract", "a", {}))).toBe(null);
    const below = new Little().say("agent.intent", "a", intent("src/x", "src/y/z", "w"));
    expect(claims(below.say("agent.retract", "a", { files: ["./src/y/"] }))).toEqual(["src/x", "w"]);
  });
  it("expire by their own word", () => {
    expect(new Little().say("agent.intent", "a", intent("x")).intent("a" as AgentId)?.expiresAt).toBe(60_000);
  });
});

it("numbers without gaps, and tells the epoch in every id", () => {
  const journal = new Little().say("agent.status", "a", { status: "x" }).say("agent.status", "b", { status: "x" });
  expect(journal.stored.map(({ seq, id }) => [seq, id])).toEqual([
    [1, "e-1"],
    [2, "e-2"],
  ]);
});

it("notes what a sender had read when it next gave a sign", () => {
  const journal = new Little();
  journal.cursors.set("a", {
    agent: "a" as AgentId,
    delivered: 7,
    deliveredAt: 0 as Instant,
    told: 0,
    acted: 0,
    actedAt: null,
  });
  journal.say("agent.feedback", "a", { from: "supervisor", errors: ["x"] });
  expect(journal.cursor("a" as AgentId)?.acted).toBe(0);
  journal.say("agent.status", "a", { status: "working" });
  expect(journal.cursor("a" as AgentId)?.acted).toBe(7);
});
