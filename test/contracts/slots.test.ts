import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createSlots } from "../../src/adapters/git/slots.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Branch, Commit } from "../../src/core/text/ids.ts";
import type { Slots } from "../../src/ports/slots.ts";
import { FakeRepository } from "../fakes/fake-git.ts";
import { treeName } from "../fakes/fake-history.ts";
import { FakeSlots } from "../fakes/fake-slots.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

const MAIN = "main" as Branch;
const made: TempRepository[] = [];
afterEach(() => {
  for (const repo of made.splice(0)) repo.dispose();
});

interface Ground {
  readonly slots: Slots;
  commit(files: Readonly<Record<string, string>>): { readonly commit: Commit; readonly tree: string };
  /** A file in a slot, as a gate or a set-up would see or write it. */
  read(slot: number, name: string): string | null;
  write(slot: number, name: string, text: string, tracked?: boolean): void;
}

function fake(): Ground {
  const repo = new FakeRepository();
  const slots = new FakeSlots(repo);
  return {
    slots,
    commit(files) {
      const commit = repo.commit(files, []);
      return { commit, tree: treeName(files) };
    },
    read: (slot, name) => slots.of(slot).tracked[name] ?? slots.of(slot).others[name] ?? null,
    write(slot, name, text, tracked = false) {
      const held = slots.of(slot);
      Object.assign(tracked ? held.tracked : held.others, { [name]: text });
      slots.slots.set(slot, held);
    },
  };
}

function real(): Ground & { readonly repo: TempRepository } {
  const repo = new TempRepository({ ".gitignore": "ignored/\n", README: "hi\n" });
  made.push(repo);
  const place = { folder: join(repo.folder, "scratch"), commonDir: join(repo.root, ".git") };
  const slots = createSlots(createCommand("bm-slots-test"), place, GIT_ENV);
  return {
    repo,
    slots,
    commit(files) {
      repo.git("rm", "-rqf", ".");
      for (const [name, text] of Object.entries(files)) repo.write(repo.root, name, text);
      const commit = repo.commit(repo.root, "x") as Commit;
      return { commit, tree: repo.git("rev-parse", "HEAD^{tree}") };
    },
    read: (slot, name) => repo.read(slots.place(slot).folder, name),
    write: (slot, name, text) => repo.write(slots.place(slot).folder, name, text),
  };
}

const lay = ({ slots }: Ground, slot: number, commit: Commit) =>
  slots.lay(slot, { commit, base: { branch: MAIN, commit } });

describe.each<readonly [string, () => Ground]>([
  ["fake", fake],
  ["git", real],
])("Slots (%s)", (_, make) => {
  it("hold the files of a commit and nothing else", async () => {
    const ground = make();
    const one = ground.commit({ "a.txt": "1\n", "deep/b.txt": "b\n" });
    const two = ground.commit({ "a.txt": "2\n" });
    await lay(ground, 0, one.commit);
    expect([ground.read(0, "a.txt"), ground.read(0, "deep/b.txt")]).toEqual(["1\n", "b\n"]);
    ground.write(0, "left.txt", "x");
    await lay(ground, 0, two.commit);
    expect([ground.read(0, "a.txt"), ground.read(0, "deep/b.txt"), ground.read(0, "left.txt")]).toEqual([
      "2\n",
      null,
      null,
    ]);
    expect(ground.read(1, "a.txt")).toBe(null);
  });

  it("name tracked files that are not as they were, and put them back", async () => {
    const ground = make();
    const { commit, tree } = ground.commit({ "a.txt": "1\n", "b.txt": "b\n" });
    await lay(ground, 0, commit);
    expect(await ground.slots.putBack(0, tree)).toEqual([]);
    ground.write(0, "a.txt", "changed\n", true);
    ground.write(0, "new.txt", "n\n");
    expect(await ground.slots.putBack(0, tree)).toEqual(["a.txt"]);
    expect([ground.read(0, "a.txt"), ground.read(0, "new.txt")]).toEqual(["1\n", "n\n"]);
  });

  it("keep what is there besides, and bring a copy of it back", async () => {
    const ground = make();
    const { commit } = ground.commit({ "a.txt": "1\n" });
    await lay(ground, 0, commit);
    expect(await ground.slots.bring(0, "k")).toBe(false);
    ground.write(0, "node_modules/x/index.js", "x");
    await ground.slots.keep(0, "k");
    await lay(ground, 0, commit);
    expect(ground.read(0, "node_modules/x/index.js")).toBe(null);
    expect([await ground.slots.bring(0, "k"), ground.read(0, "node_modules/x/index.js")]).toEqual([true, "x"]);
    ground.write(0, "node_modules/x/index.js", "spoilt");
    await lay(ground, 0, commit);
    await ground.slots.bring(0, "k");
    expect(ground.read(0, "node_modules/x/index.js")).toBe("x");
    expect(await ground.slots.bring(1, "k")).toBe(false);
  });
});

