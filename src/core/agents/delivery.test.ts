import { describe, expect, it } from "vitest";
import type { Screen, ScreenState } from "../screens/screen.ts";
import { isShownOn, nextKey, pastedMark, submittedMark, type Typing } from "./delivery.ts";

const at = (state: ScreenState, box: string | null = null): Screen => ({ state, box, prompt: null, evidence: "" });
const READY = at("ready", "");
const FULL = at("ready", "a text");
const WORKING = at("working");
const WAITING = at("waiting");
const UNKNOWN = at("unknown");

const START: Typing = {
  ...{ tag: "t", text: "a text", mark: "", screen: READY, steady: null, shown: false },
  ...{ resumed: false, enters: 0, sinceKeyMs: 60_000, confirmed: false },
};
const next = (over: Partial<Typing>) => nextKey({ ...START, ...over });
const pasted = (over: Partial<Typing>) => next({ mark: pastedMark("t"), screen: FULL, ...over });

describe("a text", () => {
  it.each([
    ["an empty box at the prompt", READY, null, "paste"],
    ["an empty box after a turn", at("done", ""), null, "paste"],
    ["an empty box after a turn that failed", at("error", ""), null, "paste"],
    ["an error without a box", at("error"), null, "waits"],
    ["a box with something in it", FULL, null, "waits"],
    ["a program at work", WORKING, null, "waits"],
    ["a program at work with an empty box", at("working", ""), null, "waits"],
    ["a question on the screen", WAITING, null, "waits"],
    ["a trust dialog", at("trust"), null, "waits"],
    ["a login", at("login", ""), null, "waits"],
    ["a bare shell", at("shell"), true, "waits"],
    ["a screen that is unknown for once", UNKNOWN, null, "waits"],
    ["an unknown program that stands still", UNKNOWN, true, "paste"],
    ["an unknown program that moves", UNKNOWN, false, "waits"],
  ])("before %s: %s", (_, screen, steady, key) => expect(next({ screen, steady })).toBe(key));

  it("is given time to be taken for a paste, then Enter, then time again, then one more Enter, then it is stuck", () => {
    expect(pasted({ sinceKeyMs: 100 })).toBe("wait");
    expect(pasted({ sinceKeyMs: 600 })).toBe("enter");
    expect(pasted({ enters: 1, sinceKeyMs: 1_000 })).toBe("wait");
    expect(pasted({ enters: 1, sinceKeyMs: 3_000 })).toBe("enter");
    expect(pasted({ enters: 2, sinceKeyMs: 3_000 })).toBe("stuck");
  });

  it("is submitted once its CLI says so, whatever its screen looks like, and never before Enter", () => {
    expect(pasted({ screen: UNKNOWN, enters: 1, confirmed: true })).toBe("submitted");
    expect(pasted({ screen: FULL, enters: 0, sinceKeyMs: 600, confirmed: true })).toBe("enter");
  });

  it("is followed by Enter only once it is seen in the box; one that never appears may be pasted again", () => {
    expect(pasted({ screen: READY, sinceKeyMs: 600 })).toBe("wait");
    expect(pasted({ screen: UNKNOWN, sinceKeyMs: 600 })).toBe("wait");
    expect(pasted({ screen: READY, sinceKeyMs: 10_000 })).toBe("lost");
    expect(pasted({ screen: UNKNOWN, sinceKeyMs: 10_000 })).toBe("waits");
    expect(pasted({ screen: at("ready", "[Pasted text #1 +3 lines]"), sinceKeyMs: 600 })).toBe("enter");
  });

  it("is followed by Enter in a program nobody described only where it is shown; one that never shows it is stuck", () => {
    const unknown = { screen: UNKNOWN, steady: true };
    expect(pasted({ ...unknown, shown: true, sinceKeyMs: 600 })).toBe("enter");
    expect(pasted({ ...unknown, sinceKeyMs: 600 })).toBe("wait");
    expect(pasted({ ...unknown, sinceKeyMs: 10_000 })).toBe("stuck");
    // It draws a clock, and has taken nothing in.
    expect(pasted({ screen: UNKNOWN, steady: false, sinceKeyMs: 10_000 })).toBe("stuck");
    expect(pasted({ screen: UNKNOWN, steady: false, resumed: true })).toBe("waits");
  });

  it.each([
    ["$ cat\nDo this first.\nThen that.", "Do this first.\nThen that.\n", true],
    ["│ Do this fir │\n│ st. Then that, and more of it. │", "Do this first.\nThen that, and more of it.", true],
    ["> [Pasted text #1 +40 lines]", "Do this first.", true],
    ["> ", "Do this first.", false],
    ["12:00:01\n12:00:02", "Do this first.", false],
    ["> hi", "hi", true],
  ])("on the screen %j is %j: %j", (screen, text, shown) => expect(isShownOn(screen, text)).toBe(shown));

  it.each([
    ["the box is empty again", READY, null],
    ["its turn is over already", at("done", ""), null],
    ["its turn has failed already", at("error", ""), null],
    ["the program is at work", WORKING, null],
    ["the program is at work with an empty box", at("working", ""), null],
    ["the program asks something", WAITING, null],
    ["an unknown program moves", UNKNOWN, false],
  ])("is submitted when %s", (_, screen, steady) => {
    expect(pasted({ enters: 1, sinceKeyMs: 600, screen, steady })).toBe("submitted");
  });

  it("is not submitted while it stands in the box of a program at work, or while nothing is known", () => {
    expect(pasted({ enters: 1, sinceKeyMs: 600, screen: at("working", "a text") })).toBe("wait");
    expect(pasted({ enters: 1, sinceKeyMs: 600, screen: UNKNOWN })).toBe("wait");
  });

  it("of another attempt is not typed again: Enter where it still stands, nothing where it is gone", () => {
    expect(pasted({ resumed: true })).toBe("enter");
    expect(pasted({ resumed: true, screen: READY })).toBe("submitted");
    expect(next({ mark: submittedMark("t") })).toBe("submitted");
    expect(next({ mark: submittedMark("another") })).toBe("paste");
  });

  it("of another attempt is known by its words, however they are wrapped; a person's own are left alone", () => {
    const text = "one two three\nfour";
    expect(pasted({ resumed: true, text, screen: at("ready", "three\n  four") })).toBe("enter");
    expect(pasted({ resumed: true, text, screen: at("ready", "[Pasted ~2 lines]") })).toBe("enter");
    expect(pasted({ resumed: true, text, screen: at("ready", "something else") })).toBe("waits");
  });

  it.each(["waiting", "trust", "login"] as const)(
    "is never followed by Enter at a %s: that would be an answer",
    (state) => {
      expect(pasted({ screen: at(state) })).toBe("waits");
      expect(pasted({ screen: at(state), resumed: true })).toBe("waits");
    },
  );

  it("waits with Enter while the program has gone to work by itself", () => {
    expect(pasted({ screen: at("working", "a text"), sinceKeyMs: 10_000 })).toBe("waits");
  });
});
