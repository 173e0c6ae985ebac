import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGit } from "../../src/adapters/git/git.ts";
import { locate } from "../../src/adapters/git/locate.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import { IGNORE_FILE, IGNORED } from "../../src/core/clis/sidecar.ts";
import type { Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import type { Command } from "../../src/ports/command.ts";
import type { SaveOrder } from "../../src/ports/git.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { CAN_MOUNT, mountOverItself, unmount } from "../mounting.ts";
import { eventually } from "../stage.ts";

/** Saving, removing, restoring and mending with real git: what is slow, damaged, locked or cut short. */
const repositories: TempRepository[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const repository of repositories.splice(0)) repository.dispose();
});

const A = "feat/a" as Branch;
const REF = "refs/banksman/backup/feat-a/1";

/** A worktree on a new branch; `ran` has the arguments of every git we call. */
async function worked(files: Record<string, string> = { README: "hi\n" }) {
  const repo = new TempRepository(files);
  repositories.push(repo);
  repo.write(repo.root, IGNORE_FILE, IGNORED);
  const place = locate(repo.root);
  if (place === null) throw new Error("not located");
  const ran: string[] = [];
  const real = createCommand("bm-test.command");
  const command: Command = { run: (order) => [ran.push(order.argv.slice(1).join(" ")), real.run(order)][1] as never };
  const git = createGit(command, place, GIT_ENV, join(repo.folder, "excludes"));
  const path = join(repo.root, ".banksman/worktrees/feat-a");
  const from = repo.git("rev-parse", "HEAD") as Commit;
  await git.ensureBranch(A, from);
  await git.addWorktree(path, A);
  await git.fillWorktree(path);
  const order: SaveOrder = { path, branch: A, base: "main" as Branch, branchStays: false, ref: REF, at: 1 as Instant };
  return { repo, git, ran, path, from, order, record: join(repo.root, ".git/worktrees/feat-a") };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { failure?: { kind: string; why?: string; what?: string[] } }) => error.failure,
  );

/** Zero for a folder that is gone. */
const spare = (look: () => number): number => {
  try {
    return look();
  } catch {
    return 0;
  }
};

describe("a prune that runs while a backup is made", () => {
  /** A prune that has looked at all refs, and is held up in the middle of taking loose objects away. */
  async function heldUpPrune(repo: TempRepository): Promise<() => Promise<void>> {
    for (let round = 0; ; round++) {
      const names = Array.from({ length: 3_000 }, (_, i) => join(repo.folder, `g${i}`));
      for (const [i, name] of names.entries()) writeFileSync(name, `garbage ${round} ${i}`);
      repo.gitFed(`${names.join("\n")}\n`, "hash-object", "-w", "--no-filters", "--stdin-paths");
      const child = spawn("git", ["prune", "--expire=now"], { cwd: repo.root, env: GIT_ENV, stdio: "ignore" });
      children.push(child);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const count = (part: string) => spare(() => readdirSync(join(repo.root, ".git/objects", part)).length);
      const [first, last] = [count("00"), count("ff")];
      // It takes them folder by folder: while it is at the first one, all others are still to come.
      for (const end = performance.now() + 20_000; count("00") === first && performance.now() < end; );
      child.kill("SIGSTOP");
      // One that was quicker than us has ended: then with new garbage.
      if (count("ff") !== last) {
        child.kill("SIGCONT");
        await ended;
        continue;
      }
      return async () => {
        child.kill("SIGCONT");
        await ended;
      };
    }
  }

  it("takes nothing from it", async () => {
    const { repo, git, path, order } = await worked();
    for (let i = 0; i < 40; i++) repo.write(path, `new ${i}`, `uncommitted ${i}\n`);
    // Unreachable objects that the backup needs: they are there when it is made, and gone before it is done.
    for (let i = 0; i < 20; i++) repo.gitIn(path, "hash-object", "-w", `new ${i}`);
    const goOn = await heldUpPrune(repo);
    const saved = await git.save(order);
    await goOn();
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "--prune=now", "--quiet");
    repo.git("fsck", "--connectivity-only", "--no-dangling", saved.ref ?? "");
    expect(repo.git("show", `${saved.ref}:new 7`)).toBe("uncommitted 7");
    await git.removeWorktree(path, saved);
    await git.restore({ ref: REF, path, branch: A });
    expect(repo.read(path, "new 39")).toBe("uncommitted 39\n");
  });

  it("leaves neither scratch folders nor marks behind, and takes away what a killed one left", async () => {
    const { repo, git, path, order } = await worked();
    const objects = join(repo.root, ".git/objects");
    const dead = spawnSync("true").pid;
    mkdirSync(join(objects, `banksman-saving-${dead}-0`));
    writeFileSync(join(objects, "pack/pack-0.keep"), `banksman ${dead}\n`);
    writeFileSync(join(objects, "pack/pack-1.keep"), "somebody's\n");
    repo.write(path, "new", "x\n");
    await git.save(order);
    expect(readdirSync(objects).filter((name) => name.startsWith("banksman"))).toEqual([]);
    expect(readdirSync(join(objects, "pack")).filter((name) => name.endsWith(".keep"))).toEqual(["pack-1.keep"]);
  });
});

