import fc from "fast-check";
import { expect, it } from "vitest";
import { blankTokens, blankTokensIn, TOKEN_PREFIX } from "./token-words.ts";

const token = `${TOKEN_PREFIX}${"A1-_".repeat(8)}`;
const isToken = (word: string) => word === token;

it.each([
  [`http://127.0.0.1:1/a/${token}/publish`, "http://127.0.0.1:1/a/[redacted]/publish"],
  [`\u001b[31m${token}${token}x`, "\u001b[31m[redacted][redacted]x"],
  [`bm_bm_${token}`, "bm_bm_[redacted]"],
  [token.slice(0, -1), token.slice(0, -1)],
  ["bm_ no token", "bm_ no token"],
])("%#: nothing of a token is left", (text, blanked) => expect(blankTokens(text, isToken)).toBe(blanked));

it("finds it wherever it stands", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("b", "m", "_", "A", "/", " ") }), fc.string(), (before, after) => {
      expect(blankTokens(before + token + after, isToken)).not.toContain(token);
    }),
  );
});

it("asks about so many words and no more; the rest is blanked unasked", () => {
  let asked = 0;
  const text = `${TOKEN_PREFIX}${"x".repeat(32)} `.repeat(10_000);
  const blanked = blankTokens(text, () => ++asked < 0);
  expect([asked, blanked.split("[redacted]").length - 1]).toEqual([200, 9_800]);
});

it("looks into every text of a value", () => {
  expect(blankTokensIn({ a: [token, { b: token }], c: 1, d: null }, isToken)).toEqual({
    a: ["[redacted]", { b: "[redacted]" }],
    c: 1,
    d: null,
  });
});
