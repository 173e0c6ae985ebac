import { expect, it } from "vitest";
import { createRefresher } from "./refresher.ts";

it("runs once at a time, and once more for all who asked meanwhile", async () => {
  const open: (() => void)[] = [];
  let runs = 0;
  const refresh = createRefresher(() => {
    runs++;
    return new Promise<void>((resolve) => open.push(resolve));
  });
  const all = [refresh(), refresh(), refresh()];
  expect(runs).toBe(1);
  open.shift()?.();
  await all[0];
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toBe(2);
  open.shift()?.();
  await Promise.all(all);
  expect(runs).toBe(2);
});
