import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { realPath } from "./real-path.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bm-real-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("follows links as the kernel does, also to what is not there", () => {
  mkdirSync(join(folder, "a/b"), { recursive: true });
  symlinkSync("a/b", join(folder, "in"));
  symlinkSync("/etc", join(folder, "out"));
  symlinkSync("../gone", join(folder, "a/dangling"));
  symlinkSync("loop", join(folder, "loop"));
  const real = (path: string) => realPath(`${folder}/${path}`).replace(folder, "");
  expect(["a/./b//x", "in/new", "in/../y", "out/hosts", "out/../x", "a/dangling/z", "a/../../x"].map(real)).toEqual([
    "/a/b/x",
    "/a/b/new",
    "/a/y",
    "/etc/hosts",
    "/x",
    "/gone/z",
    real("../x"),
  ]);
  expect(real("loop/x")).not.toContain("loop");
});
