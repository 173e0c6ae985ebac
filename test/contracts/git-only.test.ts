import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createBlocking } from "../../src/adapters/git/blocking.ts";
import { createGit } from "../../src/adapters/git/git.ts";
import { locate } from "../../src/adapters/git/locate.ts";
import { createRepositoryReader } from "../../src/adapters/git/repository-reader.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { IGNORE_FILE, IGNORED } from "../../src/core/clis/sidecar.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import { branchProblem } from "../../src/core/session/branch-name.ts";
import type { Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import type { CommandOrder, CommandResult } from "../../src/ports/command.ts";
import type { Git } from "../../src/ports/git.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

/** What only real git can show: bytes, hostile configuration, calls cut short. */
const repositories: TempRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.dispose();
});

function ground(files?: Record<string, string>): { repo: TempRepository; git: Git; path: string; from: Commit } {
  const repo = new TempRepository(files);
  repositories.push(repo);
  repo.write(repo.root, IGNORE_FILE, IGNORED);
  const place = locate(repo.root);
  if (place === null) throw new Error("not located");
  const git = createGit(createCommand("bm-test.command"), place, GIT_ENV, join(repo.folder, "excludes"));
  return {
    repo,
    git,
    path: join(repo.root, ".banksman/worktrees/feat-a"),
    from: repo.git("rev-parse", "HEAD") as Commit,
  };
}

const A = "feat/a" as Branch;
/** Its work is merged into main, and its branch goes with it. */
const GOES = { base: "main" as Branch, branchStays: false };

async function worked(files?: Record<string, string>) {
  const made = ground(files);
  await made.git.ensureBranch(A, made.from);
  await made.git.addWorktree(made.path, A);
  await made.git.fillWorktree(made.path);
  return {
    ...made,
    order: { path: made.path, branch: A, ...GOES, ref: "refs/banksman/backup/feat-a/1", at: 1 as Instant },
  };
}

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

it("counts as committed what an agent did itself, and not what it merged or was put onto", async () => {
  const { repo, git, path, from } = await worked({ README: "one\n", other: "x\n" });
  const commit = (cwd: string, name: string, text: string) => {
    repo.write(cwd, name, text);
    repo.gitIn(cwd, "add", "--all");
    repo.gitIn(cwd, "commit", "-q", "-m", name);
  };
  const head = () => repo.gitIn(path, "rev-parse", "HEAD") as Commit;
  const since = (last: Commit) => git.commitsSince(last, head(), "main" as Branch);
  const peer = join(repo.folder, "peer");
  repo.git("worktree", "add", "-q", "-b", "peer", peer);
  commit(peer, "peers", "p\n");
  commit(path, "mine", "m\n");
  const first = head();
  expect(await since(from)).toEqual({ count: 1, files: ["mine"], anew: false });
  repo.gitIn(path, "merge", "-q", "--no-edit", "peer");
  expect(await since(first)).toEqual({ count: 1, files: [], anew: false });
  commit(repo.root, "of-main", "x\n");
  const merged = head();
  repo.gitIn(path, "merge", "-q", "--no-edit", "main");
  expect((await since(merged)).files).toEqual([]);
  repo.gitIn(path, "reset", "-q", "--hard", first);
  repo.gitIn(path, "rebase", "-q", "main");
  expect(await since(first)).toEqual({ count: 1, files: ["mine"], anew: true });
  const rebased = head();
  repo.gitIn(path, "commit", "-q", "--amend", "-m", "other words");
  expect(await since(rebased)).toEqual({ count: 1, files: ["mine"], anew: true });
});

it("knows what git accepts as a branch name", () => {
  const { repo } = ground();
  const takes = (name: string) =>
    spawnSync("git", ["check-ref-format", "--branch", name], { cwd: repo.root, env: GIT_ENV }).status === 0;
  const letters = fc.constantFrom(..."ab/.-@{}~^:?*[\\ $(`;'\"é日".split(""), ".lock", "..", "HEAD", "\t", "\u007f");
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("")),
      (name) => {
        // Git reads `@{-1}` as another branch's name; and it takes `@`, which everywhere else means HEAD: we do not.
        fc.pre(!name.includes("@{") && name !== "@");
        expect([name, branchProblem(name) === null]).toEqual([name, takes(name)]);
      },
    ),
    { numRuns: 250 },
  );
});

