import { expect, it } from "vitest";
import type { Commit } from "../../core/text/ids.ts";
import { isThere } from "./find-work.ts";

const at = (text: string) => text as Commit;

/** `feat/a` was at `a1` when it landed as `a1-on-main`; the target's history is what `base` lists. */
const isOn = (tip: string, base: string) =>
  isThere(
    {
      journal: { state: () => ({ landed: [{ branch: "feat/a", from: at("a1"), to: at("a1-on-main") }] }) },
      history: { isContained: async (commit: string, of: string) => of.split(" ").includes(commit) },
    } as never,
    "feat/a",
    at(tip),
    at(base),
  );

it.each([
  ["its own commits are there", "a1", "main a1", true],
  ["it was put onto others when it landed", "a1", "main b1 a1-on-main", true],
  ["it has gone on since", "a2", "main b1 a1-on-main", false],
  ["it has landed on another branch", "a1", "main b1", false],
])("the target has a branch or not: %s", async (_, tip, base, there) => {
  expect(await isOn(tip, base)).toBe(there);
});
