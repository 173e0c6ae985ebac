import { expect, it } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { createRefreshSoon } from "./refresh-soon.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

it("gathers what is asked for, runs once more for what came meanwhile, and tries again after a failure", async () => {
  const clock = new FakeClock();
  const ends: ((error?: Error) => void)[] = [];
  const errors: unknown[] = [];
  const soon = createRefreshSoon({
    clock,
    gatherMs: 10,
    againMs: 1_000,
    refresh: () =>
      new Promise((resolve, reject) => ends.push((error) => (error === undefined ? resolve() : reject(error)))),
    onError: (error) => errors.push(error),
  });
  const end = async (error?: Error) => {
    ends.at(-1)?.(error);
    await tick();
  };
  soon.ask();
  soon.ask();
  expect(ends.length).toBe(0);
  clock.pass(10);
  expect(ends.length).toBe(1);
  soon.ask();
  soon.ask();
  await end();
  clock.pass(10);
  expect(ends.length).toBe(2);
  await end(new Error("full"));
  clock.pass(999);
  expect([ends.length, errors.length]).toEqual([2, 1]);
  clock.pass(1);
  expect(ends.length).toBe(3);
  await end();
  clock.pass(10_000);
  expect(ends.length).toBe(3);
  soon.ask();
  soon.stop();
  clock.pass(10_000);
  expect(ends.length).toBe(3);
});
