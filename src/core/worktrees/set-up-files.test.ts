import { describe, expect, it } from "vitest";
import { isTrusted, namedIn, obeyedPart, UNREADABLE, unseenIn } from "./set-up-files.ts";

describe("of a package.json", () => {
  const part = (value: unknown) => obeyedPart("package.json")?.(JSON.stringify(value));
  it("counts what decides over an installation, in whatever order, and nothing else", () => {
    const before = part({ name: "a", dependencies: { x: "1" }, scripts: { test: "vitest" }, packageManager: "yarn@4" });
    expect(part({ packageManager: "yarn@4", dependencies: { x: "1" }, version: "2", scripts: {} })).toBe(before);
    expect(part({ dependencies: { x: "git+ssh://evil/x" }, packageManager: "yarn@4" })).not.toBe(before);
    expect(part({ dependencies: { x: "1" }, packageManager: "yarn@3" })).not.toBe(before);
  });
  it("counts the whole text where it is no object", () => {
    expect(["[]", "null", "no json"].map((text) => obeyedPart("package.json")?.(text))).toEqual([
      "[]",
      "null",
      "no json",
    ]);
  });
  it("and of other files the whole", () => expect(obeyedPart(".npmrc")).toBe(undefined));
});

describe("files that are named", () => {
  it.each([
    ["git=./evil.sh\nregistry=https://x.example/\n", "evil.sh"],
    ["yarnPath: .yarn/releases/yarn-4.cjs\n", ".yarn/releases/yarn-4.cjs"],
    ["plugins:\n  - path: ./tools/plugin.cjs\n", "tools/plugin.cjs"],
    ['yarn-path "tools/yarn.js"\n', "tools/yarn.js"],
    ["const x = require('./hooks/x');\n", "hooks/x.js"],
    ["node-options=--require ./x.js\n", "x.js"],
  ])("in %j are found", (text, name) => expect(namedIn(text)).toContain(name));
  it("never lead out, and are bounded", () => {
    expect(namedIn("git=../evil.sh a=/etc/passwd")).not.toContain("../evil.sh");
    expect(namedIn(Array.from({ length: 5_000 }, (_, i) => `f${i}`).join(" ")).length).toBeLessThan(5_000);
    expect(namedIn("x".repeat(1_000_000))).toEqual([]);
  });
});

describe("a checkout's files", () => {
  const A = { ".npmrc": "1", "package-lock.json": "2" };
  it("are trusted as a whole, and only as they were seen", () => {
    expect(isTrusted(A, [A])).toBe(true);
    expect(isTrusted({ ...A, ".npmrc": "3" }, [A])).toBe(false);
    expect(isTrusted({ ...A, "evil.sh": "4" }, [A])).toBe(false);
    expect(isTrusted({ "package-lock.json": "2" }, [A])).toBe(false);
    expect(
      isTrusted({ ".npmrc": "1", "package-lock.json": "5" }, [A, { ".npmrc": "1", "package-lock.json": "5" }]),
    ).toBe(true);
  });
  it("need no trust where there are none, and get none where one cannot be read", () => {
    expect([isTrusted({}, []), isTrusted({ ".npmrc": UNREADABLE }, [{ ".npmrc": UNREADABLE }])]).toEqual([true, false]);
  });
  it("are named where they are new", () => {
    expect(unseenIn({ ...A, ".npmrc": "3", constructor: "x" }, [A])).toEqual([".npmrc", "constructor"]);
  });
});