describe("byte for byte", () => {
  it("brings back what filters, attributes and odd names would have changed", async () => {
    const { repo, git, path, order } = await worked({
      ".gitattributes": "*.txt text=auto eol=lf\n",
      "a.txt": "one\ntwo\n",
      "run.sh": "#!/bin/sh\n",
      target: "t\n",
    });
    const contents: Record<string, Buffer> = {
      "a.txt": Buffer.from("one\r\ntwo\r\nmixed\n"),
      "binary.bin": Buffer.from([0, 255, 13, 10, 0, 200, 10]),
      "no newline.txt": Buffer.from("no newline at the end\r"),
      "new\nline.txt": Buffer.from("x"),
      "ünï 日本.txt": Buffer.from("y\r\n"),
      "-dash": Buffer.from("z"),
      empty: Buffer.alloc(0),
    };
    for (const [name, bytes] of Object.entries(contents)) repo.write(path, name, bytes);
    chmodSync(join(path, "run.sh"), 0o755);
    symlinkSync("../outside/nowhere", join(path, "link"));
    rmSync(join(path, "target"));
    mkdirSync(join(path, "target"));
    writeFileSync(join(path, "target", "now a folder"), "f");
    const saved = await git.save(order);
    await git.removeWorktree(path, saved);
    await git.deleteBranch(A, saved.tip as Commit);
    repo.git("gc", "--prune=now", "--quiet");
    await git.restore({ ref: order.ref, path, branch: A });
    for (const [name, bytes] of Object.entries(contents))
      expect([name, readFileSync(join(path, name)).equals(bytes)]).toEqual([name, true]);
    expect(lstatSync(join(path, "run.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(path, "link"))).toBe("../outside/nowhere");
    expect(readdirSync(join(path, "target"))).toEqual(["now a folder"]);
  });

  it("keeps what is staged apart from what is not", async () => {
    const { repo, git, path, order } = await worked({ f: "0\n" });
    repo.write(path, "f", "staged\n");
    repo.gitIn(path, "add", "f");
    repo.write(path, "f", "edited after\n");
    const saved = await git.save(order);
    expect(repo.gitIn(path, "diff", "--cached", "--name-only")).toBe("f");
    await git.removeWorktree(path, saved);
    await git.deleteBranch(A, saved.tip as Commit);
    await git.restore({ ref: order.ref, path, branch: A });
    expect([repo.gitIn(path, "show", ":f"), repo.read(path, "f")]).toEqual(["staged", "edited after\n"]);
  });

  it("saves a merge in the middle of its conflict", async () => {
    const { repo, git, path, order } = await worked({ f: "0\n" });
    repo.write(path, "f", "mine\n");
    repo.commit(path, "mine");
    repo.write(repo.root, "f", "theirs\n");
    const theirs = repo.commit(repo.root, "theirs");
    spawnSync("git", ["merge", "main"], { cwd: path, env: GIT_ENV });
    const conflicted = repo.read(path, "f");
    expect(conflicted).toContain("<<<<<<<");
    await git.removeWorktree(path, await git.save(order));
    await git.restore({ ref: order.ref, path, branch: A });
    expect(repo.read(path, "f")).toBe(conflicted);
    expect(repo.git("merge-base", "--is-ancestor", theirs, order.ref)).toBe("");
  });

  it("saves commits of a detached HEAD, which no branch holds", async () => {
    const { repo, git, path, order } = await worked();
    repo.gitIn(path, "checkout", "-q", "--detach");
    repo.write(path, "lost", "?\n");
    const lost = repo.commit(path, "on no branch");
    await git.removeWorktree(path, await git.save(order));
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "--prune=now", "--quiet");
    expect(repo.git("cat-file", "-t", lost)).toBe("commit");
    await git.restore({ ref: order.ref, path, branch: A });
    expect(repo.read(path, "lost")).toBe("?\n");
  });

  it("saves a branch without a commit, and files whose HEAD is gone", async () => {
    for (const lose of ["orphan", "deleted branch", "index"]) {
      const { repo, git, path, order } = await worked({ f: "0\n" });
      repo.write(path, "committed", "c\n");
      repo.commit(path, "work");
      repo.write(path, "untracked", "u\n");
      if (lose === "orphan") repo.gitIn(path, "checkout", "-q", "--orphan", "fresh");
      if (lose === "deleted branch") repo.git("update-ref", "-d", "refs/heads/feat/a");
      if (lose === "index") rmSync(repo.gitIn(path, "rev-parse", "--path-format=absolute", "--git-path", "index"));
      expect((await git.unsaved({ path, branch: A, ...GOES })).files).toBeGreaterThan(0);
      const saved = await git.save(order);
      await git.removeWorktree(path, saved);
      if (saved.tip !== null) await git.deleteBranch(A, saved.tip);
      await git.restore({ ref: saved.ref ?? "", path, branch: A });
      const files = ["f", "committed", "untracked"].map((name) => repo.read(path, name));
      expect([lose, files]).toEqual([lose, ["0\n", "c\n", "u\n"]]);
    }
  });

  it("saves names that are not UTF-8, and names that git would take for something else", async () => {
    const { git, path, order } = await worked({ x: "0\n" });
    const names = [
      Buffer.from("caf\xe9", "latin1"),
      ...["q", '"q"', "x\r", "back\\slash"].map((each) => Buffer.from(each)),
    ];
    const at = (name: Buffer) => Buffer.concat([Buffer.from(`${path}/`), name]);
    for (const [i, name] of names.entries()) writeFileSync(at(name), `content ${i}\n`);
    const saved = await git.save(order);
    await git.removeWorktree(path, saved);
    await git.restore({ ref: order.ref, path, branch: A });
    expect(names.map((name) => readFileSync(at(name), "utf8"))).toEqual(names.map((_, i) => `content ${i}\n`));
  });

  it("saves what git was told not to look at", async () => {
    const { repo, git, path, order } = await worked({ quiet: "0\n", skipped: "0\n", same: "0\n" });
    repo.gitIn(path, "update-index", "--assume-unchanged", "quiet", "same");
    repo.gitIn(path, "update-index", "--skip-worktree", "skipped");
    repo.write(path, "quiet", "edited\n");
    repo.write(path, "skipped", "edited\n");
    expect(await git.unsaved({ path, branch: A, ...GOES })).toEqual({ files: 2, commits: 0 });
    await git.removeWorktree(path, await git.save(order));
    await git.restore({ ref: order.ref, path, branch: A });
    expect(["quiet", "skipped", "same"].map((name) => repo.read(path, name))).toEqual(["edited\n", "edited\n", "0\n"]);
  });

  it("restores files, folders and links that took each other's place, and writes through no link", async () => {
    const { repo, git, path, order } = await worked({ "folder/a": "a\n", file: "f\n", "d2/x": "x\n" });
    symlinkSync("nowhere/at-all", join(path, "link"));
    repo.commit(path, "with a link");
    const outside = join(repo.folder, "nowhere");
    rmSync(join(path, "folder"), { recursive: true });
    writeFileSync(join(path, "folder"), "now a file\n");
    rmSync(join(path, "d2"), { recursive: true });
    symlinkSync("../../nowhere", join(path, "d2"));
    rmSync(join(path, "file"));
    mkdirSync(join(path, "file"));
    writeFileSync(join(path, "file/inside"), "i\n");
    rmSync(join(path, "link"));
    writeFileSync(join(path, "link"), "a file\n");
    await git.removeWorktree(path, await git.save(order));
    await git.restore({ ref: order.ref, path, branch: A });
    expect([repo.read(path, "folder"), repo.read(path, "file/inside"), repo.read(path, "link")]).toEqual([
      "now a file\n",
      "i\n",
      "a file\n",
    ]);
    expect([readlinkSync(join(path, "d2")), existsSync(outside)]).toEqual(["../../nowhere", false]);
  });

  it("takes back what a restore half made, so that it can be asked again", async () => {
    const { repo, git, path, order } = await worked();
    repo.write(path, "new", "x\n");
    const saved = await git.save(order);
    await git.removeWorktree(path, saved);
    await git.deleteBranch(A, saved.tip as Commit);
    const note = repo.git("log", "-1", "--format=%B", order.ref);
    const blob = repo.gitFed("escaped\n", "hash-object", "-w", "--stdin");
    const inner = repo.gitFed(`100644 blob ${blob}\tescaped\n`, "mktree");
    const outward = repo.gitFed(`040000 tree ${inner}\t..\n`, "mktree");
    const bad = repo.gitFed(note, "commit-tree", "-p", saved.tip as string, "-F", "-", outward);
    repo.git("update-ref", "refs/banksman/backup/feat-a/bad", bad);
    expect(await kindOf(git.restore({ ref: "refs/banksman/backup/feat-a/bad", path, branch: A }))).toBe("file.failed");
    expect([existsSync(path), repo.git("branch", "--list", "feat/a")]).toEqual([false, ""]);
    await git.restore({ ref: order.ref, path, branch: A });
    expect(repo.read(path, "new")).toBe("x\n");
  });

  it.each(["--stdin", "-d", "--no-deref"])(
    "takes a backup whose note has %s as its tip for none of ours: it would be an option of git's",
    async (tip) => {
      const { repo, git, path, order } = await worked();
      const { tip: real } = await git.save(order);
      repo.write(path, "new", "x\n");
      await git.save({ ...order, ref: `${order.ref}0` });
      const note = repo.git("log", "-1", "--format=%B", `${order.ref}0`);
      const crafted = repo.gitFed(
        note.replaceAll(real ?? repo.git("rev-parse", "feat/a"), tip),
        ...["commit-tree", "-F", "-", `${order.ref}0^{tree}`],
      );
      const ref = "refs/banksman/backup/feat-a/crafted";
      repo.git("update-ref", ref, crafted);
      const refs = repo.git("for-each-ref");
      expect(note).toContain("tip");
      expect(await kindOf(git.restore({ ref, path: `${path}-2`, branch: "feat/b" as Branch }))).toBe("backup.unknown");
      expect([repo.git("for-each-ref"), existsSync(`${path}-2`)]).toEqual([refs, false]);
    },
  );

  it("counts against what is there when the base branch was renamed", async () => {
    const { repo, git, path } = await worked();
    repo.write(path, "new", "x\n");
    repo.commit(path, "work");
    repo.git("branch", "-m", "main", "trunk");
    expect(await git.unsaved({ path, branch: A, ...GOES })).toEqual({ files: 0, commits: 1 });
  });

  it("refuses to remove a submodule's commits that nobody else has", async () => {
    const { repo, git, path, order } = await worked();
    const inner = join(repo.folder, "inner");
    mkdirSync(inner);
    repo.gitIn(inner, "init", "-q");
    repo.write(inner, "x", "1\n");
    repo.commit(inner, "inner");
    repo.gitIn(path, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "sub");
    repo.commit(path, "with a submodule");
    expect((await git.save(order)).ref).not.toBe(null);
    repo.write(join(path, "sub"), "x", "2\n");
    repo.commit(join(path, "sub"), "only here");
    repo.commit(path, "point at it");
    expect(await kindOf(git.save({ ...order, ref: `${order.ref}0` }))).toBe("worktree.stays");
  });

  it("refuses to remove a repository inside the worktree, whose history it could not save", async () => {
    const { repo, git, path, order } = await worked();
    mkdirSync(join(path, "nested"));
    repo.gitIn(join(path, "nested"), "init", "-q");
    repo.write(join(path, "nested"), "x", "y");
    repo.commit(join(path, "nested"), "inner");
    expect(await kindOf(git.save(order))).toBe("worktree.stays");
  });
});

const onto = (path: string, base: Branch) => {
  const save = { ref: "refs/banksman/backup/feat-a/before", at: 1 as Instant };
  return { path, branch: A, onto: base, save };
};

describe("rebasing", () => {
  const behind = async (files: Record<string, string> = { f: "0\n" }) => {
    const made = await worked(files);
    made.repo.write(made.path, "mine", "m\n");
    made.repo.commit(made.path, "mine");
    made.repo.write(made.repo.root, "theirs", "t\n");
    made.repo.commit(made.repo.root, "theirs");
    return made;
  };
  const MAIN = "main" as Branch;
  const subjects = (repo: TempRepository) => repo.git("log", "--format=%s", "feat/a").split("\n");

  it("puts a clean branch that is nowhere else onto the base, once", async () => {
    const { repo, git, path } = await behind();
    const before = repo.git("rev-parse", "feat/a");
    expect(await git.rebase(onto(path, MAIN))).toEqual([expect.stringMatching(/rebased onto main.*saved as refs/)]);
    const [backup] = (await git.backups()).found;
    expect([backup?.branch, repo.git("rev-parse", `${backup?.ref}^1`)]).toEqual(["feat/a", before]);
    expect([subjects(repo), repo.read(path, "theirs")]).toEqual([["mine", "theirs", "first"], "t\n"]);
    const tip = repo.git("rev-parse", "feat/a");
    expect([await git.rebase(onto(path, MAIN)), repo.git("rev-parse", "feat/a")]).toEqual([[], tip]);
  });
  it("leaves a branch that is not clean, that was pushed, or that conflicts, and says so", async () => {
    const dirty = await behind();
    dirty.repo.write(dirty.path, "f", "edited\n");
    expect(await dirty.git.rebase(onto(dirty.path, MAIN))).toEqual([expect.stringContaining("it is not clean")]);
    const pushed = await behind();
    pushed.repo.git("update-ref", "refs/remotes/origin/feat/a", "feat/a");
    expect(await pushed.git.rebase(onto(pushed.path, MAIN))).toEqual([expect.stringContaining("has been pushed")]);
    const conflict = await behind();
    conflict.repo.write(conflict.path, "theirs", "mine, too\n");
    const tip = conflict.repo.commit(conflict.path, "conflict");
    expect(await conflict.git.rebase(onto(conflict.path, MAIN))).toEqual([expect.stringContaining("conflicts")]);
    expect([conflict.repo.git("rev-parse", "feat/a"), await conflict.git.dirtyFiles(conflict.path)]).toEqual([tip, []]);
    expect(conflict.repo.gitIn(conflict.path, "symbolic-ref", "--short", "HEAD")).toBe("feat/a");
  });
  it("says what else than a conflict kept a branch from being rebased", async () => {
    const { repo, git, path } = await behind();
    repo.git("config", "user.useConfigOnly", "true");
    const tip = repo.git("rev-parse", "feat/a");
    const place = locate(repo.root);
    if (place === null) throw new Error("not located");
    const { GIT_COMMITTER_NAME: _, GIT_COMMITTER_EMAIL: __, ...nobody } = GIT_ENV;
    const unnamed = createGit(createCommand("bm-test.command"), place, nobody, join(repo.folder, "excludes"));
    const [said = ""] = await unnamed.rebase(onto(path, MAIN));
    expect(said).toMatch(/^feat\/a could not be rebased onto main: .*(identity|ident|email)/i);
    expect([said.includes("conflicts"), repo.git("rev-parse", "feat/a")]).toEqual([false, tip]);
    expect(await git.dirtyFiles(path)).toEqual([]);
  });
  it("is not begun where what it would leave behind cannot be saved", async () => {
    const { repo, git, path } = await behind({ f: "0\n", ".gitignore": "deps/\n" });
    mkdirSync(join(path, "deps/inner"), { recursive: true });
    repo.gitIn(join(path, "deps/inner"), "init", "-q");
    repo.write(join(path, "deps/inner"), "x", "1\n");
    expect(await git.rebase(onto(path, MAIN))).toEqual([expect.stringMatching(/was not rebased: .*deps\/inner/)]);
  });
  it("takes back one that was cut short, and does it again", async () => {
    const { repo, git, path } = await behind();
    repo.write(path, "theirs", "mine, too\n");
    const tip = repo.commit(path, "conflict");
    spawnSync("git", ["rebase", "main"], { cwd: path, env: GIT_ENV });
    expect(await git.rebase(onto(path, MAIN))).toEqual([expect.stringContaining("conflicts")]);
    expect([repo.git("rev-parse", "feat/a"), await git.dirtyFiles(path)]).toEqual([tip, []]);
  });
});

describe("cut short", () => {
  it("finishes a worktree that git was killed over", async () => {
    const { repo, git, path, from } = ground();
    await git.ensureBranch(A, from);
    const admin = join(repo.root, ".git/worktrees/feat-a");
    const states: [string, () => void][] = [
      ["only the record", () => mkdirSync(admin, { recursive: true })],
      [
        "record with its lock",
        () => [mkdirSync(admin, { recursive: true }), writeFileSync(join(admin, "locked"), "initializing")],
      ],
      [
        "folder with a pointer to nothing",
        () => [mkdirSync(path, { recursive: true }), writeFileSync(join(path, ".git"), `gitdir: ${admin}\n`)],
      ],
      [
        "both, without HEAD",
        () => [
          mkdirSync(admin, { recursive: true }),
          mkdirSync(path, { recursive: true }),
          writeFileSync(join(path, ".git"), `gitdir: ${admin}\n`),
          writeFileSync(join(admin, "gitdir"), `${join(path, ".git")}\n`),
        ],
      ],
      ["an empty folder", () => mkdirSync(path, { recursive: true })],
    ];
    for (const [name, leave] of states) {
      leave();
      await git.addWorktree(path, A);
      await git.fillWorktree(path);
      expect([name, await git.worktreeState(path, A), repo.read(path, "README")]).toEqual([name, "filled", "hi\n"]);
      expect(readdirSync(join(repo.root, ".git/worktrees"))).toEqual(["feat-a"]);
      await git.removeWorktree(path, await git.save({ path, branch: A, ...GOES, ref: "refs/none", at: 1 as Instant }));
    }
  });

  it("fills again where a checkout stopped half way, its lock still there", async () => {
    const { repo, git, path, from } = ground({ a: "1\n", b: "2\n" });
    await git.ensureBranch(A, from);
    await git.addWorktree(path, A);
    writeFileSync(join(path, "a"), "half wri");
    writeFileSync(join(repo.root, ".git/worktrees/feat-a/index.lock"), "");
    await git.fillWorktree(path);
    expect([repo.read(path, "a"), repo.read(path, "b"), await git.dirtyFiles(path)]).toEqual(["1\n", "2\n", []]);
  });

  it("finishes a removal that stopped half way", async () => {
    const { repo, git, path, order } = await worked({ a: "1\n", b: "2\n" });
    const saved = await git.save(order);
    rmSync(join(path, "a"));
    rmSync(join(path, ".git"));
    await git.removeWorktree(path, saved);
    expect([existsSync(path), existsSync(join(repo.root, ".git/worktrees/feat-a"))]).toEqual([false, false]);
  });

  it("never takes a folder of somebody else's for a half-made worktree", async () => {
    const { git, path, from } = ground();
    await git.ensureBranch(A, from);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "precious"), "x");
    expect(await kindOf(git.addWorktree(path, A))).toBe("worktree.occupied");
    expect(await kindOf(git.removeWorktree(path, null))).toBe("worktree.changed");
    expect(readFileSync(join(path, "precious"), "utf8")).toBe("x");
  });

  it("waits for a lock that another git holds for a moment", async () => {
    const { repo, git, from } = ground();
    const lock = join(repo.root, ".git/refs/heads/feat/a.lock");
    mkdirSync(join(repo.root, ".git/refs/heads/feat"), { recursive: true });
    writeFileSync(lock, "");
    const waiting = git.ensureBranch(A, from);
    setTimeout(() => rmSync(lock), 120);
    await waiting;
    expect((await git.branches()).has(A)).toBe(true);
  });
});

