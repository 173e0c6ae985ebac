import fc from "fast-check";
import { expect, it } from "vitest";
import type { Instant } from "./ids.ts";
import { iso } from "./instant.ts";

it("writes instants as Date does, leap years and all", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
      expect(iso(ms as Instant)).toBe(new Date(ms).toISOString());
    }),
  );
});
