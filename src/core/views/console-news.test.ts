import { describe, expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { newsOf } from "./console-news.ts";
import type { Need } from "./snapshot.ts";

const A = "feat-a" as AgentId;
const asks = (question: string) => ({ from: A, message: { type: "agent.question", payload: { question } } });
const says = { from: A, message: { type: "agent.status", payload: { status: "working" } } };
const need = (id: string, text: string): Need => ({ id, kind: "question", agent: A, text, since: "" });

describe("the console", () => {
  it("shows a question once, as something that needs a person", () =>
    expect(newsOf([says, asks("Which?")], [need("q1", "Which?")], [])).toEqual({
      entries: [says],
      needs: [need("q1", "Which?")],
    }));
  it("announces nothing twice, and shows no question again whose message comes late", () =>
    expect(newsOf([asks("Which?")], [], [need("q1", "Which?")])).toEqual({ entries: [], needs: [] }));
  it("shows a question's message where it was answered before anybody looked", () =>
    expect(newsOf([asks("Which?")], [need("q2", "Who?")], [])).toEqual({
      entries: [asks("Which?")],
      needs: [need("q2", "Who?")],
    }));
});
