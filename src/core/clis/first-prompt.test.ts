import { expect, it } from "vitest";
import type { Instant } from "../text/ids.ts";
import { afterItsMinute, beginWith, goOnWith } from "./first-prompt.ts";

it("says whether the agent had finished when something came for it", () => {
  expect(goOnWith("news", null)).toMatch(/^You had finished your task\.[\s\S]*news$/);
  expect(goOnWith("news", "the brief")).toMatch(/^the brief\n\n# What came since\n\n.* and finished[\s\S]*news\n$/);
  expect(beginWith("news", "the brief")).toMatch(/^the brief\n\n# What came since\n\n(?!.*finished)[\s\S]*news\n$/);
});

it("waits until the minute is over in which a conversation may have begun", () => {
  const at = (seconds: number) => afterItsMinute((seconds * 1_000) as Instant) / 1_000;
  expect([at(0), at(20), at(31), at(59), at(60)]).toEqual([60, 60, 120, 120, 120]);
});
