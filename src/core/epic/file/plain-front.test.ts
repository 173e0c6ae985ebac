import fc from "fast-check";
import { expect, it } from "vitest";
import { readPlainFront } from "./plain-front.ts";
import { readYamlFront } from "./yaml-front.ts";

const value = fc.oneof(
  fc.constantFrom("queued", "7", "0", "007", "1e3", "0x1f", "true", "Null", "~", "", "|", ">-", "&a b", "*a", "!x y"),
  fc.constantFrom(
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "a  # b",
    "# b",
    "Tïtle, with [x] {y} & more",
    "it's",
    "'q'",
    '"q"',
    '"a\\n"',
  ),
  fc.constantFrom(
    '{"by":"h:1","until":"x"}',
    '{"a":1}',
    '{"a":"b","a":"c"}',
    "{a: b}",
    "[a, b]",
    "x\ty",
    "- a",
    "a:b",
    "a\u2028b",
  ),
  fc.constantFrom(
    "2026-05-08T02:14:00Z",
    "yes",
    "-1",
    ".5",
    "a\n  b",
    "a\n\n",
    "漢字",
    "🚧 x",
    "a\u00a0b",
    "a\u00a0",
    "a\u0085b",
    "@a",
    "a ? b",
    "a - b",
    "a | b",
  ),
  fc.string({ unit: fc.constantFrom(..."ab: #'\"{}[],&*!|>%@`-\\?~0\t") }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("id", "status", "title", "epoch", "a-b", "a_1") },
  { weight: 1, arbitrary: fc.constantFrom("x y", "true", "null", '"q"', "? a", "__proto__") },
);
const line = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(key, fc.constantFrom(": ", ": ", ": ", ":  ", ":", ":\t"), value, fc.constantFrom("", "", " ", "  # c"))
      .map((some) => some.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "# c", "words", "...", "  a: b") },
);
const front = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom("\n", "\r\n"))
  .map(([bom, lines, eol]) => `${bom}${["---", ...lines, "---", "body", ""].join(eol)}`);

it("reads what YAML reads, or nothing", () => {
  let plain = 0;
  const check = (text: string) => {
    const read = readPlainFront(text);
    if (read === null) return;
    plain++;
    expect(read).toEqual(readYamlFront(text));
  };
  fc.assert(fc.property(front, check), { numRuns: 30_000 });
  expect(plain).toBeGreaterThan(1000);
});

it("reads what a tick writes and the guide shows", () => {
  const text = [
    ...[
      "---",
      "id: auth-epic",
      "title: Sign-in without passwords",
      "status: queued            # inbox | ready",
      "epoch: 1",
    ],
    ...['lease: {"by":"host:7","until":"2026-05-08T02:14:00.000Z"}', 'halted: "recurring: verify_fail"', "---", ""],
  ].join("\n");
  expect(readPlainFront(text)?.fields).toEqual({
    ...{ id: "auth-epic", title: "Sign-in without passwords", status: "queued", epoch: 1 },
    ...{ lease: { by: "host:7", until: "2026-05-08T02:14:00.000Z" }, halted: "recurring: verify_fail" },
  });
});
