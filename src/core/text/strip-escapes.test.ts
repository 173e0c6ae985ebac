import fc from "fast-check";
import { expect, it } from "vitest";
import { stripEscapes } from "./strip-escapes.ts";

it.each([
  ["plain", "plain"],
  ["\u001b[1;32mgreen\u001b[0m", "green"],
  ["\u001b]0;title\u0007text", "text"],
  ["\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a\u001b(Bb\u001b=c", "abc"],
  ["one\r\ntwo\r\n", "one\ntwo\n"],
  ["50%\r100%\n", "100%\n"],
  ["a\r\r\nb\r\r", "a\nb"],
  ["1\r2\r3\r\n", "3\n"],
  ["cut \u001b[3", "cut "],
  ["cut \u001b", "cut "],
])("%j becomes %j", (text, stripped) => expect(stripEscapes(text)).toBe(stripped));

it("leaves no escape, whatever comes", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\u001b", "[", "]", "m", "a", "\u0007", "\\", "0", ";", "P") }),
      (text) => !stripEscapes(text).includes("\u001b"),
    ),
  );
});

it("takes a time that grows with the text and not with its square", () => {
  const nasty = "\u001b]".repeat(200_000);
  expect(stripEscapes(nasty)).toBe("");
});
