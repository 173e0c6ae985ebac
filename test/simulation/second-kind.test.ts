import { describe, expect, it } from "vitest";
import type { AnyOutcome, EffectOf } from "../../src/core/record/effects.ts";
import type { Lane } from "../../src/core/record/lane.ts";
import { saying } from "../../src/core/record/publish.ts";
import type { Step } from "../../src/core/record/step.ts";
import { type Instant, type LaneKey, SUPERVISOR } from "../../src/core/text/ids.ts";
import type { LaneKind } from "../../src/engine/loop/lane-kind.ts";
import { type Around, tickingKind } from "../../src/engine/loop/tick-lane.ts";
import { SimulatedWorld } from "./world.ts";

/**
 * A kind of lane that has nothing to do with sessions: it checks parcels. Weigh, stamp, wait a minute, ship; a parcel
 * that is too heavy is reported to the supervisor. The loop, the journal and the store know nothing of it.
 */
interface Parcel {
  readonly name: string;
  readonly weight: number | null;
  readonly stamped: boolean;
  readonly shipAt: Instant | null;
  readonly shipped: boolean;
  readonly refused: string | null;
  readonly cancelled: boolean;
}

type ParcelEvent =
  | { readonly type: "ordered" }
  | { readonly type: "weighed"; readonly weight: number }
  | { readonly type: "stamped"; readonly shipAt: Instant }
  | { readonly type: "shipped" }
  | { readonly type: "refused"; readonly why: string }
  | { readonly type: "cancelled" };

interface ParcelEffects {
  weigh: { asks: { readonly parcel: string }; gives: { readonly grams: number } };
  stamp: { asks: { readonly parcel: string; readonly grams: number }; gives: Record<never, never> };
  ship: { asks: { readonly parcel: string }; gives: Record<never, never> };
}

const newParcel = (name: string): Parcel => ({
  name,
  weight: null,
  stamped: false,
  shipAt: null,
  shipped: false,
  refused: null,
  cancelled: false,
});

const parcelLane = (name: string): Lane<Parcel, ParcelEvent> => ({
  key: `parcel/${name}` as LaneKey,
  rules: {
    initial: null,
    read: (stored) => stored as Parcel,
    reduce(state, event) {
      if (event.type === "ordered") return state ?? newParcel(name);
      if (state === null) return null;
      if (event.type === "weighed") return { ...state, weight: event.weight };
      if (event.type === "stamped") return { ...state, stamped: true, shipAt: event.shipAt };
      if (event.type === "shipped") return { ...state, shipped: true };
      return event.type === "refused" ? { ...state, refused: event.why } : { ...state, cancelled: true };
    },
  },
});

interface Facts {
  readonly now: Instant;
  readonly settled: Parameters<ParcelKind["facts"]>[2];
}

type ParcelKind = LaneKind<Parcel, ParcelEvent, ParcelEffects, null, Facts>;

const MINUTE = 60_000;

function decide(state: Parcel, { now, settled }: Facts): Step<ParcelEvent, EffectOf<ParcelEffects>> {
  const { name } = state;
  const events: ParcelEvent[] = [];
  for (const { effect, outcome } of settled) {
    if (!outcome.ok || outcome.skipped) continue;
    if (effect.type === "weigh" && "grams" in outcome) events.push({ type: "weighed", weight: outcome.grams });
    if (effect.type === "stamp") events.push({ type: "stamped", shipAt: (now + MINUTE) as Instant });
    if (effect.type === "ship") events.push({ type: "shipped" });
  }
  const after = events.reduce<Parcel>((so, event) => parcelLane(name).rules.reduce(so, event) ?? so, state);
  if (after.cancelled || after.shipped || after.refused !== null) return { events, effects: [] };
  if (after.weight === null) return { events, effects: [{ type: "weigh", parcel: name }] };
  if (after.weight > 2_000) {
    const errors = [`parcel ${name} weighs ${after.weight} g`];
    const says = [saying({ type: "agent.feedback", agent_id: SUPERVISOR, payload: { from: SUPERVISOR, errors } })];
    return { events: [...events, { type: "refused", why: "too heavy" }], effects: [], says };
  }
  if (!after.stamped) return { events, effects: [{ type: "stamp", parcel: name, grams: after.weight }] };
  if (after.shipAt !== null && now < after.shipAt) return { events, effects: [], wakeAt: after.shipAt };
  return { events, effects: [{ type: "ship", parcel: name }] };
}

/** What really happened: doing something twice shows here. */
class Depot {
  readonly grams: Record<string, number> = { book: 700, shoes: 1_200, anvil: 9_000 };
  readonly stamps = new Map<string, number>();
  readonly sent = new Set<string>();
}

