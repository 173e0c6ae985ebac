import { describe, expect, it } from "vitest";
import type { AgentId, Branch } from "../text/ids.ts";
import { type Arrangement, layoutString, planPanes, share, unseenSize, windowName } from "./layout.ts";

const plan = (arrangement: Arrangement, count: number) =>
  planPanes(
    arrangement,
    Array.from({ length: count }, (_, i) => ({ id: `a${i}` as AgentId, branch: `feat/a${i}` as Branch })),
  );
const rowsOf = (arrangement: Arrangement, count: number, window = 0) => {
  const rows = new Map<number, { panes: number; height: number; width: number }>();
  for (const { window: mine, row, heightPercent, widthPercent } of plan(arrangement, count)) {
    if (mine !== window) continue;
    rows.set(row, { panes: (rows.get(row)?.panes ?? 0) + 1, height: heightPercent, width: widthPercent });
  }
  return [...rows.values()].map(({ panes, height, width }) => [panes, round(height), round(width)]);
};
const round = (percent: number) => Math.round(percent * 10) / 10;

describe("with a supervisor", () => {
  it.each([
    [
      1,
      [
        [2, 40, 50],
        [1, 60, 100],
      ],
    ],
    [
      5,
      [
        [2, 40, 50],
        [5, 60, 20],
      ],
    ],
    [
      7,
      [
        [2, 40, 50],
        [5, 30, 20],
        [2, 30, 50],
      ],
    ],
    [
      15,
      [
        [2, 28, 50],
        [5, 24, 20],
        [5, 24, 20],
        [5, 24, 20],
      ],
    ],
    [
      16,
      [
        [2, 28, 50],
        [5, 18, 20],
        [5, 18, 20],
        [5, 18, 20],
        [1, 18, 100],
      ],
    ],
    [
      25,
      [
        [2, 28, 50],
        [5, 14.4, 20],
        [5, 14.4, 20],
        [5, 14.4, 20],
        [5, 14.4, 20],
        [5, 14.4, 20],
      ],
    ],
  ])("%i agents: panes, height and width of each row", (count, rows) => {
    expect(rowsOf("supervisor", count)).toEqual(rows);
  });
  it("counts positions from the supervisor through all windows, and titles say them", () => {
    const panes = plan("supervisor", 30);
    expect(panes.map(({ position }) => position)).toEqual(Array.from({ length: 32 }, (_, i) => i));
    expect([0, 1, 2, 27, 31].map((i) => [panes[i]?.window, panes[i]?.title])).toEqual([
      [0, "0: supervisor"],
      [0, "1: dashboard"],
      [0, "2: feat/a0"],
      [1, "27: feat/a25"],
      [1, "31: feat/a29"],
    ]);
    expect(rowsOf("supervisor", 30, 1)).toEqual([[5, 100, 20]]);
  });
});

it("without a supervisor the dashboard is alone on top; without a broker agents have it all", () => {
  expect(rowsOf("broker", 3)).toEqual([
    [1, 40, 100],
    [3, 60, 33.3],
  ]);
  expect(rowsOf("plain", 6)).toEqual([
    [5, 50, 20],
    [1, 50, 100],
  ]);
  expect(plan("broker", 1).map(({ title }) => title)).toEqual(["0: dashboard", "1: feat/a0"]);
  expect(plan("plain", 1).map(({ title }) => title)).toEqual(["0: feat/a0"]);
});

describe("cells", () => {
  it.each([
    [10, [1, 1, 1]],
    [139, [40, 60]],
    [3, [28, 24, 24]],
    [2, [1, 1, 1]],
  ])("%i shared by %j add up where they can, and none is empty", (total, weights) => {
    const cells = share(total, weights);
    expect(Math.min(...cells)).toBeGreaterThan(0);
    expect(cells.reduce((all, each) => all + each, 0)).toBe(Math.max(total, weights.length));
  });
  it("are written as tmux writes them", () => {
    expect(layoutString(plan("plain", 1), { width: 80, height: 24 })).toBe("b25d,80x24,0,0,0");
    expect(layoutString(plan("plain", 2), { width: 80, height: 24 })).toMatch(
      /^[0-9a-f]{4},80x24,0,0\{40x24,0,0,0,39x24,41,0,0\}$/,
    );
    expect(layoutString(plan("supervisor", 1), { width: 81, height: 25 })).toMatch(
      /^[0-9a-f]{4},81x25,0,0\[81x10,0,0\{40x10,0,0,0,40x10,41,0,0\},81x14,0,11,0\]$/,
    );
  });
});

describe("a window that nobody looks at", () => {
  it.each([
    ["broker", 1, { width: 200, height: 50 }],
    ["supervisor", 2, { width: 200, height: 50 }],
    ["supervisor", 5, { width: 404, height: 50 }],
    ["supervisor", 7, { width: 404, height: 70 }],
    ["supervisor", 25, { width: 404, height: 146 }],
  ] as const)("with a %s and %i agents is as large as they need: %j", (arrangement, count, size) =>
    expect(unseenSize(plan(arrangement, count))).toEqual(size),
  );
  it("is called after its agents", () => expect([0, 1].map(windowName)).toEqual(["agents", "agents-2"]));
});
