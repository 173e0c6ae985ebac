import { describe, expect, it } from "vitest";
import type { AgentView } from "../../core/views/snapshot.ts";
import { sayStarted } from "./say-started.ts";

const agent = (id: string, state: string, pid: number | null = null) => ({ id, state, pid }) as AgentView;
const WORKS = agent("a", "working", 1);
const DONE = agent("b", "done");

describe("start says", () => {
  it.each([
    ["fresh", "Started s with 2 agents:"],
    ["restart", "Started s again with 2 agents:"],
    ["recover", "Recovered s with 2 agents:"],
    ["reattach", "Already running: s with 2 agents:"],
    ["add", "Added 2 agents to s:"],
  ] as const)("after %s: %s", (did, words) => expect(sayStarted(did, "s", [WORKS, DONE])).toBe(words));

  it.each(["restart", "recover", "reattach"] as const)("after %s where all are done that nothing was started", (did) =>
    expect(sayStarted(did, "s", [DONE, DONE])).toMatch(
      /^s: every agent has finished, and nothing was started\..*--again/,
    ),
  );
  it("nothing of the kind of one that is done and still at its prompt", () =>
    expect(sayStarted("reattach", "s", [agent("a", "done", 7)])).toBe("Already running: s with 1 agent:"));
  it("nothing of the kind of one that was quick", () =>
    expect(sayStarted("fresh", "s", [DONE])).toBe("Started s with 1 agent:"));
});
