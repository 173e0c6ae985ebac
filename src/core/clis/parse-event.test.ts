import fc from "fast-check";
import { expect, it } from "vitest";
import { parseEvent } from "./parse-event.ts";

it.each([
  [
    { type: "session", id: "s1" },
    { type: "session", id: "s1" },
  ],
  [
    { type: "text", text: "hi" },
    { type: "text", text: "hi" },
  ],
  [
    { type: "permission", request: "r", command: "ls" },
    { type: "permission", request: "r", text: "ls", command: "ls" },
  ],
  [
    { type: "usage", input: 5, output: -1, cost: "x" },
    { type: "usage", usage: { input: 5, output: 0, cached: 0, cost: null } },
  ],
  [
    { type: "end", how: "ok" },
    { type: "end", how: "ok", message: "" },
  ],
  [{ type: "end", how: "splendid" }, null],
  [{ type: "permission" }, null],
  [{ type: "anything" }, null],
])("%j", (line, event) => expect(parseEvent(JSON.stringify(line))).toEqual(event));

it("ignores whatever else a program prints", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => void parseEvent(line)));
  expect(parseEvent("npm warn something")).toBe(null);
});
it("cuts texts, so that no agent fills our memory", () => {
  expect(
    (parseEvent(JSON.stringify({ type: "text", text: "x".repeat(10 ** 6) })) as { text: string }).text.length,
  ).toBe(65_536);
});
