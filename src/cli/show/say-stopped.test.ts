import { describe, expect, it } from "vitest";
import { sayStopped } from "./say-stopped.ts";

describe("stop says", () => {
  it("who was stopped, in the singular for one", () => {
    expect(sayStopped({ stopped: ["a"], finished: [], isOver: false })).toBe(
      "Stopped a. Its worktree stays; `banksman start` brings it back.\n",
    );
    expect(sayStopped({ stopped: ["a", "b"], finished: [], isOver: false })).toMatch(
      /^Stopped a, b\. Their worktrees stay/,
    );
  });
  it("who had finished, and that the background process has ended where all were stopped", () =>
    expect(sayStopped({ stopped: ["a", "b"], finished: ["a", "b"], isOver: true })).toMatch(
      /^Already finished: a, b\. .*leaves them so.*\nThe background process has ended\.\n$/,
    ));
  it("that nobody was there", () =>
    expect(sayStopped({ stopped: [], finished: [], isOver: true })).toBe(
      "No agent was running.\nThe background process has ended.\n",
    ));
});
