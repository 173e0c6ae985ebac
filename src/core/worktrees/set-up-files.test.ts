import { describe, expect, it } from "vitest";
import { isTrusted, LEADS_OUT, obeyedPart, UNREADABLE, unseenIn, whyUnseen, whyUntrusted } from "./set-up-files.ts";

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
  it("get none where one leads out, and a sentence says why, and what helps", () => {
    expect(isTrusted({ ".npmrc": LEADS_OUT }, [{ ".npmrc": LEADS_OUT }])).toBe(false);
    expect(whyUntrusted({ ...A, ".npmrc": LEADS_OUT }, [A], "/w")).toMatch(/^\.npmrc names files outside .*`setup`/);
    expect(whyUntrusted({ ...A, ".npmrc": "3" }, [A], "/w")).toBe(
      "you have not trusted .npmrc; read and allow it with `banksman trust` in /w",
    );
    expect(whyUntrusted(A, [A], "/w")).toBeNull();
  });
  it("in a folder above are seen one by one", () => {
    expect(whyUnseen({ ".npmrc": "1" }, [A], "/r")).toBeNull();
    expect(whyUnseen({ ".npmrc": "9" }, [A], "/r")).toMatch(/not trusted \.npmrc; .* in \/r$/);
  });
  it("are named where they are new", () => {
    expect(unseenIn({ ...A, ".npmrc": "3", constructor: "x" }, [A])).toEqual([".npmrc", "constructor"]);
  });
});
