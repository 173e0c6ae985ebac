import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGit } from "../../src/adapters/git/git.ts";
import { locate } from "../../src/adapters/git/locate.ts";
import { createPredictor } from "../../src/adapters/git/predictor.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Branch, Commit } from "../../src/core/text/ids.ts";
import type { Git } from "../../src/ports/git.ts";
import type { Predictor } from "../../src/ports/predictor.ts";
import { FakeGit, FakeRepository } from "../fakes/fake-git.ts";
import { FakePredictor } from "../fakes/fake-predictor.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";

/** A repository with two agents' worktrees, whatever is behind it. */
interface Ground {
  readonly git: Git;
  readonly predictor: Predictor;
  readonly root: string;
  write(worktree: string, name: string, text: string): void;
  remove(worktree: string, name: string): void;
  commit(worktree: string): void;
}

const repositories: TempRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.dispose();
});

function realGround(files: Record<string, string>): Ground {
  const repo = new TempRepository(files);
  repositories.push(repo);
  const place = locate(repo.root);
  if (place === null) throw new Error("not located");
  const command = createCommand("bm-test.command");
  const excludes = join(repo.folder, "excludes");
  return {
    git: createGit(command, place, GIT_ENV, excludes),
    predictor: createPredictor(command, { ...place, quarantine: join(repo.folder, "quarantine"), excludes }, GIT_ENV),
    root: repo.root,
    write: (worktree, name, text) => repo.write(worktree, name, text),
    remove: (worktree, name) => repo.remove(worktree, name),
    commit: (worktree) => void repo.commit(worktree, "work"),
  };
}

function fakeGround(files: Record<string, string>): Ground {
  const repo = new FakeRepository(files);
  return {
    git: new FakeGit(repo),
    predictor: new FakePredictor(repo),
    root: repo.root,
    write: (worktree, name, text) => void Object.assign(repo.filesOf(worktree), { [name]: text }),
    remove: (worktree, name) => void delete repo.filesOf(worktree)[name],
    commit: (worktree) => {
      const branch = repo.worktrees.get(worktree)?.branch as Branch;
      repo.heads.set(branch, repo.commit(repo.filesOf(worktree), [repo.heads.get(branch) as Commit]));
    },
  };
}

const BASE = { f: "1\n2\n3\n4\n5\n6\n7\n8\n9\n", other: "x\n", gone: "g\n" };

