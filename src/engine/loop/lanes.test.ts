import { expect, it } from "vitest";
import type { LaneKey } from "../../core/text/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import { Lanes } from "./lanes.ts";
import type { TickingKind } from "./tick-lane.ts";

const A = "a" as LaneKey;
const B = "b" as LaneKey;

/** Ticks that end when told to, and a clock that only remembers. */
function stage() {
  const log: string[] = [];
  const open: ((again: boolean) => void)[] = [];
  const alarms: (() => void)[] = [];
  const errors: unknown[] = [];
  const clock: Clock = {
    now: () => 0 as never,
    after: (_, wake) => {
      alarms.push(wake);
      return () => alarms.splice(0);
    },
  };
  const kind: TickingKind = {
    tick: (lane) =>
      new Promise((resolve, reject) => {
        log.push(lane);
        open.push((more) => (more === null ? reject(new Error("x")) : resolve({ more, wakeAt: null })));
      }),
  };
  const lanes = new Lanes([kind], clock, (_, error) => errors.push(error));
  const end = async (again: boolean | null = false) => {
    open.shift()?.(again as boolean);
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { lanes, log, end, alarms, errors };
}

it("ticks a lane one at a time, and once more for any number of wakes meanwhile", async () => {
  const { lanes, log, end } = stage();
  lanes.wake(A);
  lanes.wake(A);
  lanes.wake(A);
  expect(log).toEqual([A]);
  await end();
  expect(log).toEqual([A, A]);
  await end();
  expect(log).toEqual([A, A]);
});

it("ticks lanes side by side", () => {
  const { lanes, log } = stage();
  lanes.wake(A);
  lanes.wake(B);
  expect(log).toEqual([A, B]);
});

it("goes on while there is more to do", async () => {
  const { lanes, log, end } = stage();
  lanes.wake(A);
  await end(true);
  await end(true);
  await end(false);
  expect(log).toEqual([A, A, A]);
});

it("rests after a tick that threw, and tries again", async () => {
  const { lanes, log, end, alarms, errors } = stage();
  lanes.wake(A);
  await end(null);
  expect([log.length, alarms.length, errors.length]).toEqual([1, 1, 1]);
  alarms[0]?.();
  expect(log.length).toBe(2);
});

it("stops: waits for what is under way, begins nothing", async () => {
  const { lanes, log, end } = stage();
  lanes.wake(A);
  lanes.wake(A);
  let stopped = false;
  const stopping = lanes.stop().then(() => {
    stopped = true;
  });
  await Promise.resolve();
  expect(stopped).toBe(false);
  await end();
  await stopping;
  lanes.wake(B);
  expect(log).toEqual([A]);
});
