import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Region } from "../claims/claim.ts";
import { covers, meet, normalPath } from "../claims/claim-paths.ts";
import { normalName, shareRegions } from "../claims/regions.ts";

describe("paths", () => {
  it.each([
    ["./a.ts", "a.ts"],
    ["src//a.ts", "src/a.ts"],
    ["src/./a.ts", "src/a.ts"],
    ["src/", "src/"],
    ["./src/", "src/"],
    [" src/a.ts ", "src/a.ts"],
  ])("%j is %j", (written, path) => expect(normalPath(written)).toBe(path));

  it.each([
    ["src/a.ts", "src/a.ts", true],
    ["src/", "src/a.ts", true],
    ["src", "src/a.ts", true],
    ["src", "srcs/a.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**", "src/b/.a.ts", true],
    ["src/a.ts", "src/a.tsx", false],
    ["app/[id]/", "app/[id]/page.tsx", true],
    ["app/[id]/page.tsx", "app/[id]/page.tsx", true],
    ["app/[id]/page.tsx", "app/i/page.tsx", true],
    [".github", ".github/workflows/ci.yml", true],
    ["src/", "src", true],
    ["", "anything", true],
  ])("%j covers %j: %s", (pattern, file, expected) => expect(covers(pattern, file)).toBe(expected));

  it.each([
    ["src/", "src/a.ts", "src/a.ts"],
    ["src/a.ts", "src/", "src/a.ts"],
    ["src/", "src/b/", "src/b/"],
    ["src/*.ts", "src/a.ts", "src/a.ts"],
    ["src/**", "src/*.ts", "src/**"],
    ["src/", "src/**/*.ts", "src/**/*.ts"],
    ["docs/", "src/**", null],
    ["a.ts", "b.ts", null],
    ["src/lib", "src/**/*.ts", "src/**/*.ts"],
    ["src/lib/", "src/*.ts", null],
    ["Makefile", "*.md", null],
    ["app/[id]/a.tsx", "app/[id]/b.tsx", null],
    ["app/[id]/", "app/[id]/b.tsx", "app/[id]/b.tsx"],
    ["app/[id]/a.tsx", "app/**", "app/[id]/a.tsx"],
  ])("%j and %j meet at %j", (a, b, where) => expect(meet(a, b)).toBe(where));

  it("meet is the same from both sides, and survives anything", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(meet(a, b) === null).toBe(meet(b, a) === null);
      }),
    );
  });
});

describe("regions", () => {
  const fn = (name: string): Region => ({ kind: "function", name });
  const lines = (start_line: number, end_line: number): Region => ({ kind: "range", start_line, end_line });
  it.each([
    ["validate_token()", "Validate Token", true],
    ["fn validate_token", "validate-token", true],
    ["foo_bar", "foobar", false],
    ["class Foo", "foo", true],
  ])("%j and %j are one name: %s", (a, b, same) => expect(normalName(a) === normalName(b)).toBe(same));

  it.each([
    [[fn("a")], [fn("b")], null],
    [[fn("a")], [fn("A()")], { words: ["function a"], crossKind: false }],
    [[fn("foo")], [{ kind: "block", anchor: "foo" } as Region], { words: ["function foo"], crossKind: true }],
    [[lines(1, 10)], [lines(8, 20)], { words: ["lines 8–10"], crossKind: false }],
    [[lines(1, 10)], [lines(11, 20)], null],
    [[fn("a")], [lines(1, 10)], { words: ["function a and lines 1–10"], crossKind: true }],
  ])("%j and %j share %j", (a, b, shared) => expect(shareRegions(a, b)).toEqual(shared));
});