describe("real slots", () => {
  it("find a change that keeps a file's size and time", async () => {
    const ground = real();
    const { commit, tree } = ground.commit({ "a.txt": "1\n" });
    await lay(ground, 0, commit);
    const path = join(ground.slots.place(0).folder, "a.txt");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "2\n");
    utimesSync(path, atime, mtime);
    expect([await ground.slots.putBack(0, tree), ground.read(0, "a.txt")]).toEqual([["a.txt"], "1\n"]);
  });

  it("have a repository of their own, anew each time: nothing in it reaches ours", async () => {
    const ground = real();
    const { repo, slots } = ground;
    const { commit } = ground.commit({ "a.txt": "1\n" });
    await lay(ground, 0, commit);
    const { folder } = slots.place(0);
    expect([
      repo.gitIn(folder, "rev-parse", "HEAD"),
      repo.gitIn(folder, "rev-parse", "main"),
      repo.gitIn(folder, "status", "--porcelain"),
    ]).toEqual([commit, commit, ""]);
    repo.gitIn(folder, "config", "core.fsmonitor", "touch /tmp/bm-never");
    repo.gitIn(folder, "-c", "core.fsmonitor=", "update-ref", "refs/heads/main", "HEAD");
    repo.gitIn(folder, "-c", "core.fsmonitor=", "commit", "-q", "--allow-empty", "-m", "in the slot");
    repo.gitIn(folder, "-c", "core.fsmonitor=", "tag", "spoilt");
    expect([repo.git("rev-parse", "main"), repo.git("tag")]).toEqual([commit, ""]);
    await lay(ground, 0, commit);
    expect([repo.gitIn(folder, "config", "--list", "--local"), repo.gitIn(folder, "tag")]).not.toContain("fsmonitor");
    expect(existsSync("/tmp/bm-never")).toBe(false);
  });

  it("are cleaned of folders nobody may write to, of nested repositories and of home and temporary files", async () => {
    const ground = real();
    const { slots } = ground;
    const { commit } = ground.commit({ "a.txt": "1\n" });
    await lay(ground, 0, commit);
    const { folder, home, temporary } = slots.place(0);
    mkdirSync(join(folder, "locked/deep"), { recursive: true });
    writeFileSync(join(folder, "locked/deep/x"), "x");
    chmodSync(join(folder, "locked/deep"), 0o500);
    ground.repo.gitIn(folder, "init", "-q", "nested");
    writeFileSync(join(home, ".cache"), "x");
    writeFileSync(join(temporary, "x"), "x");
    await lay(ground, 0, commit);
    const left = ["locked", "nested"].filter((name) => existsSync(join(folder, name)));
    expect([left, existsSync(join(home, ".cache")), existsSync(join(temporary, "x"))]).toEqual([[], false, false]);
  });

  it("lay submodules from what the repository has of them, and refuse where it has not", async () => {
    const ground = real();
    const { repo } = ground;
    const library = new TempRepository({
      "lib.txt": "lib\n",
      "test/a": "tested\n",
      ".gitattributes": "test export-ignore\n",
    });
    made.push(library);
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root, "lib");
    const commit = repo.commit(repo.root, "With a submodule") as Commit;
    await lay(ground, 0, commit);
    expect([ground.read(0, "lib/lib.txt"), ground.read(0, "lib/test/a")]).toEqual(["lib\n", "tested\n"]);
    rmSync(join(repo.root, ".git/modules"), { recursive: true });
    await expect(lay(ground, 0, commit)).rejects.toMatchObject({ failure: { kind: "gates.submodule", path: "lib" } });
  });

  it("refuse a repository whose own filters nobody has trusted", async () => {
    const ground = real();
    const { commit } = ground.commit({ "a.txt": "1\n" });
    ground.repo.git("config", "filter.rot.clean", "tr a-z b-za");
    await expect(lay(ground, 0, commit)).rejects.toMatchObject({ failure: { kind: "repository.filters" } });
  });

  it("keep few sets, and copies that share nothing with the original", async () => {
    const ground = real();
    const { slots, repo } = ground;
    const { commit } = ground.commit({ "a.txt": "1\n" });
    for (const key of ["k1", "k2", "k3", "k4"]) {
      await lay(ground, 0, commit);
      ground.write(0, `ignored/${key}`, key);
      await slots.keep(0, key);
    }
    expect([await slots.bring(0, "k1"), await slots.bring(0, "k4")]).toEqual([false, true]);
    const [kept, used] = [
      join(repo.folder, "scratch/0/kept/k4/work/ignored/k4"),
      join(slots.place(0).folder, "ignored/k4"),
    ];
    expect([readFileSync(kept, "utf8"), lstatSync(kept).ino === lstatSync(used).ino]).toEqual(["k4", false]);
    await slots.clear();
    expect(existsSync(join(repo.folder, "scratch"))).toBe(false);
  });

  it("a folder without a path, and a checkout that is gone, are in nobody's way", async () => {
    const ground = real();
    const { slots } = ground;
    const { commit, tree } = ground.commit({ a: "a\n" });
    await lay(ground, 0, commit);
    const { folder, temporary } = slots.place(0);
    const deep = "for (let i = 0; i < 1500; i++) { fs.mkdirSync('deep'); process.chdir('deep'); }";
    for (const cwd of [folder, temporary]) execFileSync(process.execPath, ["-e", deep], { cwd });
    expect(await slots.putBack(0, tree)).toEqual([]);
    await lay(ground, 0, commit);
    expect([ground.read(0, "a"), existsSync(join(folder, "deep"))]).toEqual(["a\n", false]);
    rmSync(folder, { recursive: true });
    expect(await slots.putBack(0, tree)).toEqual([".git"]);
    await lay(ground, 0, commit);
    expect(ground.read(0, "a")).toBe("a\n");
  });

  it("a link in the place of the checkout is taken away, not what it leads to", async () => {
    const ground = real();
    const { commit, tree } = ground.commit({ a: "a\n" });
    await lay(ground, 0, commit);
    const { folder } = ground.slots.place(0);
    const precious = join(ground.repo.folder, "precious");
    for (const name of [".git/HEAD", "notes"]) ground.repo.write(precious, name, "mine\n");
    rmSync(folder, { recursive: true });
    symlinkSync(precious, folder);
    expect(await ground.slots.putBack(0, tree)).toEqual([".git"]);
    await lay(ground, 0, commit);
    expect([lstatSync(folder).isDirectory(), ground.read(0, "a")]).toEqual([true, "a\n"]);
    expect([".git/HEAD", "notes"].map((name) => ground.repo.read(precious, name))).toEqual(["mine\n", "mine\n"]);
  });

  it("a tree that has a name twice is refused: git would check out another one", async () => {
    const ground = real();
    const { commit } = ground.commit({ a: "a\n", "b/c": "c\n" });
    const id = (name: string) => Buffer.from(ground.repo.git("rev-parse", `${commit}:${name}`), "hex");
    const tree = [
      ["100644 a", id("a")],
      ["100644 b", id("a")],
      ["40000 b", id("b")],
    ] as const;
    const bytes = Buffer.concat(tree.flatMap(([name, hash]) => [Buffer.from(`${name}\0`), hash]));
    const args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    const twice = execFileSync("git", args, { cwd: ground.repo.root, input: bytes }).toString().trim();
    const bad = ground.repo.git("commit-tree", "-m", "twice", twice) as Commit;
    await expect(lay(ground, 0, bad)).rejects.toMatchObject({ failure: { kind: "git.failed" } });
    await lay(ground, 0, commit);
    expect(ground.read(0, "b/c")).toBe("c\n");
  });
});
