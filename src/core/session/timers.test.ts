import { expect, it } from "vitest";
import { readTimers, TIMERS } from "./timers.ts";

it("can be shortened one by one", () => {
  expect(readTimers('{"betweenPastes":1000,"idle":0}')).toEqual({ ...TIMERS, betweenPastes: 1_000, idle: 0 });
  expect(readTimers("{}")).toEqual(TIMERS);
});

it.each([undefined, "", "5", "[]", '{"betweenPaste":1}', '{"idle":-1}', '{"idle":60001}', '{"idle":"1"}'])(
  "stay as they are with %s",
  (text) => expect(readTimers(text)).toEqual(TIMERS),
);
