import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob.ts";

describe("a glob", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/*.ts", "src/.a.ts", true],
    ["src/**", "src/b/.a.ts", true],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/b/c/a.ts", true],
    ["src/**/*.ts", "lib/a.ts", false],
    ["**/test/**/*.ts", "a/test/b/test/c.ts", true],
    ["**/a/**/b", "a/a/a/c", false],
    ["a/**/b/**/c", "a/b/x/b/y/c", true],
    ["src/?.ts", "src/é.ts", true],
    ["src/?.ts", "src/ab.ts", false],
    ["src/[ab].ts", "src/b.ts", true],
    ["src/[!a-c].ts", "src/b.ts", false],
    ["src/[^a-c].ts", "src/d.ts", true],
    ["src/[].ts", "src/[].ts", true],
    ["src/[a.ts", "src/[a.ts", true],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
    ["a*a", "a", false],
    ["a*bc*c", "abc", false],
    ["?*é*?", "xéx", true],
    ["a?*b", "ab", false],
    ["{src,lib}/*.{ts,js}", "lib/a.js", true],
    ["{src,lib}/*.{ts,js}", "lib/a.md", false],
    ["src/{a,b{c,d}}.ts", "src/bd.ts", true],
    ["src/{id}.ts", "src/{id}.ts", true],
    ["src/(a|b).ts", "src/a.ts", false],
    ["!a*", "!ab", true],
  ])("%j matches %j: %s", (glob, path, expected) => expect(compileGlob(glob).matches(path)).toBe(expected));

  it.each([
    ["src/**/*.ts", "src/lib/", true],
    ["**/*.ts", "src", true],
    ["src/*.ts", "src/", true],
    ["src/*.ts", "src/lib/", false],
    ["*.md", "Makefile", false],
    ["src/**", "docs/", false],
    ["{docs,src}/*", "docs/", true],
  ])("%j reaches into %j: %s", (glob, folder, expected) =>
    expect(compileGlob(glob).reachesInto(folder)).toBe(expected),
  );

  it("says the same as its meaning spelled out, for every word of a and b", () => {
    const words = fc.array(fc.constantFrom("a", "b", "*", "?", "/"), { maxLength: 7 }).map((each) => each.join(""));
    const names = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 7 }).map((each) => each.join(""));
    fc.assert(
      fc.property(words, names, (glob, path) => {
        fc.pre(!glob.includes("**"));
        const meaning = new RegExp(`^${glob.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}$`);
        expect(compileGlob(glob).matches(path)).toBe(meaning.test(path));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is answered at once whatever an agent writes", () => {
    const name = "a".repeat(250);
    const hostile = [
      `${"*a".repeat(100)}*b`,
      `(a+)+${"*".repeat(50)}b`,
      `+(a|aa)+(a|aa)*b`,
      `${"**/".repeat(80)}b`,
      `${"{a,b}".repeat(50)}*`,
      `${"{".repeat(120)}*`,
      `*${"a".repeat(70_000)}`,
    ];
    for (const glob of hostile) expect(compileGlob(glob).matches(`${name}/${"a/".repeat(100)}${name}`)).toBe(false);
  });
});
