import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGit } from "../../src/adapters/git/git.ts";
import { locate } from "../../src/adapters/git/locate.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Branch, Commit, Instant } from "../../src/core/text/ids.ts";
import type { Git } from "../../src/ports/git.ts";
import { FakeGit, FakeRepository } from "../fakes/fake-git.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

/** A repository as a person would touch it, whatever is behind it. */
interface Ground {
  readonly git: Git;
  readonly root: string;
  write(worktree: string, name: string, text: string): void;
  remove(worktree: string, name: string): void;
  read(worktree: string, name: string): string | null;
  commit(worktree: string): void;
  detach(): void;
  folder(path: string): void;
}

const repositories: TempRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.dispose();
});

function realGround(files?: Record<string, string>): Ground {
  const repository = new TempRepository(files);
  repositories.push(repository);
  const place = locate(repository.root);
  if (place === null) throw new Error("not located");
  const git = createGit(createCommand("bm-test.command"), place, GIT_ENV, join(repository.folder, "excludes"));
  return {
    git,
    root: repository.root,
    write: (worktree, name, text) => repository.write(worktree, name, text),
    remove: (worktree, name) => repository.remove(worktree, name),
    read: (worktree, name) => repository.read(worktree, name),
    commit: (worktree) => void repository.commit(worktree, "work"),
    detach: () => void repository.git("checkout", "-q", "--detach"),
    folder: (path) => {
      mkdirSync(path, { recursive: true });
      repository.write(path, "mine", "x");
    },
  };
}

function fakeGround(files?: Record<string, string>): Ground {
  const repository = new FakeRepository(files);
  if (files !== undefined && Object.keys(files).length === 0) repository.head = null;
  return {
    git: new FakeGit(repository),
    root: repository.root,
    write: (worktree, name, text) => void Object.assign(repository.filesOf(worktree), { [name]: text }),
    remove: (worktree, name) => void delete repository.filesOf(worktree)[name],
    read: (worktree, name) => repository.filesOf(worktree)[name] ?? null,
    commit: (worktree) => {
      const branch = repository.worktrees.get(worktree)?.branch as Branch;
      const parent = repository.heads.get(branch) as Commit;
      repository.heads.set(branch, repository.commit(repository.filesOf(worktree), [parent]));
    },
    detach: () => {
      repository.head = repository.heads.get("main" as Branch) ?? null;
    },
    folder: (path) => void repository.folders.add(path),
  };
}

const branch = (name: string) => name as Branch;
/** Its work is merged into main, and its branch goes with it. */
const GOES = { base: "main" as Branch, branchStays: false };
const AT = 1_700_000_000_000 as Instant;
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

