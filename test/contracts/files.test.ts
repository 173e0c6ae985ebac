import { execFileSync, spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
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
    await files.write(`${root}/from/d/f`, "x", 0o644);
    await files.write(`${root}/to/README`, "x", 0o644);
    const copy = (name: string) => files.copyInside(`${root}/from`, `${root}/to`, name);
    expect([await copy("d"), await copy("d"), await copy("none")]).toEqual([true, false, false]);
    expect([await files.read(`${root}/to/d/f`), await files.list(`${root}/to`)]).toEqual(["x", ["README", "d"]]);
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
    const [secret, other] = [`bm_${"s".repeat(32)}`, `bm_${"o".repeat(32)}`];
    const isSecret = (word: string) => word === secret;
    expect(await files.blank(`${root}/none`, 0, isSecret)).toBe(0);
    await files.write(`${root}/log`, `a ${secret} b ${other}\n`, 0o600);
    const end = await files.blank(`${root}/log`, 0, isSecret);
    expect([end, await files.read(`${root}/log`)]).toEqual([76, `a ${"*".repeat(35)} b ${other}\n`]);
    expect(await files.blank(`${root}/log`, end, isSecret)).toBe(76);
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
      await kindOf(files.copyInside(`${root}/worktree`, second, ".banksman/brief.md")),
      await kindOf(files.linkInside(`${root}/worktree`, second, ".banksman/link")),
    ]).toEqual(["file.failed", "file.failed", "file.failed", "file.failed"]);
    expect(await files.list(`${root}/outside`)).toEqual(["f"]);
  });

  describe("reads of a repository", () => {
    const repository = async () => {
      const { files, root: home } = make();
      const root = `${home}/repository`;
      for (const [name, text] of [
        ["repository/docs/a.md", "a"],
        ["repository/.git/config", "token"],
        ["repository/.env", "secret"],
        ["repository/.npmrc", "registry"],
        ["outside/secret.md", "outside"],
      ] as const)
        await files.write(`${home}/${name}`, text, 0o644);
      const link = (target: string, name: string) => files.linkInside(`${home}/${target}`, root, name);
      return { files, root, link };
    };

    it("what lies there, also by links that stay there", async () => {
      const { files, root, link } = await repository();
      await link("repository/docs", "handbook");
      await link("repository/docs/a.md", "b.md");
      const read = (name: string) => files.readInside(root, name);
      expect([
        await read("docs/a.md"),
        await read("./docs//a.md"),
        await read("handbook/a.md"),
        await read("b.md"),
      ]).toEqual(["a", "a", "a", "a"]);
      expect([await read("none"), await read("none/below"), await read(".npmrc")]).toEqual([null, null, "registry"]);
      expect([await files.listInside(root, "handbook"), await files.listInside(root, "none")]).toEqual([["a.md"], []]);
      expect(await files.peekInside(root, "b.md", 10)).toEqual({ text: "a", bytes: 1, truncated: false });
      expect(await files.peekInside(root, ".npmrc", 3)).toEqual({ text: "reg", bytes: 8, truncated: true });
    });

    it("and nothing that lies elsewhere, is git's own or is a secret", async () => {
      const { files, root, link } = await repository();
      await link("outside/secret.md", "out.md");
      await link("outside", "out");
      await link("repository/.git/config", "config.md");
      await link("repository/.git", "git");
      await link("repository/.env", "env.md");
      for (const name of [
        ...["out.md", "out/secret.md", "config.md", "git/config", "env.md", ".git/config", ".GIT/config"],
        ...["../outside/secret.md", "docs/../../outside/secret.md", "/etc/passwd", "docs", "docs/"],
      ]) {
        expect([name, await kindOf(files.readInside(root, name))]).toEqual([name, "path.refused"]);
        expect([name, await kindOf(files.digestInside(root, name))]).toEqual([name, "path.refused"]);
        expect([name, await kindOf(files.peekInside(root, name, 10))]).toEqual([name, "path.refused"]);
      }
      for (const name of ["out", "git", "..", "/etc", ".git"])
        expect([name, await kindOf(files.listInside(root, name))]).toEqual([name, "path.refused"]);
    });

    it("tell by a digest whether a file, or a part of it, is another one", async () => {
      const { files, root } = await repository();
      const digest = (part?: (text: string) => string) => files.digestInside(root, "docs/a.md", part);
      const [whole, part] = [await digest(), await digest((text) => text.slice(1))];
      expect([whole, part].map((each) => /^[0-9a-f]{64}$/.test(each ?? ""))).toEqual([true, true]);
      await files.write(`${root}/docs/a.md`, "b", 0o644);
      expect([(await digest()) === whole, (await digest((text) => text.slice(1))) === part]).toEqual([false, true]);
      expect(await files.digestInside(root, "none")).toBe(null);
    });

    it("and copies of it go through no link either", async () => {
      const { files, root, link } = await repository();
      await link("outside", ".pi");
      await files.write(`${root}/../worktree/README`, "x", 0o644);
      expect(await kindOf(files.copyInside(root, `${root}/../worktree`, ".pi/secret.md"))).toBe("file.failed");
    });

    it("and logs are appended to where no link leads", async () => {
      const { files, root, link } = await repository();
      const log = (name: string) => kindOf(files.makeLogInside(root, name));
      expect([await log(".banksman/logs/s/a.log"), await log(".banksman/logs/s/a.log")]).toEqual(["ok", "ok"]);
      await link("outside/secret.md", ".banksman/logs/s/b.log");
      await link("repository/docs", ".banksman/logs/t");
      expect([await log(".banksman/logs/s/b.log"), await log(".banksman/logs/t/a.log"), await log("docs")]).toEqual([
        "file.failed",
        "file.failed",
        "file.failed",
      ]);
      expect(await files.listInside(root, "docs")).toEqual(["a.md"]);
    });
  });
});

describe("system files", () => {
  it("are regular and of a bounded size, and nobody waits for others", async () => {
    const root = temp();
    execFileSync("mkfifo", [join(root, "pipe")]);
    writeFileSync(join(root, "huge"), "");
    truncateSync(join(root, "huge"), 5 * 1024 * 1024);
    for (const [name, target] of [
      ["environ", "/proc/self/environ"],
      ["root", "/proc/self/root"],
      ["zero", "/dev/zero"],
      ["loop", "loop"],
      ["to-pipe", "pipe"],
    ] as const)
      symlinkSync(target, join(root, name));
    const names = ["pipe", "to-pipe", "huge", "environ", "root/etc/passwd", "zero", "loop"];
    for (const name of names)
      expect([name, await kindOf(systemFiles.readInside(root, name))]).toEqual([name, "path.refused"]);
    expect(await kindOf(systemFiles.read(join(root, "pipe")))).toBe("file.failed");
    expect(await kindOf(systemFiles.read("/dev/zero"))).toBe("file.failed");
    expect(await kindOf(systemFiles.makeLogInside(root, "pipe"))).toBe("file.failed");
    expect(await kindOf(systemFiles.blank(join(root, "pipe"), 0, () => false))).toBe("file.failed");
    writeFileSync(join(root, "twice"), "");
    linkSync(join(root, "twice"), join(root, "again"));
    expect(await kindOf(systemFiles.makeLogInside(root, "twice"))).toBe("file.failed");
  });
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