describe("what git cannot list", () => {
  it("is saved file by file, ignored ones left out, and comes back", async () => {
    const { repo, git, path, order, record } = await worked({ ".gitignore": "*.log\n", kept: "k\n" });
    repo.write(path, "tracked.log", "tracked though ignored\n");
    repo.gitIn(path, "add", "-f", "tracked.log");
    repo.gitIn(path, "commit", "-q", "-m", "work");
    repo.write(path, "new", "n\n");
    repo.write(path, "noise.log", "ignored\n");
    chmodSync(join(path, "kept"), 0o755);
    writeFileSync(join(record, "index"), "not an index");
    expect(await git.unsaved(order)).toEqual({ files: 2, commits: 1 });
    const saved = await git.save(order);
    expect(repo.git("ls-tree", "-r", "--name-only", REF).split("\n")).toEqual([
      ".gitignore",
      "kept",
      "new",
      "tracked.log",
    ]);
    await git.removeWorktree(path, saved);
    await git.restore({ ref: REF, path, branch: A });
    expect([repo.read(path, "new"), repo.read(path, "tracked.log")]).toEqual(["n\n", "tracked though ignored\n"]);
    expect(repo.gitIn(path, "diff", "--summary")).toContain("mode change 100644 => 100755 kept");
  });

  it("keeps a `.git` that somebody wrote, under another name", async () => {
    const { repo, git, path, order } = await worked();
    writeFileSync(join(path, ".git"), "my notes\n");
    expect((await git.unsaved(order)).files).toBe(0);
    const saved = await git.save(order);
    expect(repo.git("show", `${saved.ref}:dot-git`)).toBe("my notes");
    await git.removeWorktree(path, saved);
    expect(existsSync(path)).toBe(false);
  });

  it("is never looked for in the checkout around it", async () => {
    const { repo, git, path, order } = await worked();
    repo.write(repo.root, "of-main", "not the agent's\n");
    rmSync(join(path, ".git"));
    expect(await git.unsaved(order)).toEqual({ files: 0, commits: 0 });
    expect((await failureOf(git.work(path)))?.kind).toBe("worktree.strange");
  });
});

