import { expect, it } from "vitest";
import { readBranches } from "./read-branches.ts";

it("reads branches, with the CLI of those that name a known one", () => {
  expect(readBranches(["a=claude", "b", "a=b", "c=codex", "=claude", "b"], ["claude", "codex"])).toEqual({
    branches: ["a", "b", "a=b", "c", "=claude"],
    clis: { a: "claude", c: "codex" },
  });
});

it("takes what is nearly a CLI's name for a slip", () => {
  expect(readBranches(["b", "feat/a=cluade"], ["claude", "codex"])).toEqual({
    kind: "cli.unknown",
    cli: "cluade",
    known: ["claude", "codex"],
    near: "claude",
  });
});
