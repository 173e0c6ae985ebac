import { describe, expect, it } from "vitest";
import { draw, type Given, NOW, read } from "../../../../test/epics/sketch.ts";
import type { Instant } from "../../text/ids.ts";
import { planTick } from "./plan.ts";
import { DEFAULT_POLICY, HOUR } from "./policy.ts";
import type { Signal } from "./signals.ts";
import { staleItems } from "./stale.ts";

const hours = (many: number) => (NOW + many * HOUR) as Instant;
const active = (many: number): Signal => ({ item: "a", kind: "activity", at: hours(many) });
const stale = (sketch: Given, signals: readonly Signal[] = [], now = NOW) =>
  staleItems(read(draw(sketch)), signals, now, DEFAULT_POLICY).map(
    ({ item, silentMs, runs }) => `${item} ${silentMs / HOUR} h${runs ? ", runs" : ""}`,
  );
/** Minutes from now, as sketches say it. */
const LAST = (many: number) => ({ items: `a in_progress claude active=${many * 60}` });

describe("an item in progress", () => {
  it("is stale once its worker has been silent for more than four hours", () => {
    expect([stale(LAST(-4)), stale(LAST(-5))]).toEqual([[], ["a 5 h"]]);
    expect(stale(LAST(-5), [active(-1)])).toEqual([]);
  });
  it("is not to be queued again while its worker lives here, whatever the clocks say", () => {
    expect(stale(LAST(-5), [active(-5)])).toEqual(["a 5 h, runs"]);
    expect(stale(LAST(0), [active(0)], hours(30 * 24))).toEqual(["a 720 h, runs"]);
  });
  it("with a last activity in the future has been silent since it was sent, or since its worker was last heard", () => {
    const sent = read(draw({ ...LAST(10 * 365 * 24), rows: "dispatch_ok" }));
    const memory = [{ at: hours(-6), decision: "dispatch a to claude", class: "dispatch_ok", notes: "", row: null }];
    expect(staleItems({ ...sent, memory }, [], NOW, DEFAULT_POLICY)).toMatchObject([{ silentMs: 6 * HOUR }]);
    expect(stale(LAST(10 * 365 * 24), [active(-5)])).toEqual(["a 5 h, runs"]);
  });
});

describe("a tick over a last activity in the future", () => {
  const ahead = read(draw(LAST(10 * 365 * 24)));
  it("takes it for now, once, so that the silence is counted from there", () => {
    const first = planTick(ahead, NOW, [], DEFAULT_POLICY);
    expect([first.next, first.epic.items[0]?.lastActivity]).toEqual(["applied", NOW]);
    expect(planTick(first.epic, hours(1), [], DEFAULT_POLICY)).toMatchObject({ next: "noop", epic: first.epic });
    expect(planTick(first.epic, hours(13), [], { ...DEFAULT_POLICY, singleStallMs: 12 * HOUR })).toMatchObject({
      next: "halt",
    });
  });
  it("believes its worker's own sign of life instead", () => {
    expect(planTick(ahead, NOW, [active(-1)], DEFAULT_POLICY).epic.items[0]?.lastActivity).toBe(hours(-1));
  });
  it("leaves alone what two clocks may be apart", () => {
    const near = read(draw(LAST(1)));
    expect(planTick(near, NOW, [], DEFAULT_POLICY)).toMatchObject({ next: "noop", epic: near });
  });
});
