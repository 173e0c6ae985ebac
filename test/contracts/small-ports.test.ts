import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { systemTokens } from "../../src/adapters/system/tokens.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Tokens } from "../../src/ports/tokens.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeTokens } from "../fakes/fake-tokens.ts";

describe.each<readonly [string, () => { clock: Clock; pass(ms: number): Promise<void> }]>([
  [
    "fake",
    () => {
      const clock = new FakeClock();
      return { clock, pass: async (ms) => clock.pass(ms) };
    },
  ],
  ["system", () => ({ clock: systemClock, pass: async (ms) => void (await sleep(ms + 20)) })],
])("Clock (%s)", (_, make) => {
  it("goes forward, and wakes whom it promised to, once", async () => {
    const { clock, pass } = make();
    const before = clock.now();
    let woken = 0;
    clock.after(10, () => woken++);
    clock.after(10, () => woken++)();
    await pass(10);
    await pass(10);
    expect(clock.now() - before).toBeGreaterThanOrEqual(20);
    expect(woken).toBe(1);
  });
});

describe.each<readonly [string, () => Tokens]>([
  ["fake", () => new FakeTokens()],
  ["system", () => systemTokens],
])("Tokens (%s)", (_, make) => {
  it("are new each time, long, fit into a URL, and are known by their digest", () => {
    const tokens = make();
    const minted = Array.from({ length: 50 }, () => tokens.mint());
    expect(new Set(minted.map(({ token }) => token)).size).toBe(50);
    for (const { token, digest } of minted) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{22,}$/);
      expect([tokens.digest(token), digest.includes(token) && make() === systemTokens]).toEqual([digest, false]);
    }
  });
});
