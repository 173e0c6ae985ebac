import { describe, expect, it } from "vitest";
import { askedPath } from "./asked-path.ts";

describe("a path that is asked for", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src//a.ts", "src/a.ts"],
    ["src/", "src"],
    [".", ""],
    ["", ""],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
    [".env.example", ".env.example"],
    ["a..b/c", "a..b/c"],
  ])("%j is %j", (asked, path) => {
    expect(askedPath(asked)).toEqual({ path });
  });

  it.each([
    ["/etc/passwd", /relative/],
    ["~/.ssh/config", /relative/],
    ["C:\\secrets", /relative/],
    ["../other", /leads out/],
    ["src/../../other", /leads out/],
    [".git/config", /git's own/],
    ["sub/.GIT/config", /git's own/],
    [".git./config", /git's own/],
    [".env", /secrets/],
    ["deploy/prod.PEM", /secrets/],
    ["id_rsa/x", /secrets/],
    ["a\0b", /NUL/],
  ])("%j is refused", (asked, why) => {
    expect(askedPath(asked)).toMatchObject({ kind: "path.refused", why: expect.stringMatching(why) });
  });
});