const parcelKind = (depot: Depot, now: () => Instant): ParcelKind => ({
  lane: (key) => (key.startsWith("parcel/") ? parcelLane(key.slice("parcel/".length)) : null),
  observe: async () => null,
  facts: (_, __, settled) => ({ now: now(), settled }),
  decide,
  stillWanted: (_, state) => state?.cancelled !== true,
  performers: {
    weigh: async ({ parcel }) => ({ ok: true, grams: depot.grams[parcel] ?? 1 }),
    stamp: async ({ parcel, grams }) => {
      depot.stamps.set(parcel, grams);
      return { ok: true };
    },
    ship: async ({ parcel }) => {
      depot.sent.add(parcel);
      return { ok: true };
    },
  },
});

const PARCELS = ["book", "shoes", "anvil"];

function stage() {
  const world = new SimulatedWorld();
  const depot = new Depot();
  world.more = (_, ticking) => [
    tickingKind(
      ticking,
      parcelKind(depot, () => world.clock.now()),
    ),
  ];
  const order = () =>
    world.supervisor?.context.journal.transact((transaction) => {
      for (const parcel of PARCELS) transaction.send(parcelLane(parcel), { type: "ordered" });
    });
  const state = (parcel: string) => world.supervisor?.context.journal.state(parcelLane(parcel)) ?? null;
  const isOver = (parcel: string) => {
    const { shipped = false, refused = null, cancelled = false } = state(parcel) ?? {};
    return shipped || refused !== null || cancelled;
  };
  /** Lets time pass whenever everybody waits for it. */
  const finish = async () => {
    const { journal } = world.supervisor?.context ?? {};
    const isWaiting = (parcel: string) => isOver(parcel) || state(parcel)?.shipAt !== null;
    await journal?.until(() => journal.unsettled.size === 0 && PARCELS.every(isWaiting));
    await new Promise((resolve) => setImmediate(resolve));
    world.clock.pass(MINUTE);
    await journal?.until(() => journal.unsettled.size === 0 && PARCELS.every(isOver));
  };
  return { world, depot, order, state, finish };
}

function check({ depot, state, world }: ReturnType<typeof stage>): void {
  expect([...depot.stamps].sort()).toEqual([
    ["book", 700],
    ["shoes", 1_200],
  ]);
  expect([...depot.sent].sort()).toEqual(["book", "shoes"]);
  expect(PARCELS.map((parcel) => [state(parcel)?.shipped, state(parcel)?.refused])).toEqual([
    [true, null],
    [true, null],
    [false, "too heavy"],
  ]);
  const heard = world.disk.tables.messages.map(({ message }) => message.type);
  expect(heard.filter((type) => type === "agent.feedback").length).toBe(1);
}

it("runs beside the session's lanes without a change to the loop", async () => {
  const all = stage();
  await all.world.open();
  await all.order();
  await all.finish();
  check(all);
  expect(all.world.performed.toSorted()).toEqual(["ship", "ship", "stamp", "stamp", "weigh", "weigh", "weigh"]);
});

describe("killed at every effect", () => {
  const points = Array.from({ length: 7 }, (_, i) => i + 1).flatMap((n) =>
    (["before", "after"] as const).map((moment) => [n, moment] as const),
  );
  it.each(points)("effect %i, %s it: the restart reaches the same end", async (n, moment) => {
    const all = stage();
    const { world } = all;
    let count = 0;
    const never = new Promise<AnyOutcome>(() => {});
    await new Promise<void>((died) => {
      const around: Around = (perform) => async (effect, id) => {
        if (++count !== n) return count > n ? never : perform(effect, id);
        if (moment === "after") await perform(effect, id);
        world.kill();
        died();
        return never;
      };
      void world.open(around).then(async () => {
        await all.order();
        await all.finish();
      });
    });
    const supervisor = await world.open();
    await supervisor.reconcile(true);
    await all.finish();
    check(all);
  });
});

it("does not perform what is no longer wanted when its turn comes", async () => {
  const { world, order, depot } = stage();
  await new Promise<void>((died) => {
    let dead = false;
    const around: Around = () => async () => {
      if (!dead) world.kill();
      dead = true;
      died();
      return new Promise<AnyOutcome>(() => {});
    };
    void world.open(around).then(order);
  });
  const supervisor = await world.open();
  const { journal } = supervisor.context;
  await journal.transact((transaction) => {
    for (const parcel of PARCELS) transaction.send(parcelLane(parcel), { type: "cancelled" });
  });
  await journal.until(() => journal.unsettled.size === 0);
  expect([world.performed.length, depot.stamps.size, depot.sent.size]).toEqual([0, 0, 0]);
});
