import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fenced } from "./fenced.ts";
import { fnv1a64, uuidOf } from "./hash.ts";
import { tooDeep } from "./json-depth.ts";
import { parseObject } from "./json-fields.ts";
import { LineCutter } from "./lines.ts";
import { isInside } from "./paths.ts";
import { printable } from "./printable.ts";
import { readYaml } from "./read-yaml.ts";
import { redact } from "./redact.ts";
import { splitWords } from "./words.ts";

describe("splitWords", () => {
  it.each([
    ["my-agent --flag", ["my-agent", "--flag"]],
    ["  a   b ", ["a", "b"]],
    [`a "b c" 'd "e'`, ["a", "b c", `d "e`]],
    [`a\\ b "c\\"d" '' `, ["a b", `c"d`, ""]],
    ["$(id) `x` ; |", ["$(id)", "`x`", ";", "|"]],
    ["", []],
  ])("%s", (line, words) => expect(splitWords(line)).toEqual(words));
});

describe("LineCutter", () => {
  it("gives the same lines however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string().map((line) => line.replaceAll("\n", " "))),
        fc.array(fc.nat(20)),
        (lines, cuts) => {
          const text = lines.map((line) => `${line}\n`).join("");
          const cutter = new LineCutter(1000);
          const out: string[] = [];
          let at = 0;
          for (const size of cuts) {
            out.push(...cutter.push(text.slice(at, at + size)));
            at += size;
          }
          out.push(...cutter.push(text.slice(at)), ...cutter.end());
          expect(out).toEqual(lines);
        },
      ),
    );
  });
  it("cuts a line that is too long, and is whole again at the next", () => {
    const cutter = new LineCutter(4);
    expect([...cutter.push("abcdefgh"), ...cutter.push("ijk\nok\n"), ...cutter.end()]).toEqual(["abcd", "ok"]);
  });
  it("does not take U+2028 for a newline", () => expect(new LineCutter(99).push("a\u2028b\n")).toEqual(["a\u2028b"]));
});

describe("tooDeep", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  it("counts brackets and braces", () =>
    expect([tooDeep(nested(64), 64), tooDeep(nested(65), 64), tooDeep(`{"a":${nested(64)}}`, 64)]).toEqual([
      false,
      true,
      true,
    ]));
  it("does not count what stands in strings", () => expect(tooDeep(JSON.stringify(['[[[["\\"[[[[']), 2)).toBe(false));
});

it("keeps configured names below their folder", () => {
  expect([".env", "a/b", "./a", "a/./b"].map(isInside)).toEqual([true, true, true, true]);
  expect(["/etc/passwd", "../x", "a/../../b", "", ".", "./"].map(isInside)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ]);
});

it("lets no control character reach a terminal", () => {
  expect(printable("a\u001b[31mb\u0007\u009b\u202ec\n\td")).toBe("a�[31mb���c\n\td");
});

it("takes every secret out of a text", () => {
  expect(redact("x tok-1 y tok-2 tok-1", ["tok-1", "tok-2", ""])).toBe("x [redacted] y [redacted] [redacted]");
});

it.each([
  ["", "cbf29ce484222325"],
  ["a", "af63dc4c8601ec8c"],
  ["foobar", "85944171f73967e8"],
])("hashes %j as everybody does", (text, hash) => expect(fnv1a64(text)).toBe(hash));

it("fences a text with more marks than it has, however many", () => {
  expect(fenced("a ```` b")).toBe("`````\na ```` b\n`````");
  expect(fenced("`a".repeat(500_000)).startsWith("```\n")).toBe(true);
});

describe("parseObject", () => {
  const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  it("takes what programs write", () => expect(parseObject(' {"a":1}')).toEqual({ a: 1 }));
  it.each(["", "text", "[1]", "null", '"a"', "{", nested(100_000)])("is nothing for %.20j", (line) =>
    expect(parseObject(line)).toBe(null),
  );
});

describe("readYaml", () => {
  it.each([
    ["a: 1\nb: {c: 2}\na: 3\n", 'it has the key "a" twice'],
    ["a: {b: 1, b: 2}\n", 'it has the key "b" twice'],
    [`a: ${"[".repeat(5_000)}`, "it nests too deeply"],
    ["- ".repeat(5_000), "it nests too deeply"],
    [`a: [${"'a':".repeat(3_000)}`, "it nests too deeply"],
    [`a: &a x\n${Array.from({ length: 11 }, (_, i) => `k${i}: *a\n`).join("")}`, "it has more than 10 aliases"],
    ["a".repeat(20_000), "it is longer than 16 KB"],
  ])("%#: says why not", (text, why) => expect(readYaml(text)).toBe(why));
  it("says what the library says otherwise", () => expect(readYaml("a: [b\n")).toMatch(/^Flow sequence/));
});

it("makes the same UUID of the same text, and another of another", () => {
  expect(uuidOf("s.a.1")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const [one, again, other] = ["s.a.1", "s.a.1", "s.a.2"].map(uuidOf);
  expect([one === again, one === other]).toEqual([true, false]);
});
