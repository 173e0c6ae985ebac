import { describe, expect, it } from "vitest";
import { type Dashboard, type Key, OPENED, press } from "./dashboard.ts";

const key = (text: string): Key => {
  const name = { "↑": "up", "↓": "down", "⏎": "enter", "⎋": "escape", "⌫": "backspace" }[text] as Key["name"];
  return name === undefined ? { text } : { text: "", name };
};
const typed = (keys: string, count = 5): Dashboard =>
  [...keys].reduce((dashboard, text) => {
    const pressed = press(dashboard, key(text), count);
    return pressed.do === "quit" ? dashboard : pressed.dashboard;
  }, OPENED);

describe("keys", () => {
  it.each([
    ["1", ["status"]],
    ["13", ["status", "blocked"]],
    ["131", ["blocked"]],
    ["11", []],
    ["123a", []],
    ["9", ["advanced-main"]],
  ])("%j shows %j", (keys, shown) => expect(typed(keys).shown).toEqual(shown));
  it.each([
    ["", null],
    ["↑", 0],
    ["↑k", 1],
    ["↑↑↓", 0],
    ["↑↓", null],
    ["↑↑↑↑↑↑↑", 4],
    ["↑↑⎋", null],
  ])("%j selects %j", (keys, selected) => expect(typed(keys).selected).toBe(selected));
  it("open and close details, and the log", () => {
    expect([typed("↑⏎").details, typed("↑⏎⏎").details, typed("↑⏎⎋").details, typed("⏎", 0).details]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([typed("l").log, typed("ll").log]).toEqual([false, true]);
  });
  it("q quits, and is a letter while something is typed", () => {
    expect(press(OPENED, key("q"), 0).do).toBe("quit");
    expect(typed("tq").typing).toBe("tell q");
  });
  it("type a line, mend it, send it or leave it", () => {
    expect(typed("ra⌫q1 yes").typing).toBe("answer q1 yes");
    expect(press(typed("tfeat-a hi"), key("⏎"), 0)).toMatchObject({
      do: "send",
      line: "/tell feat-a hi",
      dashboard: { typing: null },
    });
    expect(typed("tabc⎋").typing).toBe(null);
  });
});
