import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { together, VERDICTS, type Verdict, worst } from "./verdict.ts";

const verdict = fc.constantFrom(...VERDICTS);

describe("the verdict of several", () => {
  it("is the worst of them, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(verdict, { minLength: 1 }), (all) => {
        const place = (each: Verdict) => VERDICTS.indexOf(each);
        expect(place(worst(all))).toBe(Math.min(...all.map(place)));
        expect(worst([...all].reverse())).toBe(worst(all));
        expect(worst([...all, ...all])).toBe(worst(all));
        expect(worst([worst(all), "pass"])).toBe(worst(all));
      }),
    );
  });
  it("is unknown where there is none, and unknown is never a pass", () =>
    expect([worst([]), together([])]).toEqual(["waiting", "waiting"]));
  it.each<readonly [readonly Verdict[], Verdict]>([
    [["pass", "skipped"], "pass"],
    [["skipped", "skipped"], "skipped"],
    [["skipped", "running"], "running"],
    [["pass", "waiting"], "waiting"],
    [["waiting", "fail"], "fail"],
  ])("of gates %j: %s", (all, expected) => expect(together(all)).toBe(expected));
});
