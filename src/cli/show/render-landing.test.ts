import { expect, it } from "vitest";
import { renderLandingPlan } from "./render-landing.ts";

it("says how often the gates run at most: what is known already is not run again", () => {
  const nothing = { order: [], waiting: [], cycles: [], predicted: [], asks: [], redTogether: [] };
  const plan = { ...nothing, strategy: "train", target: "main", base: "440f9b4bcad2", expectedRuns: 2 } as const;
  const shown = renderLandingPlan({ ...plan, gates: [{ gate: "test", command: "npm test" }] });
  expect(shown).toContain("gates: test; at most 2 runs if nothing is red");
});