describe.each([
  ["fake", fakeGround],
  ["real", realGround],
])("Predictor, %s", (_name, makeGround) => {
  async function two(files: Record<string, string> = BASE) {
    const ground = makeGround(files);
    const { commit: base } = await ground.git.head();
    const [a, b] = ["a", "b"].map((name) => `${ground.root}/.banksman/worktrees/${name}`) as [string, string];
    for (const [path, name] of [
      [a, "feat/a"],
      [b, "feat/b"],
    ] as const) {
      await ground.git.ensureBranch(name as Branch, base);
      await ground.git.addWorktree(path, name as Branch);
      await ground.git.fillWorktree(path);
    }
    const present = (path: string, skip: string[] = []) => ground.predictor.workCommit({ path, base, skip });
    const predict = async () => {
      const [ours, theirs] = [(await present(a)).commit, (await present(b)).commit];
      return (await ground.predictor.predict({ pairs: [{ ours, theirs }], worktree: a }))[0];
    };
    return { ...ground, base, a, b, present, predict };
  }

  it("takes a clean worktree for its HEAD, and a changed one for the same commit again", async () => {
    const { present, a, base, write } = await two();
    expect(await present(a)).toMatchObject({ commit: base, head: base, changed: [], skipped: [] });
    write(a, "f", "one\n");
    const first = await present(a);
    expect([first.commit !== base, first.head]).toEqual([true, base]);
    expect(await present(a)).toEqual(first);
    write(a, "f", BASE.f);
    expect((await present(a)).commit).toBe(base);
  });

  it("says what is changed since the base: committed, uncommitted, new and removed", async () => {
    const { present, a, write, remove, commit } = await two();
    write(a, "other", "y\n");
    commit(a);
    write(a, "f", "one\n");
    write(a, "deep/new", "n\n");
    remove(a, "gone");
    const { changed } = await present(a);
    expect(changed.map(({ path, how }) => `${how} ${path}`).sort()).toEqual([
      "added deep/new",
      "changed f",
      "changed other",
      "removed gone",
    ]);
    write(a, "f", "two\n");
    const again = (await present(a)).changed;
    const same = again.filter(({ path, content }) =>
      changed.some((each) => each.path === path && each.content === content),
    );
    expect(same.map(({ path }) => path).sort()).toEqual(["deep/new", "gone", "other"]);
  });

  it("shows what is changed since the base as a patch, uncommitted work included", async () => {
    const { a, base, write, predictor } = await two();
    write(a, "f", "one\ntwo\nTHREE\n");
    write(a, "new", "fresh\n");
    const { commit: present } = await predictor.workCommit({ path: a, base, skip: [] });
    const patch = await predictor.diff({ base, commit: present, stat: false, colours: false });
    expect(patch).toMatch(/\+THREE/);
    expect(patch).toMatch(/\+fresh/);
    const stat = await predictor.diff({ base, commit: present, stat: true, colours: false });
    expect([stat.includes("new"), stat.includes("+fresh")]).toEqual([true, false]);
  });

  it("puts present work together on a commit, and leaves out who conflicts with those before", async () => {
    const { present, a, b, base, write, predictor } = await two();
    write(a, "f", BASE.f.replace("2", "two"));
    write(b, "f", BASE.f.replace("8", "eight"));
    const [one, other] = [(await present(a)).commit, (await present(b)).commit];
    const both = await predictor.combine({ onto: base, commits: [one, other] });
    expect(both.left).toEqual([]);
    const patch = await predictor.diff({ base, commit: both.commit, stat: false, colours: false });
    expect([/\+two/.test(patch), /\+eight/.test(patch)]).toEqual([true, true]);
    expect((await predictor.combine({ onto: base, commits: [other, one] })).tree).toBe(both.tree);
    write(b, "f", BASE.f.replace("2", "zwei"));
    const against = (await present(b)).commit;
    const left = await predictor.combine({ onto: base, commits: [one, against] });
    expect(left).toMatchObject({ left: [1] });
    expect(left.tree).toBe((await predictor.combine({ onto: base, commits: [one] })).tree);
    expect(predictor.objects()).toHaveLength(1);
  });

  it("leaves out what it is told to", async () => {
    const { present, a, base, write } = await two();
    write(a, "copied", "c\n");
    expect(await present(a, ["copied"])).toMatchObject({ commit: base, changed: [], skipped: ["copied"] });
  });

  it("sees two uncommitted edits of one line, with what each side has", async () => {
    const { predict, a, b, write } = await two();
    write(a, "f", BASE.f.replace("5", "five"));
    write(b, "f", BASE.f.replace("5", "FIVE"));
    expect(await predict()).toEqual({
      outcome: "conflict",
      shared: ["f"],
      files: [{ path: "f", kind: "content", hunks: [{ line: 5, base: ["5"], ours: ["five"], theirs: ["FIVE"] }] }],
    });
  });

  it("tells a file both changed apart from one in conflict, and both from nothing in common", async () => {
    const { predict, a, b, write, commit } = await two();
    write(a, "f", BASE.f.replace("2", "two"));
    commit(a);
    write(b, "other", "y\n");
    expect(await predict()).toEqual({ outcome: "disjoint", shared: [], files: [] });
    write(b, "f", BASE.f.replace("8", "eight"));
    expect(await predict()).toEqual({ outcome: "same-file", shared: ["f"], files: [] });
  });

  it("sees an edit of what the other removes, and two new files of one name", async () => {
    const { predict, a, b, write, remove } = await two();
    write(a, "gone", "edited\n");
    write(a, "new", "a\n");
    remove(b, "gone");
    write(b, "new", "b\n");
    const { files = [] } = (await predict()) ?? {};
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ["gone", "modify/delete"],
      ["new", "add/add"],
    ]);
  });

  it("answers for many pairs at once, in their order", async () => {
    const { predictor, present, a, b, base, write } = await two();
    write(a, "f", BASE.f.replace("5", "five"));
    write(b, "f", BASE.f.replace("5", "FIVE"));
    const [ours, theirs] = [(await present(a)).commit, (await present(b)).commit];
    const pairs = [
      { ours, theirs: base },
      { ours, theirs },
      { ours: base, theirs },
      { ours: theirs, theirs: ours },
    ];
    const outcomes = (await predictor.predict({ pairs, worktree: a })).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["disjoint", "conflict", "disjoint", "conflict"]);
    expect(await predictor.predict({ pairs: [], worktree: a })).toEqual([]);
  });

  it("knows what a name stands for", async () => {
    const { predictor, base } = await two();
    expect(await predictor.commitOf("feat/a")).toBe(base);
    expect(await predictor.commitOf("no-such-thing")).toBe(null);
    expect(await predictor.commitOf(base)).toBe(base);
  });
});
