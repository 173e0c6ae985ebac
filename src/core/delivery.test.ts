import { describe, expect, it } from "vitest";
import { nextKey, pastedMark, submittedMark, type Typing } from "./delivery.ts";
import type { Screen } from "./screen.ts";

const READY: Screen = { state: "ready", box: "", prompt: null };
const FULL: Screen = { state: "ready", box: "a text", prompt: null };
const WORKING: Screen = { state: "working", box: null, prompt: null };
const WAITING: Screen = { state: "waiting", box: null, prompt: null };
const UNKNOWN: Screen = { state: "unknown", box: null, prompt: null };

const at = (over: Partial<Typing>) =>
  nextKey({ tag: "t", mark: "", screen: READY, steady: true, resumed: false, enters: 0, sinceKeyMs: 10_000, ...over });
const pasted = (over: Partial<Typing>) => at({ mark: pastedMark("t"), screen: FULL, ...over });

describe("a text", () => {
  it.each([
    ["an empty box at the prompt", READY, true, "paste"],
    ["a box with something in it", FULL, true, "waits"],
    ["a program at work", WORKING, true, "waits"],
    ["a question on the screen", WAITING, true, "waits"],
    ["a bare shell", { ...UNKNOWN, state: "shell" } as Screen, true, "waits"],
    ["an unknown program that stands still", UNKNOWN, true, "paste"],
    ["an unknown program that moves", UNKNOWN, false, "waits"],
  ])("before %s: %s", (_, screen, steady, key) => expect(at({ screen, steady })).toBe(key));

  it("is given time to be taken for a paste, then Enter, then time again, then one more Enter, then it is stuck", () => {
    expect(pasted({ sinceKeyMs: 100 })).toBe("wait");
    expect(pasted({ sinceKeyMs: 600 })).toBe("enter");
    expect(pasted({ enters: 1, sinceKeyMs: 1_000 })).toBe("wait");
    expect(pasted({ enters: 1, sinceKeyMs: 3_000 })).toBe("enter");
    expect(pasted({ enters: 2, sinceKeyMs: 3_000 })).toBe("stuck");
  });

  it.each([
    ["the box is empty again", READY, true],
    ["the program is at work", WORKING, true],
    ["the program asks something", WAITING, true],
    ["an unknown program moves", UNKNOWN, false],
  ])("is submitted when %s", (_, screen, steady) => {
    expect(pasted({ enters: 1, sinceKeyMs: 600, screen, steady })).toBe("submitted");
  });

  it("of another attempt is not typed again: Enter where it still stands, nothing where it is gone", () => {
    expect(pasted({ resumed: true })).toBe("enter");
    expect(pasted({ resumed: true, screen: READY })).toBe("submitted");
    expect(at({ mark: submittedMark("t") })).toBe("submitted");
    expect(at({ mark: submittedMark("another") })).toBe("paste");
  });

  it("is never followed by Enter while the program asks something: that would be an answer", () => {
    expect(pasted({ screen: WAITING })).toBe("waits");
  });
});
