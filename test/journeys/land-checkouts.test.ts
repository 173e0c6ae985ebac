import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LandingStage, namesOf, SUITE, unit } from "../landing/ground.ts";
import { eventually } from "../stage.ts";

let stage: LandingStage;
/** What the gate holds on until it is let go, for trees that have this file. */
const HELD = "src/held.mjs";
const GATE = `[ ! -e ${HELD} ] || { touch "$HOLD/started"; until [ -e "$HOLD/go" ]; do sleep 0.05; done; }; node test/all.mjs`;

beforeEach(async () => {
  const files = { ...SUITE, README: "one\ntwo\n", notes: "mine\n", ".gitignore": "ignored\n" };
  stage = await LandingStage.make('[verify]\nenv = ["HOLD"]\n[land]\ntarget = "main"\n', files, GATE);
  stage.env = { ...stage.env, HOLD: stage.repo.folder };
});
afterEach(() => stage.dispose());

const status = (at = stage.root) =>
  stage.repo
    .gitIn(at, "status", "--short")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** What a person commits next, with everything they have changed, has just that in it. */
function commitAll(files: readonly string[], at = stage.root): void {
  stage.repo.gitIn(at, "commit", "-q", "-a", "-m", "By hand");
  const changed = stage.repo.gitIn(at, "diff", "--name-only", "HEAD~1", "HEAD").split("\n");
  expect(changed).toEqual(files);
}

let made = 0;
/** A branch with a change of README, a new file and a test of it. */
const feature = (more: Readonly<Record<string, string>> = {}): string => {
  const name = `part${++made}`;
  stage.branch(`feat/${name}`, { ...unit(name, `export const it = ${made};\n`, `its.it === ${made}`), ...more });
  return `feat/${name}`;
};

describe("main is checked out", () => {
  it("clean, or changed where nothing lands: the checkout follows, and what is changed stays", async () => {
    const clean = feature({ README: `one\ntwo\n${made}\n` });
    expect(namesOf((await stage.land(clean)).landed)).toEqual([clean]);
    expect([status(), stage.repo.read(stage.root, "README")]).toEqual([
      [],
      stage.repo.git("show", "main:README") + "\n",
    ]);
    stage.repo.write(stage.root, "notes", "changed\n");
    commitAll(["notes"]);

    stage.repo.write(stage.root, "notes", "changed again\n");
    stage.repo.write(stage.root, "staged", "to be added\n");
    stage.repo.write(stage.root, "untracked", "of mine\n");
    stage.repo.git("add", "staged");
    const other = feature();
    expect(namesOf((await stage.land(other)).landed)).toEqual([other]);
    expect(status()).toEqual(["M notes", "A  staged", "?? untracked"]);
    commitAll(["notes", "staged"]);
    expect(stage.broken(stage.tips([clean, other]))).toEqual([]);
  });

  it("changed where something would land: it waits with a sentence, and lands when that is settled", async () => {
    const before = stage.repo.git("rev-parse", "main");
    const name = feature({ README: "landed\n", "new/file": "landed\n", ignored: "landed\n" });
    const inTheWay: [path: string, undo: () => void][] = [
      ["README", () => stage.repo.git("checkout", "--", "README")],
      ["new/file", () => stage.repo.remove(stage.root, "new/file")],
      // read-tree would overwrite it without a word.
      ["ignored", () => stage.repo.remove(stage.root, "ignored")],
    ];
    for (const [path, undo] of inTheWay) {
      stage.repo.write(stage.root, path, "mine\n");
      const { landed, waiting } = await stage.land(name);
      expect([landed, waiting.map(({ because }) => because)]).toEqual([
        [],
        [
          expect.stringMatching(
            new RegExp(`has uncommitted changes in ${path}, which the landing touches: commit or stash`),
          ),
        ],
      ]);
      expect([stage.repo.git("rev-parse", "main"), stage.repo.read(stage.root, path)]).toEqual([before, "mine\n"]);
      expect(existsSync(join(stage.root, ".git/index.lock"))).toBe(false);
      undo();
    }
    expect(namesOf((await stage.land(name)).landed)).toEqual([name]);
    expect([status(), stage.repo.read(stage.root, "ignored")]).toEqual([[], "landed\n"]);
  });

  it("in two worktrees: both follow; nowhere: none is touched", async () => {
    const second = join(stage.repo.folder, "second");
    stage.repo.git("worktree", "add", "-q", "--force", second, "main");
    const both = feature({ README: "landed\n" });
    expect(namesOf((await stage.land(both)).landed)).toEqual([both]);
    for (const at of [stage.root, second]) {
      expect([status(at), stage.repo.read(at, "README")]).toEqual([[], "landed\n"]);
      stage.repo.write(at, "notes", "by hand\n");
    }
    // Dirty in one of two is in the way of both.
    const third = feature({ notes: "landed\n" });
    expect((await stage.land(third)).waiting[0]?.because).toMatch(/uncommitted changes in notes/);
    expect([status(), status(second)]).toEqual([["M notes"], ["M notes"]]);
    commitAll(["notes"], second);
    stage.repo.git("reset", "-q", "--hard");
    stage.repo.git("checkout", "-q", "--detach");
    stage.repo.gitIn(second, "checkout", "-q", "--detach");
    const head = stage.repo.git("rev-parse", "HEAD");
    const last = feature({ README: "landed again\n" });
    expect(namesOf((await stage.land(last)).landed)).toEqual([last]);
    expect([stage.repo.git("rev-parse", "HEAD"), status(), stage.repo.read(stage.root, "README")]).toEqual([
      head,
      [],
      "landed\n",
    ]);
    expect(stage.repo.git("show", "main:README")).toBe("landed again");
  });

  it("is not taken for a tag of the same name", async () => {
    const name = feature({ README: "landed\n" });
    for (const tag of ["main", name]) stage.repo.git("tag", tag, "refs/heads/main");
    expect(namesOf((await stage.land(name)).landed)).toEqual([name]);
    expect([status(), stage.repo.read(stage.root, "README")]).toEqual([[], "landed\n"]);
  });

  it("and being rebased, bisected or merged into: it waits", async () => {
    stage.branch("other", { README: "other\n" });
    stage.repo.write(stage.root, "README", "mine\n");
    stage.repo.commit(stage.root, "mine");
    expect(() => stage.repo.git("rebase", "-q", "other")).toThrow();
    const name = feature();
    expect((await stage.land(name)).waiting[0]?.because).toMatch(
      /a rebase of main is under way in .*: finish it, or abort it/,
    );
    stage.repo.git("rebase", "--abort");
    expect(() => stage.repo.git("cherry-pick", "other")).toThrow();
    expect((await stage.land(name)).waiting[0]?.because).toMatch(/a cherry-pick or revert on main is under way/);
    stage.repo.git("cherry-pick", "--quit");
    expect((await stage.land(name)).waiting[0]?.because).toMatch(/has conflicts that are not resolved/);
    stage.repo.git("reset", "-q", "--hard");
    stage.repo.git("bisect", "start");
    expect((await stage.land(name)).waiting[0]?.because).toMatch(/a bisection of main is under way/);
    stage.repo.git("bisect", "reset");
    expect(() => stage.repo.git("merge", "-q", "other")).toThrow();
    expect((await stage.land(name)).waiting[0]?.because).toMatch(/a merge into main is under way/);
    stage.repo.git("merge", "--abort");
    expect(namesOf((await stage.land(name)).landed)).toEqual([name]);
  });
});

