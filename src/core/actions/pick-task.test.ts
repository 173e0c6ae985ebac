import { describe, expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { pickTask, withoutTask } from "./pick-task.ts";

const A = { agent: "feat-a" as AgentId, branch: "feat/a" };
const B = { agent: "feat-b" as AgentId, branch: "feat/b" };

describe("an agent's task", () => {
  it.each([
    [{ "feat-a": "one", "feat/a": "two" }, "all", "one"],
    [{ "feat/a": "two" }, "all", "two"],
    [{ "feat-b": "three" }, "all", "all"],
    [{ "feat-b": "three" }, null, null],
    [{}, null, null],
  ])("of %j and %j is %j", (each, all, task) => expect(pickTask({ all, each, folder: null }, A)).toBe(task));

  it("is missed where a folder of tasks was named", () => {
    const each = { "feat-a": "one" };
    expect(withoutTask({ all: null, each, folder: "/tasks" }, [A, B])).toEqual([
      { kind: "brief.missing", agent: "feat-b", folder: "/tasks" },
    ]);
    expect(withoutTask({ all: null, each, folder: null }, [A, B])).toEqual([]);
  });
});
