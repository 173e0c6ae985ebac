import { afterEach, beforeEach, expect, it } from "vitest";
import type { LandingPlan } from "../../src/core/landing/view.ts";
import { agentOf, scriptOf } from "../landing/fleet.ts";
import { LandingStage, namesOf } from "../landing/ground.ts";

let stage: LandingStage;
beforeEach(async () => {
  stage = await LandingStage.make("[verify]\non_commit = false\ncombinations = false\n");
});
afterEach(() => stage.dispose());

/** Three pairs that wait for each other, one that needs a member of the first, and one that needs nobody. */
const NEEDS: readonly [branch: string, needs: string | undefined][] = [
  ["pair/one-a", "pair/one-b"],
  ["pair/one-b", "pair/one-a"],
  ["needs/one", "pair/one-b"],
  ["pair/two-a", "pair/two-b"],
  ["pair/two-b", "pair/two-a"],
  ["pair/three-a", "pair/three-b"],
  ["pair/three-b", "pair/three-a"],
  ["free", undefined],
];

it("asks about each cycle once, lands the rest, and then does as it is told", async () => {
  const names = NEEDS.map(([branch]) => branch);
  for (const [branch, needs] of NEEDS) {
    const files = { [`docs/${branch}.md`]: "text\n" };
    stage.script(agentOf(branch), scriptOf({ branch, files, ...(needs !== undefined && { blockedBy: needs }) }));
  }
  await stage.start(names.join(","));
  await stage.allIn("done");
  const tips = stage.tips(names);
  const plan = await stage.json<LandingPlan>("land", "--plan", ...names);
  expect([namesOf(plan.order), plan.cycles.length, namesOf(plan.waiting).length]).toEqual([["free"], 3, 7]);
  const first = await stage.land(...names);
  expect([namesOf(first.landed), namesOf(first.waiting), first.bounced, first.skipped]).toEqual([
    ["free"],
    names.filter((name) => name !== "free"),
    [],
    [],
  ]);
  expect(first.waiting.find(({ branch }) => branch === "needs/one")?.because).toBe(
    "needs pair/one-b, which waits for a cycle to be resolved",
  );
  const questions = await stage.json<{ id: string; text: string }[]>("questions");
  const about = (pair: string) => questions.filter(({ text }) => text.includes(`pair/${pair}-a`));
  expect([about("one"), about("two"), about("three")].map((each) => each.length)).toEqual([1, 1, 1]);
  await stage.ok("answer", about("one")[0]?.id ?? "", "together");
  await stage.ok("answer", about("two")[0]?.id ?? "", "first pair/two-b");
  await stage.ok("answer", about("three")[0]?.id ?? "", "skip");
  const second = await stage.land(...names.filter((name) => name !== "free"));
  expect([namesOf(second.landed).sort(), namesOf(second.waiting)]).toEqual([
    ["needs/one", "pair/one-a", "pair/one-b", "pair/two-a", "pair/two-b"],
    ["pair/three-a", "pair/three-b"],
  ]);
  expect(await stage.json("questions")).toEqual([]);
  const point = (branch: string) => second.landed.find((each) => each.branch === branch)?.point;
  expect(point("pair/one-a")).toBe(point("pair/one-b"));
  const order = stage.repo.git("log", "--reverse", "--format=%s", "main").split("\n");
  expect(order.indexOf("pair/two-a")).toBeGreaterThan(order.indexOf("pair/two-b"));
  expect(order.indexOf("needs/one")).toBeGreaterThan(order.indexOf("pair/one-b"));
  expect(stage.broken(tips)).toEqual([]);
});
