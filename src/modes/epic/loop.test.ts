import { beforeEach, describe, expect, it } from "vitest";
import { draw, NOW } from "../../../test/epics/sketch.ts";
import { FakeEpicStore } from "../../../test/fakes/fake-epic-store.ts";
import { FakeDispatcher, FakeNotifier, FakeRoles } from "../../../test/fakes/fake-epic-workers.ts";
import { DEFAULT_POLICY } from "../../core/epic/decide/policy.ts";
import { loopEpics } from "./loop.ts";

const PLACE = "/epics/e.md";
const OUT = draw({ items: "a in_progress claude active=0" });

let store: FakeEpicStore;
let notifier: FakeNotifier;
let said: string[];
beforeEach(() => {
  [store, notifier, said] = [new FakeEpicStore(), new FakeNotifier(), []];
  store.texts.set(PLACE, OUT);
});

/** Loops with a person at the file: `looks` says what it holds from that look on, null for nothing. */
function loop(looks: Readonly<Record<number, string | null>>, most = 40) {
  let look = 0;
  return loopEpics(
    { store, notifier, roles: new FakeRoles(), dispatcher: new FakeDispatcher(), now: () => NOW, isGone: () => false },
    {
      epics: [{ place: PLACE, called: "e" }],
      policy: DEFAULT_POLICY,
      intervalMs: 60_000,
      onTick: (called, { next, why }) => said.push(`${called} ${next} ${why}`),
      wait: async () => {
        const text = looks[++look];
        if (text === null) store.texts.delete(PLACE);
        else if (text !== undefined) store.texts.set(PLACE, text);
        return look >= most ? "end" : "go on";
      },
    },
  );
}

describe("a loop", () => {
  it.each([
    ["taken away", null],
    ["cut to nothing", ""],
    ["half a table", OUT.replace("| Status |", "| State |")],
  ])("goes on over a file that is %s for a moment, as editors do", async (_, moment) => {
    expect(await loop({ 2: moment, 4: OUT })).toBe("ended");
    expect([said, notifier.told.size]).toEqual([[], 0]);
  });

  it("ends over one that stays so, and says why, once", async () => {
    expect(await loop({ 2: null })).toBe("rest");
    expect([said, [...notifier.told.values()]]).toEqual([
      ["e corrupt it is gone"],
      ["e was not touched: it is gone (/epics/e.md)"],
    ]);
  });

  it("says so at once of one that never was whole", async () => {
    store.texts.set(PLACE, "no");
    expect([await loop({}), said.length]).toEqual(["rest", 1]);
  });
});