describe("while a train is tested", () => {
  const held = () => eventually(() => existsSync(join(stage.repo.folder, "started")));
  const letGo = () => stage.repo.write(stage.repo.folder, "go", "");

  it("a person commits to main: everything is put together again on top of that", async () => {
    const [first, second] = [feature({ [HELD]: "" }), feature()];
    const tips = stage.tips([first, second]);
    const landing = stage.land(first, second);
    await held();
    stage.repo.write(stage.root, "notes", "by hand\n");
    const mine = stage.repo.commit(stage.root, "By hand");
    letGo();
    const { landed } = await landing;
    expect(namesOf(landed)).toEqual([first, second]);
    expect(stage.repo.git("log", "--reverse", "--format=%s", `${mine}^..main`).split("\n")).toEqual([
      "By hand",
      first,
      second,
    ]);
    expect([status(), stage.broken(tips)]).toEqual([[], []]);
  });

  it("somebody pushes to the upstream: the push is refused, theirs is taken first, and ours lands on it", async () => {
    const origin = join(stage.repo.folder, "origin.git");
    const theirs = join(stage.repo.folder, "theirs");
    stage.repo.git("clone", "-q", "--bare", stage.root, origin);
    stage.repo.git("remote", "add", "origin", origin);
    stage.repo.git("fetch", "-q", "origin");
    stage.repo.git("branch", "-q", "--set-upstream-to", "origin/main");
    stage.repo.git("clone", "-q", origin, theirs);
    stage.repo.write(
      stage.root,
      ".banksman/config.toml",
      `${stage.repo.read(stage.root, ".banksman/config.toml")}push = true\n`,
    );
    stage.repo.commit(stage.root, "Push what lands");
    stage.repo.git("push", "-q");
    await stage.ok("trust", "--yes");
    const name = feature({ [HELD]: "" });
    const landing = stage.land(name);
    await held();
    stage.repo.gitIn(theirs, "pull", "-q");
    stage.repo.write(theirs, "notes", "pushed\n");
    stage.repo.commit(theirs, "Pushed");
    stage.repo.gitIn(theirs, "push", "-q");
    letGo();
    const { landed, waiting } = await landing;
    expect([namesOf(landed), waiting]).toEqual([[name], []]);
    const log = (at: string) => stage.repo.gitIn(at, "log", "-3", "--format=%s", "main").split("\n");
    expect([log(stage.root), log(origin)]).toEqual([
      [name, "Pushed", "Push what lands"],
      [name, "Pushed", "Push what lands"],
    ]);
    expect([status(), stage.broken(stage.tips([name]))]).toEqual([[], []]);
  });
});

it("a branch that has landed goes on: only what is new of it lands", async () => {
  const [first, name] = [feature(), feature()];
  expect(namesOf((await stage.land(first, name)).landed)).toEqual([first, name]);
  stage.branch(name, unit("later", "export const it = 1;\n", "its.it === 1"), name, "Later");
  const before = stage.repo.git("rev-parse", "main");
  expect(namesOf((await stage.land(name)).landed)).toEqual([name]);
  expect(stage.repo.git("log", "--format=%s", `${before}..main`)).toBe("Later");
  expect(stage.broken(stage.tips([first, name]))).toEqual([]);
  // And taken back: a tested commit that undoes it.
  const undone = JSON.parse((await stage.bm("land", "--undo", name, "--yes", "--json")).out);
  expect(namesOf(undone.landed)).toEqual([`undo of ${name}`]);
  expect([stage.repo.git("rev-parse", "main^{tree}"), status()]).toEqual([
    stage.repo.git("rev-parse", `${before}^{tree}`),
    [],
  ]);
  // Its commits are on main, and what they did is not: that is no landing.
  const again = await stage.land(name);
  expect([namesOf(again.landed), namesOf(again.skipped)]).toEqual([[], [name]]);
  const unasked = await stage.bm("land", "--undo", first);
  expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining("repeat with --yes")]);
});