describe("what git would not tell", () => {
  it("is a file of the same size and time, whatever the config says", async () => {
    const { repo, git, path, order } = await worked({ README: "hi\n" });
    repo.git("config", "core.trustctime", "false");
    repo.git("config", "core.checkStat", "minimal");
    const file = join(path, "README");
    // Old enough that git need not doubt its own index.
    utimesSync(file, 1_000_000, 1_000_000);
    repo.gitIn(path, "update-index", "--refresh");
    // Git compares whole seconds of the change time, which nobody can set, and which lags a few milliseconds.
    const nextSecond = (Math.floor(statSync(file).ctimeMs / 1000) + 1) * 1000;
    await eventually(() => Date.now() > nextSecond + 100);
    writeFileSync(file, "no\n");
    utimesSync(file, 1_000_000, 1_000_000);
    expect(repo.gitIn(path, "status", "--porcelain")).toBe("");
    expect(await git.unsaved(order)).toEqual({ files: 1, commits: 0 });
    expect(repo.git("show", `${(await git.save(order)).ref}:README`)).toBe("no");
  });

  it.each([
    ["new", (repo: TempRepository, path: string) => repo.write(path, ".gitignore", "*\n")],
    [
      "changed",
      (repo: TempRepository, path: string) => {
        repo.write(path, ".gitignore", "node_modules/\n*\n");
        repo.gitIn(path, "add", "-f", ".gitignore");
      },
    ],
  ])("is what only a %s ignore file hides: it is work, and what the committed one hides is not", async (_, hide) => {
    const committed: Record<string, string> =
      _ === "new" ? { "src/.gitignore": "out/\n" } : { ".gitignore": "node_modules/\n" };
    const { repo, git, path, order, record } = await worked({ "src/a": "a\n", ...committed });
    repo.write(path, "precious", "p\n");
    repo.write(path, "src/deep/precious", "p\n");
    repo.write(path, _ === "new" ? "src/out/noise" : "node_modules/x/noise", "n\n");
    repo.write(path, "node_modules/x/.gitignore", "lib\n");
    repo.write(path, ".venv/.gitignore", "# Created by a tool\n*\n");
    repo.write(path, ".venv/lib/noise", "n\n");
    hide(repo, path);
    const names = [".gitignore", "precious", "src/deep/precious"];
    const found = async (ref: string) => repo.git("ls-tree", "-r", "--name-only", ref).split("\n");
    const saved = await git.save(order);
    expect(
      (await found(saved.ref ?? "")).filter(
        (name) => !/^(src\/(a|\.gitignore)|node_modules\/x\/.gitignore)$/.test(name),
      ),
    ).toEqual(names);
    // The same where git cannot list it.
    writeFileSync(join(record, "index"), "not an index");
    const plain = await git.save({ ...order, ref: `${REF}-plain`, always: true });
    expect(await found(plain.ref ?? "")).toEqual(await found(saved.ref ?? ""));
    await git.removeWorktree(path, saved);
    expect(existsSync(path)).toBe(false);
  });

  it("is what a repository inside hides in the same way", async () => {
    const { repo, git, path, order } = await worked({ ".gitignore": "deps/\n" });
    repo.git("clone", "-q", repo.root, join(path, "deps/clone"));
    expect(await failureOf(git.unsaved(order))).toBeNull();
    repo.write(path, "deps/clone/.gitignore", "*\n");
    repo.write(path, "deps/clone/precious", "p\n");
    expect(await failureOf(git.unsaved(order))).toMatchObject({ why: "repositories", what: ["deps/clone"] });
  });
});

describe("a worktree that stays says why", () => {
  it("names the repositories inside", async () => {
    const { repo, git, path, order } = await worked({ ".gitignore": "deps/\n" });
    for (const name of ["app", "deps/one"]) {
      mkdirSync(join(path, name), { recursive: true });
      repo.gitIn(join(path, name), "init", "-q");
      repo.write(join(path, name), "x", "1\n");
      repo.commit(join(path, name), "inner");
    }
    expect(await failureOf(git.save(order))).toMatchObject({
      kind: "worktree.stays",
      why: "repositories",
      what: ["app", "deps/one"],
    });
    expect(await failureOf(git.unsaved(order))).toMatchObject({ kind: "worktree.stays" });
  });

  it("runs nothing that a repository inside names", async () => {
    const { repo, git, path, order } = await worked();
    const inner = join(path, "app");
    const canary = join(repo.folder, "canary");
    mkdirSync(inner);
    repo.gitIn(inner, "init", "-q");
    repo.write(inner, ".gitattributes", "* filter=evil\n");
    repo.write(inner, "x", "1\n");
    repo.commit(inner, "inner");
    for (const key of ["filter.evil.clean", "filter.evil.process", "core.fsmonitor", "core.sshCommand"])
      repo.gitIn(inner, "config", key, `touch ${canary}; cat`);
    repo.write(inner, "x", "2\n");
    repo.gitIn(path, "-c", "advice.addEmbeddedRepo=false", "add", "app");
    expect((await failureOf(git.save(order)))?.why).toBe("repositories");
    expect(existsSync(canary)).toBe(false);
  });

  it("does not take a clone for safe whose remote goes with it", async () => {
    const { repo, git, path, order } = await worked({ ".gitignore": "deps/\n" });
    const bare = join(path, "deps/origin.git");
    repo.git("clone", "-q", "--bare", repo.root, bare);
    repo.git("clone", "-q", bare, join(path, "deps/clone"));
    repo.gitIn(bare, "remote", "set-url", "origin", join(path, "deps/clone"));
    expect((await failureOf(git.save(order)))?.what).toEqual(["deps/clone", "deps/origin.git"]);
  });

  it("removes nothing where a repository comes after it was saved", async () => {
    const { repo, git, path, order } = await worked({ ".gitignore": "deps/\n" });
    repo.write(path, "new", "x\n");
    const saved = await git.save(order);
    mkdirSync(join(path, "deps/late"), { recursive: true });
    repo.gitIn(join(path, "deps/late"), "init", "-q");
    repo.write(join(path, "deps/late"), "x", "1\n");
    repo.commit(join(path, "deps/late"), "inner");
    expect((await failureOf(git.removeWorktree(path, saved)))?.kind).toBe("worktree.stays");
    expect(repo.read(path, "new")).toBe("x\n");
  });

  it.skipIf(!CAN_MOUNT)("says so where files cannot be deleted, and keeps git's record", async () => {
    const { repo, git, path, order, record } = await worked();
    repo.write(path, "held/fast", "x\n");
    const saved = await git.save(order);
    mountOverItself(join(path, "held"));
    try {
      const failure = await failureOf(git.removeWorktree(path, saved));
      expect([failure?.kind, existsSync(record)]).toEqual(["worktree.undeletable", true]);
    } finally {
      unmount(join(path, "held"));
    }
    await git.removeWorktree(path, saved);
    expect([existsSync(path), existsSync(record)]).toEqual([false, false]);
  });
});

