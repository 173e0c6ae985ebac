import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemFiles } from "../../src/adapters/system/files.ts";
import type { Files } from "../../src/ports/files.ts";
import { FakeFiles } from "../fakes/fake-files.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temp(): string {
  const folder = mkdtempSync(join(tmpdir(), "bm-files-"));
  folders.push(folder);
  return folder;
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

interface Ground {
  readonly files: Files;
  readonly root: string;
  /** Somebody goes into a folder, and stays there until the returned function is called. */
  stand(folder: string): () => void;
}

function fake(): Ground {
  const files = new FakeFiles();
  const stand = (folder: string) => {
    files.occupied.add(folder);
    return () => void files.occupied.delete(folder);
  };
  return { files, root: "/root", stand };
}

function system(): Ground {
  const stand = (folder: string) => {
    const child = spawn("sleep", ["1000"], { cwd: folder, stdio: "ignore" });
    return () => void child.kill("SIGKILL");
  };
  return { files: systemFiles, root: temp(), stand };
}

describe.each<readonly [string, () => Ground]>([
  ["fake", fake],
  ["system", system],
])("Files (%s)", (_, make) => {
  it.skipIf(process.platform !== "linux")("tells whether somebody stands in a folder", async () => {
    const { files, root, stand } = make();
    await files.write(`${root}/a/b/c`, "x", 0o600);
    await files.write(`${root}/ab/c`, "x", 0o600);
    const leave = stand(`${root}/a/b`);
    try {
      const used = async (...names: string[]) => Promise.all(names.map((name) => files.inUse(`${root}/${name}`)));
      while (!(await files.inUse(`${root}/a/b`)));
      expect(await used("a", "a/b", "ab", "none")).toEqual([true, true, false, false]);
    } finally {
      leave();
    }
  });
  it("writes where there is no folder yet, and over what is there", async () => {
    const { files, root } = make();
    await files.write(`${root}/a/b/c`, "one", 0o600);
    await files.write(`${root}/a/b/c`, "two", 0o600);
    expect(await files.read(`${root}/a/b/c`)).toBe("two");
    expect(await files.list(`${root}/a/b`)).toEqual(["c"]);
  });
  it("tells what is not there by null and by nothing", async () => {
    const { files, root } = make();
    expect([await files.read(`${root}/x`), await files.list(`${root}/x`)]).toEqual([null, []]);
    await files.remove(`${root}/x`);
  });
  it("copies files and folders once, and only what is there", async () => {
    const { files, root } = make();
    await files.write(`${root}/from/f`, "x", 0o644);
    expect([
      await files.copyInside(`${root}/from`, root, "to"),
      await files.copyInside(`${root}/from`, root, "to"),
      await files.copyInside(`${root}/none`, root, "n"),
    ]).toEqual([true, false, false]);
    expect([await files.read(`${root}/to/f`), await files.list(root)]).toEqual(["x", ["from", "to"]]);
  });
  it("links once, and only to what is there", async () => {
    const { files, root } = make();
    await files.write(`${root}/target/f`, "x", 0o644);
    expect([
      await files.linkInside(`${root}/target`, root, "l"),
      await files.linkInside(`${root}/target`, root, "l"),
      await files.linkInside(`${root}/none`, root, "n"),
    ]).toEqual([true, false, false]);
  });
  it("blanks secrets in what was appended, and nothing else", async () => {
    const { files, root } = make();
    const [secret, other] = ["s".repeat(32), "o".repeat(32)];
    const isSecret = (word: string) => word === secret;
    expect(await files.blank(`${root}/none`, 0, isSecret)).toBe(0);
    await files.write(`${root}/log`, `a ${secret} b ${other}\n`, 0o600);
    const end = await files.blank(`${root}/log`, 0, isSecret);
    expect([end, await files.read(`${root}/log`)]).toEqual([70, `a ${"*".repeat(32)} b ${other}\n`]);
    expect(await files.blank(`${root}/log`, end, isSecret)).toBe(70);
    await files.rotate(`${root}/log`);
    await files.rotate(`${root}/log`);
    expect(await files.list(root)).toEqual(["log.1"]);
  });
  it("removes whole folders", async () => {
    const { files, root } = make();
    await files.write(`${root}/a/b/c`, "x", 0o600);
    await files.remove(`${root}/a`);
    expect(await files.list(root)).toEqual([]);
  });
  it("names the path of what cannot be written", async () => {
    const { files, root } = make();
    await files.write(`${root}/file`, "x", 0o600);
    expect(await kindOf(files.write(`${root}/file/below`, "x", 0o600))).toBe("file.failed");
  });
  it("writes inside a worktree, and through no link out of it", async () => {
    const { files, root } = make();
    await files.write(`${root}/outside/f`, "x", 0o600);
    await files.write(`${root}/worktree/README`, "x", 0o600);
    await files.writeInside(`${root}/worktree`, ".banksman/brief.md", "b", 0o600);
    expect(await files.read(`${root}/worktree/.banksman/brief.md`)).toBe("b");
    await files.write(`${root}/second/README`, "x", 0o600);
    await files.linkInside(`${root}/outside`, `${root}/second`, ".banksman");
    const second = `${root}/second`;
    expect([
      await kindOf(files.writeInside(second, ".banksman/brief.md", "b", 0o600)),
      await kindOf(files.makeInside(second, ".banksman/logs")),
      await kindOf(files.copyInside(`${root}/worktree`, second, ".banksman/copy")),
      await kindOf(files.linkInside(`${root}/worktree`, second, ".banksman/link")),
    ]).toEqual(["file.failed", "file.failed", "file.failed", "file.failed"]);
    expect(await files.list(`${root}/outside`)).toEqual(["f"]);
  });
});

describe("system files", () => {
  it("leave no temporary file, and only the user may read a secret", async () => {
    const root = temp();
    await systemFiles.write(join(root, "token"), "s", 0o600);
    expect([readdirSync(root), statSync(join(root, "token")).mode & 0o777]).toEqual([["token"], 0o600]);
  });
  it("replace a link instead of following it", async () => {
    const root = temp();
    writeFileSync(join(root, "theirs"), "keep");
    mkdirSync(join(root, "w"));
    symlinkSync(join(root, "theirs"), join(root, "w/brief.md"));
    await systemFiles.writeInside(join(root, "w"), "brief.md", "b", 0o600);
    expect([await systemFiles.read(join(root, "theirs")), await systemFiles.read(join(root, "w/brief.md"))]).toEqual([
      "keep",
      "b",
    ]);
  });
});