describe.each([
  ["fake", fakeGround],
  ["git", realGround],
] as const)("Git (%s)", (_, makeGround) => {
  /** A worktree on a new branch `feat/a`, filled. */
  async function worked(ground = makeGround()) {
    const { git, root } = ground;
    const path = `${root}/.banksman/worktrees/feat-a`;
    const { commit: from } = await git.head();
    await git.ensureBranch(branch("feat/a"), from);
    await git.addWorktree(path, branch("feat/a"));
    await git.fillWorktree(path);
    const order = { path, branch: branch("feat/a"), ...GOES, ref: "refs/banksman/backup/feat-a/1", at: AT };
    return { ...ground, path, from, order };
  }

  it("tells HEAD, or why it cannot be worked from", async () => {
    const ground = makeGround();
    expect((await ground.git.head()).branch).toBe("main");
    ground.detach();
    expect(await kindOf(ground.git.head())).toBe("repository.detached");
    expect(await kindOf(makeGround({}).git.head())).toBe("repository.unborn");
  });

  it("sees in one look what is modified, and that it was modified again", async () => {
    const { git, path, from, ...ground } = await worked();
    const clean = await git.work(path);
    expect(clean).toMatchObject({ head: from, branch: "feat/a", files: new Map(), more: 0 });
    ground.write(path, "README", "other\n");
    ground.write(path, "new/one", "1\n");
    ground.write(path, "new/two", "2\n");
    const once = await git.work(path);
    expect([...once.files.keys()]).toEqual(["README", "new/one", "new/two"]);
    expect(await git.work(path)).toEqual(once);
    ground.write(path, "README", "third time\n");
    const again = await git.work(path);
    expect([...again.files.keys()]).toEqual([...once.files.keys()]);
    expect(again.files.get("README")).not.toBe(once.files.get("README"));
    expect(again.files.get("new/one")).toBe(once.files.get("new/one"));
    ground.remove(path, "README");
    expect([...(await git.work(path)).files.keys()]).toEqual([...once.files.keys()]);
    const some = await git.work(path, ["new", "nothing", "READ*"]);
    expect([some.head, [...some.files.keys()]]).toEqual([from, ["new/one", "new/two"]]);
  });

  it("names what is tracked before it leaves out what is too much", async () => {
    const { git, path, ...ground } = await worked();
    ground.write(path, "README", "other\n");
    for (let i = 0; i < 5_001; i++) ground.write(path, `DEPENDENCIES/${i}`, "x");
    const { files, more } = await git.work(path);
    expect([files.size, more, files.has("README")]).toEqual([5_000, 2, true]);
  });

  it("tells what was committed between two looks", async () => {
    const { git, path, from, ...ground } = await worked();
    ground.write(path, "one", "1\n");
    ground.commit(path);
    const first = (await git.work(path)).head as Commit;
    expect(await git.commitsSince(from, first, branch("main"))).toEqual({ count: 1, files: ["one"], anew: false });
    ground.write(path, "two", "2\n");
    ground.commit(path);
    ground.write(path, "README", "x\n");
    ground.commit(path);
    const last = (await git.work(path)).head as Commit;
    expect(await git.commitsSince(first, last, branch("main"))).toEqual({
      count: 2,
      files: ["README", "two"],
      anew: false,
    });
    expect(await git.commitsSince(null, last, branch("main"))).toEqual({
      count: 3,
      files: ["README", "one", "two"],
      anew: false,
    });
    expect(await git.commitsSince(last, first, branch("main"))).toEqual({ count: 0, files: [], anew: false });
    expect(await git.commitsSince(from, from, branch("gone"))).toEqual({ count: 0, files: [], anew: false });
  });

  it("makes a branch once and never moves one", async () => {
    const ground = await worked();
    ground.write(ground.path, "new", "x\n");
    ground.commit(ground.path);
    const tip = (await ground.git.branches()).get(branch("feat/a"));
    await ground.git.ensureBranch(branch("feat/a"), ground.from);
    expect((await ground.git.branches()).get(branch("feat/a"))).toBe(tip);
  });

  it("brings a worktree from absent to empty to filled, each step as often as you like", async () => {
    const { git, root, read } = makeGround();
    const path = `${root}/.banksman/worktrees/feat-a`;
    await git.ensureBranch(branch("feat/a"), (await git.head()).commit);
    expect(await git.worktreeState(path, branch("feat/a"))).toBe("absent");
    await git.addWorktree(path, branch("feat/a"));
    await git.addWorktree(path, branch("feat/a"));
    expect(await git.worktreeState(path, branch("feat/a"))).toBe("empty");
    await git.fillWorktree(path);
    await git.fillWorktree(path);
    expect(await git.worktreeState(path, branch("feat/a"))).toBe("filled");
    expect(read(path, "README")).toBe("hi\n");
    expect(await git.worktrees()).toEqual([
      expect.objectContaining({ path: root, branch: "main", main: true }),
      { path, branch: "feat/a", main: false, missing: false, broken: false, ours: true },
    ]);
  });

  it("knows which worktrees are ours, until they are released or restored", async () => {
    const { git, path, write } = await worked();
    const ours = async () => (await git.worktrees()).map((each) => each.ours);
    expect(await ours()).toEqual([false, true]);
    await git.releaseWorktree(path);
    await git.releaseWorktree(path);
    await git.releaseWorktree(`${path}-none`);
    expect(await ours()).toEqual([false, false]);
    write(path, "new", "x\n");
    const order = {
      path,
      branch: branch("feat/a"),
      ...GOES,
      ref: "refs/banksman/backup/feat-a/1",
      at: 1 as Instant,
    };
    await git.removeWorktree(path, await git.save(order));
    await git.restore({ ref: order.ref, path, branch: branch("feat/a") });
    expect(await ours()).toEqual([false, false]);
  });

  it("does not touch what was changed in a worktree that is filled again", async () => {
    const { git, path, write, read } = await worked();
    write(path, "README", "mine\n");
    write(path, "new", "x\n");
    await git.fillWorktree(path);
    expect([read(path, "README"), read(path, "new")]).toEqual(["mine\n", "x\n"]);
    expect((await git.dirtyFiles(path)).sort()).toEqual(["README", "new"]);
  });

  it("refuses a path that is taken", async () => {
    const { git, root, folder } = makeGround();
    await git.ensureBranch(branch("feat/a"), (await git.head()).commit);
    folder(`${root}/taken`);
    expect(await kindOf(git.addWorktree(`${root}/taken`, branch("feat/a")))).toBe("worktree.occupied");
    expect(await kindOf(git.fillWorktree(`${root}/taken`))).toBe("worktree.occupied");
  });

  it("makes many worktrees asked for at once", async () => {
    const { git, root } = makeGround();
    const { commit } = await git.head();
    const names = Array.from({ length: 12 }, (_each, i) => `feat/${i}`);
    const paths = names.map((name) => `${root}/.banksman/worktrees/${name.replace("/", "-")}`);
    await Promise.all(
      names.map(async (name, i) => {
        await git.ensureBranch(branch(name), commit);
        await git.addWorktree(paths[i] as string, branch(name));
        await git.fillWorktree(paths[i] as string);
      }),
    );
    expect(await Promise.all(paths.map((path, i) => git.worktreeState(path, branch(names[i] ?? ""))))).toEqual(
      paths.map(() => "filled"),
    );
  });

  it("counts what is nowhere else", async () => {
    const { git, path, write, remove, commit } = await worked();
    const unsaved = () => git.unsaved({ path, branch: branch("feat/a"), ...GOES });
    expect(await unsaved()).toEqual({ files: 0, commits: 0 });
    write(path, "one", "1\n");
    commit(path);
    write(path, "two", "2\n");
    remove(path, "README");
    expect(await unsaved()).toEqual({ files: 2, commits: 1 });
  });

  it("saves nothing where there is nothing", async () => {
    const { git, order, from } = await worked();
    expect(await git.save(order)).toMatchObject({ ref: null, tip: from, files: 0, commits: 0 });
    expect(await git.backups()).toEqual({ found: [], unreadable: [] });
  });

  it("saves, removes and restores: changed, new, deleted and committed", async () => {
    const { git, path, order, write, remove, read, commit } = await worked(
      makeGround({ README: "hi\n", gone: "g\n", same: "s\n" }),
    );
    write(path, "committed", "c\n");
    commit(path);
    write(path, "README", "changed\n");
    write(path, "deep/er/new", "n\n");
    remove(path, "gone");
    const saved = await git.save(order);
    expect(saved).toMatchObject({ ref: order.ref, files: 3, commits: 1 });
    await git.removeWorktree(path, saved);
    await git.removeWorktree(path, saved);
    await git.deleteBranch(branch("feat/a"), saved.tip as Commit);
    await git.deleteBranch(branch("feat/a"), saved.tip as Commit);
    expect([await git.worktreeState(path, branch("feat/a")), (await git.branches()).has(branch("feat/a"))]).toEqual([
      "absent",
      false,
    ]);
    expect((await git.backups()).found).toEqual([
      { ref: order.ref, branch: "feat/a", worktree: path, at: AT, files: 3, commits: 1 },
    ]);
    await git.restore({ ref: order.ref, path, branch: branch("feat/a") });
    expect(["README", "deep/er/new", "gone", "committed", "same"].map((name) => read(path, name))).toEqual([
      "changed\n",
      "n\n",
      null,
      "c\n",
      "s\n",
    ]);
    expect((await git.dirtyFiles(path)).sort()).toEqual(["README", "deep/er/new", "gone"]);
    expect((await git.branches()).get(branch("feat/a"))).toBe(saved.tip);
  });

  it("never overwrites a backup: a half-removed worktree cannot spoil its own", async () => {
    const { git, path, order, write, remove, read } = await worked();
    write(path, "new", "x\n");
    await git.save(order);
    remove(path, "new");
    remove(path, "README");
    const again = await git.save(order);
    expect(again.ref).toBe(order.ref);
    await git.removeWorktree(path, again);
    await git.restore({ ref: order.ref, path, branch: branch("feat/a") });
    expect([read(path, "new"), read(path, "README")]).toEqual(["x\n", "hi\n"]);
  });

  it("keeps a worktree in which somebody worked after it was saved, and saves that beside", async () => {
    const { git, path, order, write, read, commit } = await worked();
    write(path, "one", "1\n");
    const first = await git.save(order);
    write(path, "two", "2\n");
    expect(await kindOf(git.removeWorktree(path, first))).toBe("worktree.changed");
    const second = await git.save(order);
    expect([first.ref, second.ref === first.ref, read(path, "two")]).toEqual([order.ref, false, "2\n"]);
    commit(path);
    expect(await kindOf(git.removeWorktree(path, second))).toBe("worktree.changed");
    const third = await git.save(order);
    await git.removeWorktree(path, third);
    await git.restore({ ref: third.ref ?? "", path, branch: branch("feat/a") });
    expect([read(path, "one"), read(path, "two")]).toEqual(["1\n", "2\n"]);
  });

  it("removes without a backup only what holds nothing", async () => {
    const { git, path, order, read, folder, root } = await worked();
    expect(await kindOf(git.removeWorktree(path, null))).toBe("worktree.changed");
    expect(read(path, "README")).toBe("hi\n");
    folder(`${root}/taken`);
    expect(await kindOf(git.removeWorktree(`${root}/taken`, null))).toBe("worktree.changed");
    await git.ensureBranch(branch("feat/b"), (await git.head()).commit);
    await git.addWorktree(`${root}/empty`, branch("feat/b"));
    await git.removeWorktree(`${root}/empty`, null);
    expect((await git.worktrees()).map((each) => each.path)).toEqual([root, path]);
    await git.removeWorktree(path, await git.save(order));
    expect((await git.worktrees()).map((each) => each.path)).toEqual([root]);
  });

  it("saves nothing of a branch that stays", async () => {
    const { git, path, order, write, commit } = await worked();
    write(path, "new", "x\n");
    commit(path);
    expect(await git.save({ ...order, branchStays: true })).toMatchObject({ ref: null, files: 0, commits: 0 });
    write(path, "more", "x\n");
    expect(await git.save({ ...order, branchStays: true })).toMatchObject({ ref: order.ref, files: 1, commits: 0 });
  });

  it("deletes a branch only where it was seen", async () => {
    const { git, path, order, from, write, commit } = await worked();
    write(path, "new", "x\n");
    commit(path);
    await git.removeWorktree(path, await git.save(order));
    expect(await kindOf(git.deleteBranch(branch("feat/a"), from))).toBe("branch.moved");
    expect((await git.branches()).has(branch("feat/a"))).toBe(true);
  });

  it("restores nothing over what is there", async () => {
    const { git, path, order, write, commit, read, folder, root } = await worked();
    write(path, "new", "x\n");
    await git.save(order);
    const restore = (name: string, where: string) => git.restore({ ref: order.ref, path: where, branch: branch(name) });
    expect(await kindOf(restore("feat/a", path))).toBe("worktree.in-use");
    commit(path);
    expect(await kindOf(restore("feat/a", `${root}/elsewhere`))).toBe("backup.branch-moved");
    folder(`${root}/taken`);
    expect(await kindOf(restore("feat/b", `${root}/taken`))).toBe("worktree.in-use");
    await restore("feat/b", `${root}/elsewhere`);
    expect(read(`${root}/elsewhere`, "new")).toBe("x\n");
  });

  it("lists backups newest first", async () => {
    const { git, path, order, write } = await worked();
    write(path, "new", "x\n");
    await git.save(order);
    await git.save({ ...order, ref: "refs/banksman/backup/feat-a/2", at: (AT + 1) as Instant });
    expect((await git.backups()).found.map(({ ref }) => ref.at(-1))).toEqual(["2", "1"]);
  });

  it("hides what we put into worktrees", async () => {
    const { git, path, write } = await worked();
    write(path, ".env", "SECRET=1\n");
    expect(await git.dirtyFiles(path)).toEqual([".env"]);
    await git.hide(["/.env"]);
    expect(await git.dirtyFiles(path)).toEqual([]);
  });
});