describe("a checkout that was cut short", () => {
  /** As a full disk leaves it: some files, one of them half, and no index. */
  async function begun() {
    const made = await worked({ a: "aaaa\n", b: "bbbb\n", c: "cccc\n", ".gitignore": "*.log\n" });
    rmSync(join(made.record, "index"));
    rmSync(join(made.path, "c"));
    truncateSync(join(made.path, "b"), 2);
    return made;
  }

  it("is removed without a backup: it holds nobody's work", async () => {
    const { git, path, record } = await begun();
    await git.removeWorktree(path, null);
    expect([existsSync(path), existsSync(record)]).toEqual([false, false]);
  });

  it.each([
    ["another file", "new"],
    ["an ignored file", "x.log"],
    ["a file that was edited", "b"],
  ])("stays where there is %s", async (_, name) => {
    const { repo, git, path } = await begun();
    repo.write(path, name, "somebody's\n");
    expect((await failureOf(git.removeWorktree(path, null)))?.kind).toBe("worktree.changed");
    expect(repo.read(path, name)).toBe("somebody's\n");
  });
});

describe("backups that cannot be read", () => {
  it("hide no other, and are named", async () => {
    const { repo, git, path, order } = await worked();
    repo.write(path, "new", "x\n");
    await git.save(order);
    const home = join(repo.root, ".git/refs/banksman/backup/old");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "nowhere"), `${"1".repeat(40)}\n`);
    writeFileSync(join(home, "empty"), "");
    const damaged = repo.gitFed("", "commit-tree", "-m", "x", "HEAD^{tree}");
    const object = join(repo.root, ".git/objects", damaged.slice(0, 2), damaged.slice(2));
    chmodSync(object, 0o600);
    truncateSync(object, 0);
    writeFileSync(join(home, "damaged"), `${damaged}\n`);
    const { found, unreadable } = await git.backups();
    expect(found.map(({ ref }) => ref)).toEqual([REF]);
    expect(unreadable.map((ref) => ref.split("/").at(-1))).toEqual(["damaged", "empty", "nowhere"]);
  });

  it("are not overwritten by a new one of the same name", async () => {
    const { repo, git, path, order } = await worked();
    mkdirSync(join(repo.root, ".git/refs/banksman/backup/feat-a"), { recursive: true });
    writeFileSync(join(repo.root, ".git", REF), "");
    repo.write(path, "new", "x\n");
    expect((await git.save(order)).ref).toBe(`${REF}-2`);
  });
});

