import { describe, expect, it } from "vitest";
import { planRows, shownOf, type Wanted } from "./plan-rows.ts";

const sum = ({ needs, agents, conflicts, log, apart }: ReturnType<typeof planRows>): number => {
  const gap = apart ? 1 : 0;
  return 2 + needs + gap + agents + (conflicts > 0 ? gap + conflicts : 0) + (log > 0 ? gap + 1 + log : 0);
};

const COUNTS = [0, 1, 3, 12, 50];
const WANTED = COUNTS.flatMap((needs) =>
  COUNTS.flatMap((agents) =>
    COUNTS.flatMap((conflicts) => [true, false].map((log): Wanted => ({ needs, agents, conflicts, log }))),
  ),
);

const HEIGHTS = [7, 8, 9, 15, 16, 23, 39, 59];

describe("a screen", () => {
  it.each([3, 5, ...HEIGHTS])("of %d lines has nothing drawn over anything else", (height) => {
    for (const wanted of WANTED)
      expect(sum(planRows(height, wanted)), JSON.stringify(wanted)).toBeLessThanOrEqual(height);
  });
  it.each(HEIGHTS)("of %d lines has what needs a person, and agents", (height) => {
    for (const wanted of WANTED) {
      const { needs, agents } = planRows(height, wanted);
      expect(
        [needs >= Math.min(wanted.needs, 2), agents >= Math.min(wanted.agents, 2)],
        JSON.stringify(wanted),
      ).toEqual([true, true]);
    }
  });
});

it("shows messages on 80×24 with a dozen of everything", () => {
  const rows = planRows(23, { needs: 12, agents: 12, conflicts: 12, log: true });
  expect([rows.needs, rows.log >= 3]).toEqual([6, true]);
});

it.each([
  [3, 4, { shown: 3, more: 0 }],
  [4, 4, { shown: 4, more: 0 }],
  [12, 4, { shown: 3, more: 9 }],
  [12, 1, { shown: 0, more: 12 }],
  [12, 0, { shown: 0, more: 12 }],
])("of %d on %d lines shows %j", (count, rows, expected) => expect(shownOf(count, rows)).toEqual(expected));