describe("hostile repositories", () => {
  it("run nothing: hooks, filters, fsmonitor, pagers, aliases, odd keys", async () => {
    const { repo, git, path, from } = ground({
      ".gitattributes": "* filter=evil diff=evil merge=evil\n*.e filter=e=q\n",
      f: "0\n",
      "x.e": "0\n",
    });
    const canary = join(repo.folder, "canary");
    const evil = `touch ${canary}; cat`;
    await git.ensureBranch(A, from);
    await git.addWorktree(path, A);
    await git.fillWorktree(path);
    await git.ensureBranch("feat/b" as Branch, from);
    await git.addWorktree(join(path, "../feat-b"), "feat/b" as Branch);
    for (const [key, value] of Object.entries({
      "filter.evil.smudge": evil,
      "filter.evil.clean": evil,
      "filter.evil.required": "true",
      "core.fsmonitor": `${evil} #`,
      "core.pager": evil,
      "core.editor": evil,
      "core.sshCommand": evil,
      "diff.evil.textconv": evil,
      "diff.external": evil,
      "merge.evil.driver": evil,
      "alias.worktree": `!${evil}`,
      "alias.status": `!${evil}`,
      "gpg.program": evil,
      "commit.gpgSign": "true",
    }))
      repo.git("config", key, value);
    writeFileSync(
      join(repo.root, ".git/config"),
      `${readFileSync(join(repo.root, ".git/config"), "utf8")}\n[filter "e=q"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n[include]\n\tpath = more\n`,
    );
    writeFileSync(join(repo.root, ".git/more"), `[filter "evil"]\n\tprocess = ${evil}\n`);
    for (const hook of [
      "post-checkout",
      "pre-commit",
      "reference-transaction",
      "post-index-change",
      "fsmonitor-watchman",
    ]) {
      mkdirSync(join(repo.root, ".git/hooks"), { recursive: true });
      writeFileSync(join(repo.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
    }
    rmSync(canary, { force: true });
    await git.head();
    await git.branches();
    await git.remoteBranches();
    await git.hide(["/.env"]);
    expect(await kindOf(git.fillWorktree(join(path, "../feat-b")))).toBe("repository.filters");
    writeFileSync(join(path, "f"), "changed\n");
    writeFileSync(join(path, "new.e"), "n\n");
    const order = { path, branch: A, ...GOES, ref: "refs/banksman/backup/feat-a/1", at: 1 as Instant };
    await git.dirtyFiles(path);
    await git.unsaved({ path, branch: A, ...GOES });
    await git.removeWorktree(path, await git.save(order));
    await git.deleteBranch(A, from);
    expect(await kindOf(git.restore({ ref: order.ref, path, branch: A }))).toBe("repository.filters");
    expect((await git.backups()).found.map(({ ref }) => ref)).toEqual([order.ref]);
    expect([existsSync(canary), existsSync(path)]).toEqual([false, false]);
    expect(repo.git("show", `${order.ref}:f`)).toBe("changed");
  });

  it("have their own filters run once they are trusted, and are not checked out before", async () => {
    const rot = "tr a-zA-Z n-za-mN-ZA-M";
    const { repo, path, from } = ground({ ".gitattributes": "*.sec filter=rot\n", README: "hi\n" });
    for (const part of ["clean", "smudge"]) repo.git("config", `filter.rot.${part}`, rot);
    repo.git("config", "filter.rot.required", "true");
    repo.write(repo.root, "a.sec", "hello\n");
    const secret = repo.commit(repo.root, "with a secret") as Commit;
    expect(repo.git("cat-file", "blob", "HEAD:a.sec")).toBe("uryyb");
    const place = locate(repo.root);
    if (place === null) throw new Error("not located");
    const trusted = new Map<string, string>();
    const excludes = join(repo.folder, "excludes");
    const git = createGit(createCommand("bm-test.command"), place, GIT_ENV, excludes, () => trusted);
    await git.ensureBranch(A, secret);
    await git.addWorktree(path, A);
    const untrusted = [
      { key: "filter.rot.clean", value: rot, trusted: false },
      { key: "filter.rot.smudge", value: rot, trusted: false },
    ];
    expect([await kindOf(git.fillWorktree(path)), await git.programs()]).toEqual(["repository.filters", untrusted]);
    expect(readdirSync(path)).toEqual([".git"]);
    trusted.set("filter.rot.clean", rot);
    expect(await kindOf(git.fillWorktree(path))).toBe("repository.filters");
    trusted.set("filter.rot.smudge", rot);
    await git.fillWorktree(path);
    expect([repo.read(path, "a.sec"), await git.dirtyFiles(path)]).toEqual(["hello\n", []]);
    repo.write(path, "README", "mine\n");
    repo.commit(path, "only this");
    expect(repo.gitIn(path, "diff-tree", "-r", "--name-only", "HEAD~", "HEAD")).toBe("README");
    // Another program under a name that was trusted is another program.
    repo.git("config", "filter.rot.smudge", `touch ${join(repo.folder, "canary")}; cat`);
    await git.ensureBranch("feat/b" as Branch, from);
    await git.addWorktree(join(path, "../feat-b"), "feat/b" as Branch);
    expect(await kindOf(git.fillWorktree(join(path, "../feat-b")))).toBe("repository.filters");
    expect(existsSync(join(repo.folder, "canary"))).toBe(false);
  });

  it("run nothing that a worktree's own config names, nor a merge driver in a rebase", async () => {
    const { repo, git, path } = await worked({ ".gitattributes": "* filter=evil merge=evil\n", f: "0\n1\n2\n" });
    const canary = join(repo.folder, "canary");
    const evil = `touch ${canary}; cat`;
    repo.git("config", "extensions.worktreeConfig", "true");
    repo.write(path, "f", "mine\n1\n2\n");
    repo.commit(path, "mine");
    repo.write(repo.root, "f", "0\n1\ntheirs\n");
    repo.commit(repo.root, "theirs");
    repo.gitIn(path, "config", "--worktree", "filter.evil.clean", evil);
    repo.gitIn(path, "config", "--worktree", "filter.evil.smudge", evil);
    repo.gitIn(path, "config", "--worktree", "merge.evil.driver", evil);
    expect(await git.rebase(onto(path, "main" as Branch))).toEqual([expect.stringMatching(/was rebased/)]);
    expect(repo.read(path, "f")).toBe("mine\n1\ntheirs\n");
    repo.write(path, "f", "edited\n");
    await git.dirtyFiles(path);
    const order = { path, branch: A, ...GOES, ref: "refs/banksman/backup/feat-a/1", at: 1 as Instant };
    await git.removeWorktree(path, await git.save(order));
    expect(existsSync(canary)).toBe(false);
  });

  it("that are partial clones fetch what a checkout needs, and nothing else does", async () => {
    const source = new TempRepository({ f: "here\n" });
    repositories.push(source);
    source.git("config", "uploadpack.allowFilter", "true");
    source.git("branch", "feat/a");
    source.git("switch", "-q", "feat/a");
    source.write(source.root, "far", "away\n");
    source.commit(source.root, "more");
    source.git("switch", "-q", "main");
    const { repo } = ground();
    const clone = join(repo.folder, "clone");
    repo.git("clone", "-q", "--filter=blob:none", `file://${source.root}`, clone);
    repo.gitIn(clone, "update-ref", "refs/heads/feat/a", "refs/remotes/origin/feat/a");
    const place = locate(clone);
    if (place === null) throw new Error("not located");
    const orders: CommandOrder[] = [];
    const real = createCommand("bm-test.command");
    const command = {
      run: (order: CommandOrder) => [orders.push(order), real.run(order)][1] as Promise<CommandResult>,
    };
    const env = { ...GIT_ENV, SSH_AUTH_SOCK: "/nonexistent/agent" };
    const git = createGit(command, place, env, join(repo.folder, "clone-excludes"));
    const path = join(clone, ".banksman/worktrees/feat-a");
    const reader = createRepositoryReader(command, place, env, systemFiles);
    expect(await kindOf(reader.diff("feat/a", "main", 1_000))).toBe("git.failed");
    await git.addWorktree(path, A);
    await git.fillWorktree(path);
    expect(readFileSync(join(path, "far"), "utf8")).toBe("away\n");
    const reaching = orders.filter((order) => order.env.SSH_AUTH_SOCK !== undefined).map(({ argv }) => argv[1]);
    expect(reaching).toEqual(["reset"]);
  });

  it("stop nobody by a pipe or a folder in the place of a nested repository's .git", async () => {
    const { repo, git, path } = await worked();
    for (const [name, put] of [
      ["pipe", (at: string) => spawnSync("mkfifo", [at])],
      ["folder", (at: string) => mkdirSync(at)],
      ["elsewhere", (at: string) => writeFileSync(at, "gitdir: /nonexistent\n")],
    ] as const) {
      mkdirSync(join(path, name));
      repo.gitIn(path, "update-index", "--add", "--cacheinfo", `160000,${repo.git("rev-parse", "HEAD")},${name}`);
      put(join(path, name, ".git"));
    }
    repo.gitIn(path, "commit", "-q", "-m", "with gitlinks");
    // What cannot be looked at is not said to be empty.
    expect(await git.dirtyFiles(path)).toEqual(["pipe", "folder", "elsewhere"].sort());
  });

  it("are named from then on when git has waited for a pipe far down, until it is gone", async () => {
    const { path } = await worked();
    const blocking = createBlocking(null);
    const file = join(path, "deep/down/.gitignore");
    mkdirSync(dirname(file), { recursive: true });
    spawnSync("mkfifo", [file]);
    blocking.refuse(["status"], path, {});
    expect(await kindOf(blocking.explain(path))).toBe("git.blocked");
    expect(() => blocking.refuse(["status"], path, {})).toThrow(Failed);
    rmSync(file);
    blocking.refuse(["status"], path, {});
    expect(await kindOf(blocking.explain(path))).toBe("ok");
  });

  it("keep the user's own filters: git-lfs as it is usually installed", async () => {
    const { repo, path, from } = ground({ ".gitattributes": "*.up filter=up\n", "a.up": "low\n" });
    const global = join(repo.folder, "gitconfig");
    writeFileSync(global, '[filter "up"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n');
    const place = locate(repo.root);
    if (place === null) throw new Error("not located");
    const git = createGit(
      createCommand("bm-test.command"),
      place,
      { ...GIT_ENV, GIT_CONFIG_GLOBAL: global },
      join(repo.folder, "excludes"),
    );
    await git.ensureBranch(A, from);
    await git.addWorktree(path, A);
    await git.fillWorktree(path);
    expect(repo.read(path, "a.up")).toBe("LOW\n");
  });

  it("treat every branch git accepts as a name and nothing more", async () => {
    const { repo, git, from } = ground();
    const canary = join(repo.folder, "canary");
    for (const [i, name] of [
      `feat/$(touch\${IFS}${canary.replaceAll("/", "%")})`,
      "feat/`id`",
      "a;b|c&d",
      "q\"u'o",
      "feat/日本語",
      "#{pane_id}",
      "%(refname)",
      "!x",
      "a'b",
    ].entries()) {
      const path = join(repo.root, `.banksman/worktrees/w${i}`);
      await git.ensureBranch(name as Branch, from);
      await git.addWorktree(path, name as Branch);
      await git.fillWorktree(path);
      expect((await git.worktrees()).find((each) => each.path === path)?.branch).toBe(name);
    }
    expect(existsSync(canary)).toBe(false);
  });
});

describe("submodules", () => {
  it("are initialised, and put on the run's branch where they have it", async () => {
    const { repo, git, path } = await worked();
    const library = new TempRepository({ lib: "1\n" });
    repositories.push(library);
    library.git("branch", "feat/a");
    repo.gitIn(path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "vendor/lib");
    repo.commit(path, "with a submodule");
    const place = locate(repo.root);
    if (place === null) throw new Error("not located");
    const global = join(repo.folder, "gitconfig");
    writeFileSync(global, '[protocol "file"]\n\tallow = always\n');
    const allowing = createGit(
      createCommand("bm-test.command"),
      place,
      { ...GIT_ENV, GIT_CONFIG_GLOBAL: global },
      join(repo.folder, "excludes"),
    );
    const second = join(repo.root, ".banksman/worktrees/second");
    await allowing.ensureBranch("feat/b" as Branch, repo.git("rev-parse", "feat/a") as Commit);
    await allowing.addWorktree(second, "feat/b" as Branch);
    await allowing.fillWorktree(second);
    expect(await allowing.fillSubmodules(second, A)).toEqual([]);
    expect([
      repo.read(second, "vendor/lib/lib"),
      repo.gitIn(join(second, "vendor/lib"), "branch", "--show-current"),
    ]).toEqual(["1\n", "feat/a"]);
    repo.write(second, "vendor/lib/lib", "work of its own\n");
    const order = {
      path: second,
      branch: "feat/b" as Branch,
      ...GOES,
      ref: "refs/banksman/backup/b/1",
      at: 1 as Instant,
    };
    expect(await kindOf(git.save(order))).toBe("worktree.stays");
  });

  it("that cannot be fetched are a warning", async () => {
    const { repo, git, path } = await worked({
      ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = /nonexistent/x\n',
    });
    repo.gitIn(path, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},x`);
    expect(await git.fillSubmodules(path, A)).toEqual([expect.stringMatching(/submodules were not initialised/)]);
  });
});

describe("where we are", () => {
  it("is found without git, from anywhere in any worktree", async () => {
    const { repo, path } = await worked();
    mkdirSync(join(path, "deep/er"), { recursive: true });
    const here = { root: repo.root, commonDir: join(repo.root, ".git"), project: "app" };
    expect([locate(repo.root), locate(join(path, "deep/er")), locate("/")]).toEqual([here, here, null]);
  });
  it("is the checkout we stand in where the main one is bare", () => {
    const { repo } = ground();
    repo.git("clone", "-q", "--bare", ".", join(repo.folder, "bare.git"));
    const linked = join(repo.folder, "linked");
    repo.gitIn(join(repo.folder, "bare.git"), "worktree", "add", "-q", linked, "main");
    expect(locate(linked)).toEqual({ root: linked, commonDir: join(repo.folder, "bare.git"), project: "bare" });
    expect(locate(join(repo.folder, "bare.git"))).toBe(null);
  });
});