describe("restoring many files", () => {
  it("takes no more processes for many than for few", async () => {
    const counts: number[] = [];
    for (const many of [3, 600]) {
      const { repo, git, path, order, ran } = await worked();
      for (let i = 0; i < many; i++) repo.write(path, `d${i % 50}/f${i}`, `content ${i}\n`);
      const saved = await git.save(order);
      await git.removeWorktree(path, saved);
      const before = ran.length;
      const told: number[] = [];
      await git.restore({ ref: REF, path, branch: A, onProgress: (done) => void told.push(done) });
      counts.push(ran.length - before);
      expect([told[0], told.at(-1), repo.read(path, "d2/f2")]).toEqual([0, many, "content 2\n"]);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  /** A backup of these files, and a restore of it that was cut short before it laid the last ones. */
  async function cutShort() {
    const made = await worked({ README: "hi\n", gone: "g\n" });
    const { repo, git, path, order } = made;
    for (let i = 0; i < 500; i++) repo.write(path, `new/f${i}`, `content ${i}\n`);
    repo.write(path, "README", "edited\n");
    rmSync(join(path, "gone"));
    const saved = await git.save(order);
    await git.removeWorktree(path, saved);
    // What a killed process leaves: the worktree and its record as they are in the middle.
    const kept = [path, made.record].map((folder, i) => [folder, join(repo.folder, `middle-${i}`)] as const);
    const onProgress = (done: number) => {
      if (done === 400) for (const [folder, copy] of kept) execFileSync("cp", ["-a", folder, copy]);
    };
    await git.restore({ ref: REF, path, branch: A, onProgress });
    for (const [folder, copy] of kept) {
      rmSync(folder, { recursive: true });
      renameSync(copy, folder);
    }
    return made;
  }

  it("goes on where it was cut short", async () => {
    const { repo, git, path } = await cutShort();
    expect([existsSync(join(path, "new/f1")), readdirSync(join(path, "new")).length < 500]).toEqual([true, true]);
    truncateSync(join(path, "new/f1"), 3);
    let first = -1;
    const onProgress = (done: number) => {
      if (first === -1) first = done;
    };
    await git.restore({ ref: REF, path, branch: A, onProgress });
    expect(first).toBeGreaterThan(300);
    expect([repo.read(path, "new/f1"), repo.read(path, "new/f499")]).toEqual(["content 1\n", "content 499\n"]);
    expect([repo.read(path, "README"), repo.read(path, "gone")]).toEqual(["edited\n", null]);
    expect((await failureOf(git.restore({ ref: REF, path, branch: A })))?.kind).toBe("worktree.in-use");
  });

  it("overwrites nothing that somebody wrote there meanwhile", async () => {
    const { repo, git, path } = await cutShort();
    repo.write(path, "new/f1", "somebody's words\n");
    const restored = git.restore({ ref: REF, path, branch: A });
    expect(await failureOf(restored)).toMatchObject({ kind: "backup.half-restored", file: "new/f1" });
    expect(repo.read(path, "new/f1")).toBe("somebody's words\n");
  });
});

describe("after a power cut", () => {
  const emptied = (...files: string[]) => {
    for (const file of files) truncateSync(file, 0);
  };
  const mend = (made: Awaited<ReturnType<typeof worked>>, used: boolean) =>
    made.git.mendWorktree({ path: made.path, branch: A, from: made.from, used });

  it("links a worktree again, and fills it where nobody has worked", async () => {
    const made = await worked();
    const { repo, git, path, record } = made;
    emptied(
      ...["HEAD", "gitdir", "commondir", "locked", "index"].map((name) => join(record, name)),
      join(path, ".git"),
    );
    emptied(join(path, "README"), join(repo.root, ".git/refs/heads/feat/a"));
    expect(await git.worktreeState(path, A)).toBe("broken");
    expect((await mend(made, false)).join()).toMatch(/branch.*link.*index/);
    expect(await git.worktreeState(path, A)).toBe("empty");
    await git.fillWorktree(path);
    expect([repo.read(path, "README"), repo.gitIn(path, "status", "--porcelain")]).toEqual(["hi\n", ""]);
    expect(repo.git("worktree", "list", "--porcelain")).toContain("locked banksman");
  });

  it("makes the index of a used one again, and gives emptied files their content back, no others", async () => {
    const made = await worked({ README: "hi\n", edited: "0\n", blank: "" });
    const { repo, git, path, record } = made;
    repo.write(path, "edited", "1\n");
    repo.write(path, "new", "n\n");
    emptied(join(record, "index"), join(path, "README"));
    expect(await git.worktreeState(path, A)).toBe("broken");
    expect((await mend(made, true)).join()).toMatch(/checked out again: README$/);
    expect(["README", "edited", "new", "blank"].map((name) => repo.read(path, name))).toEqual([
      "hi\n",
      "1\n",
      "n\n",
      "",
    ]);
    expect(repo.gitIn(path, "status", "--porcelain").split("\n")).toEqual([" M edited".trim(), "?? new"]);
  });

  it("gives files back that were emptied although the index is sound, and not those that somebody emptied", async () => {
    const made = await worked({ cut: "c\n", emptied: "e\n" });
    const { repo, path } = made;
    const { atime, mtime } = statSync(join(path, "cut"));
    emptied(join(path, "cut"), join(path, "emptied"));
    utimesSync(join(path, "cut"), atime, mtime);
    utimesSync(join(path, "emptied"), atime, new Date(mtime.getTime() + 60_000));
    expect(await mend(made, true)).toEqual(["files that a power cut had emptied were checked out again: cut"]);
    expect([repo.read(path, "cut"), repo.read(path, "emptied")]).toEqual(["c\n", ""]);
    expect(await mend(made, true)).toEqual([]);
  });

  it("puts a branch to the last commit that can be read", async () => {
    const made = await worked();
    const { repo, git, path } = made;
    repo.write(path, "one", "1\n");
    const whole = repo.commit(path, "one");
    repo.write(path, "two", "2\n");
    const lost = repo.commit(path, "two");
    const object = join(repo.root, ".git/objects", lost.slice(0, 2), lost.slice(2));
    chmodSync(object, 0o600);
    emptied(object);
    expect(await git.worktreeState(path, A)).toBe("broken");
    await mend(made, true);
    expect([repo.git("rev-parse", "feat/a"), repo.read(path, "two")]).toEqual([whole, "2\n"]);
    repo.gitIn(path, "add", "two");
    repo.gitIn(path, "commit", "-q", "-m", "again");
  });

  it("makes a branch again whose file is empty", async () => {
    const { repo, git, from } = await worked();
    mkdirSync(join(repo.root, ".git/refs/heads/feat"), { recursive: true });
    writeFileSync(join(repo.root, ".git/refs/heads/feat/b"), "");
    await git.ensureBranch("feat/b" as Branch, from);
    expect(repo.git("rev-parse", "feat/b")).toBe(from);
  });

  it("gives a worktree without its link the link back, and touches none whose link is another's", async () => {
    const made = await worked();
    const { git, path } = made;
    rmSync(join(path, ".git"));
    expect(await git.worktreeState(path, A)).toBe("broken");
    await mend(made, true);
    expect(await git.worktreeState(path, A)).toBe("filled");
    rmSync(join(path, ".git"));
    mkdirSync(join(path, ".git"));
    expect(await git.worktreeState(path, A)).toBe("absent");
    expect((await failureOf(git.addWorktree(path, A)))?.kind).toBe("worktree.strange");
  });

  it("keeps what only the record of a deleted worktree holds when it is made again", async () => {
    const { repo, git, path } = await worked();
    repo.gitIn(path, "checkout", "-q", "--detach");
    repo.write(path, "lost", "?\n");
    const lost = repo.commit(path, "on no branch");
    rmSync(path, { recursive: true });
    await git.addWorktree(path, A);
    const { found } = await git.backups();
    expect(repo.git("merge-base", "--is-ancestor", lost, found[0]?.ref ?? "")).toBe("");
    expect(await git.worktreeState(path, A)).toBe("empty");
  });
});

describe.skipIf(process.platform !== "linux")("locks", () => {
  it("that nobody holds are removed, and no others", async () => {
    const { repo, git, path, record } = await worked();
    const index = join(record, "index.lock");
    const branch = join(repo.root, ".git/refs/heads/feat/a.lock");
    for (const lock of [index, branch]) writeFileSync(lock, "");
    writeFileSync(join(repo.root, ".git/index.lock"), "");
    expect(await git.clearLocks(path, A)).toEqual([index, branch]);
    expect([existsSync(index), existsSync(join(repo.root, ".git/index.lock"))]).toEqual([false, true]);
    expect(await git.clearLocks(path, A)).toEqual([]);
  });

  it("that a git holds while its editor is open stay", async () => {
    const { repo, git, path, record } = await worked();
    repo.write(path, "README", "edited\n");
    const env = { ...GIT_ENV, GIT_EDITOR: "sleep 1000; true" };
    const child = spawn("git", ["commit", "-a"], { cwd: path, env, stdio: "ignore", detached: true });
    children.push(child);
    await eventually(() => existsSync(join(record, "index.lock")));
    expect(await git.clearLocks(path, A)).toEqual([]);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    await eventually(async () => (await git.clearLocks(path, A)).length > 0 || !existsSync(join(record, "index.lock")));
    expect(existsSync(join(record, "index.lock"))).toBe(false);
  });

  it("that any program has open stay", async () => {
    const { git, path, record } = await worked();
    const lock = join(record, "index.lock");
    const child = spawn("sh", ["-c", `exec 9>'${lock}'; echo ready; exec sleep 1000`], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    children.push(child);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    expect([await git.clearLocks(path, A), existsSync(lock)]).toEqual([[], true]);
    expect(readFileSync(lock, "utf8")).toBe("");
  });
});
