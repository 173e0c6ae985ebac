import { expect, it } from "vitest";
import { localTime } from "./local-time.ts";

it("shows the clock today, and the date on other days", () => {
  const here = new Date(2026, 4, 8, 3, 4, 5);
  const now = new Date(2026, 4, 8, 23, 0, 0).getTime();
  expect([
    localTime(here.toISOString(), now),
    localTime(here.toISOString(), now + 86_400_000),
    localTime("?", now),
  ]).toEqual(["03:04:05", "2026-05-08 03:04:05", "?"]);
});
