import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LandingPlan, LandingView } from "../../src/core/landing/view.ts";
import { agentOf, BOUNCED, FLEET, FLEET_NAMES, LANDED, scriptOf } from "../landing/fleet.ts";
import { LandingStage, namesOf } from "../landing/ground.ts";

let stage: LandingStage;
beforeEach(async () => {
  stage = await LandingStage.make("[verify]\non_commit = false\ncombinations = false\n");
});
afterEach(() => stage.dispose());

/** Ten have landed in an order that fits, two came back with what is wrong with them, and nothing else happened. */
function checkEnd({ landed, bounced, skipped, waiting }: LandingView, tips: ReadonlyMap<string, string>): void {
  expect([namesOf(landed).sort(), namesOf(bounced), skipped, waiting]).toEqual([[...LANDED].sort(), BOUNCED, [], []]);
  const [title, caller] = bounced;
  expect([title?.because, title?.findings]).toEqual([
    "it conflicts with feat/title-a in src/title.mjs",
    [
      expect.objectContaining({
        tag: "regression",
        kind: "conflict",
        file: "src/title.mjs",
        line: 1,
        lines: ['- export const title = "By A";', '+ export const title = "By B";'],
      }),
    ],
  ]);
  expect(caller?.findings).toEqual([
    expect.objectContaining({
      tag: "regression",
      kind: "regression",
      gate: "test",
      file: "test/caller.test.mjs",
      line: 4,
      message: expect.stringMatching(/^caller works fails \(tested on top of .*feat\/shout/),
    }),
  ]);
  // Who needs another is above it.
  const subjects = stage.repo.git("log", "--reverse", "--format=%s", "main").split("\n");
  for (const { branch, contains, blockedBy } of FLEET.filter((each) => LANDED.includes(each.branch))) {
    const below = contains ?? blockedBy;
    if (below !== undefined) expect(subjects.indexOf(branch)).toBeGreaterThan(subjects.indexOf(below));
  }
  for (const { point, tree } of landed) expect(stage.repo.git("rev-parse", `${point}^{tree}`)).toBe(tree);
  expect(stage.broken(tips)).toEqual([]);
  expect(stage.repo.git("status", "--porcelain", "--untracked-files=no")).toBe("");
}

describe("twelve branches, of which one is red only with another, and one conflicts", () => {
  it("ten of them land without a session, and each value that main took is green when it is tested again", async () => {
    for (const { branch, files, contains, blockedBy } of FLEET)
      stage.branch(branch, files, contains ?? blockedBy ?? "main");
    const tips = stage.tips(FLEET_NAMES);
    const plan = await stage.json<LandingPlan>("land", "--plan", ...FLEET_NAMES);
    expect(plan).toMatchObject({ waiting: [], cycles: [], predicted: [["feat/title-a", "feat/title-b"]] });
    const needs = Object.fromEntries(plan.order.map((each) => [each.branch, each.needs]));
    expect(needs).toMatchObject({
      "feat/total": ["feat/sum"],
      "feat/mean": ["feat/total", "feat/sum"],
      "feat/docs": [],
    });
    const before = stage.points();
    const view = await stage.land(...FLEET_NAMES);
    checkEnd(view, tips);
    expect(stage.points().length).toBeLessThan(before.length + LANDED.length);
    // Nothing of it is tested again: all that was asked for is there, or bounces by what is known.
    const again = await stage.land(...LANDED);
    expect([namesOf(again.landed).length, again.gateRuns]).toEqual([LANDED.length, 0]);
  });

  it("ten agents' work lands, and two agents are told what is wrong, and nobody else is", async () => {
    for (const member of FLEET) stage.script(agentOf(member.branch), scriptOf(member));
    await stage.start(FLEET_NAMES.join(","));
    await stage.allIn("done");
    const tips = stage.tips(FLEET_NAMES);
    const view = await stage.land(...FLEET_NAMES);
    checkEnd(view, tips);
    const log = (await stage.ok("log", "--jsonl"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { to: string[]; text: string; message: { type: string } });
    const said = (type: string) => log.filter(({ message }) => message.type === type);
    // Who conflicts hears of it only once it is known that the other has landed.
    expect(said("agent.feedback").map(({ to, text }) => [to, text.split(":")[0]])).toEqual([
      [["feat-caller"], "[regression] test/caller.test.mjs"],
      [["feat-title-b"], "[regression] src/title.mjs"],
    ]);
    expect(said("agent.advanced-main").length).toBe(LANDED.length);
    expect(said("agent.status").at(-1)?.text).toMatch(
      /^idle: landed on main: .*; sent back: feat\/title-b \(.*\), feat\/caller \(.*\); \d+ runs of the gates$/,
    );
    // Those two go on with what was found; these have no more to do, and say so.
    const ended = Object.fromEntries(FLEET_NAMES.map((name) => [name, BOUNCED.includes(name) ? "bounced" : "landed"]));
    await stage.until(({ agents }) => agents.every(({ branch, state }) => state === ended[branch ?? ""]));
  });
});
