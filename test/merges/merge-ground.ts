import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPredictor } from "../../src/adapters/git/predictor.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Prediction } from "../../src/core/conflicts/prediction.ts";
import type { Commit } from "../../src/core/text/ids.ts";
import type { WorkCommit } from "../../src/ports/predictor.ts";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import type { Scenario } from "./kinds.ts";
import { change, type Dice, type Tree } from "./tree.ts";

/** What is asked of a merge: whether it conflicts, and where. */
export interface Verdict {
  readonly conflict: boolean;
  readonly paths: readonly string[];
}

export interface Trial {
  readonly predicted: Prediction;
  /** The same two the other way round, and their commits as plain refs, once there are any. */
  readonly reversed: Prediction;
  readonly ofRefs: Prediction;
  readonly presents: readonly [WorkCommit, WorkCommit];
  readonly real: Verdict;
}

/** How much of a side's work git has been told of. */
const STATES = ["committed", "staged", "uncommitted", "some of each"] as const;

/** One repository with two worktrees, in which merge after merge is predicted, and then really made. */
export class MergeGround {
  private readonly repo = new TempRepository({});
  private readonly submodule = join(this.repo.folder, "submodule");
  private readonly a = join(this.repo.folder, "a");
  private readonly b = join(this.repo.folder, "b");
  private readonly predictor = createPredictor(
    createCommand("bm-test.command"),
    { commonDir: join(this.repo.root, ".git"), quarantine: join(this.repo.folder, "quarantine") },
    GIT_ENV,
  );

  constructor() {
    this.repo.git("commit", "-q", "--allow-empty", "-m", "nothing");
    for (const name of ["a", "b"] as const) this.repo.git("worktree", "add", "-q", "-b", name, this[name]);
    this.makeSubmodule();
  }

  async try({ base, ours, theirs, config = {}, history }: Scenario, dice: Dice): Promise<Trial> {
    for (const [key, value] of Object.entries(config)) this.repo.git("config", key, value);
    const root = this.rootCommit(base);
    const [ourBase, theirBase] = this.past(root, base, history);
    this.work(this.a, ourBase, history === "main went on" ? change(ours, { MAIN: "went on\n" }) : ours, dice);
    this.work(this.b, theirBase, theirs, dice);
    const presents = [await this.present(this.a, root), await this.present(this.b, root)] as const;
    const [one, two] = [presents[0].commit, presents[1].commit];
    const pairs = [
      { ours: one, theirs: two },
      { ours: two, theirs: one },
    ];
    const [predicted, reversed] = (await this.predictor.predict({ pairs, worktree: this.a })) as [
      Prediction,
      Prediction,
    ];
    const commits = [this.finish(this.a), this.finish(this.b)] as const;
    const ofRefs = await this.predictor.predict({ pairs: [{ ours: commits[0], theirs: commits[1] }], worktree: null });
    const real = this.merge();
    for (const key of Object.keys(config)) this.repo.git("config", "--unset", key);
    return { predicted, reversed, ofRefs: ofRefs[0] as Prediction, presents, real };
  }

  dispose(): void {
    this.repo.dispose();
  }

  private present(path: string, base: Commit): Promise<WorkCommit> {
    return this.predictor.workCommit({ path, base, skip: [] });
  }

  private rootCommit(base: Tree): Commit {
    this.lay(this.a, base);
    this.repo.gitIn(this.a, "add", "--all");
    const tree = this.repo.gitIn(this.a, "write-tree");
    return this.repo.git("commit-tree", "-m", "base", tree) as Commit;
  }

  /** Where each side starts from. */
  private past(root: Commit, base: Tree, history: Scenario["history"]): [string, string] {
    const { repo } = this;
    if (history === undefined) return [root, root];
    const on = (files: Tree, ...parents: string[]) => {
      this.lay(this.a, files);
      repo.gitIn(this.a, "add", "--all");
      const tree = repo.gitIn(this.a, "write-tree");
      return repo.git("commit-tree", "-m", "past", ...parents.flatMap((each) => ["-p", each]), tree);
    };
    if (history === "main went on") return [on(change(base, { MAIN: "went on\n" }), root), root];
    const [left, right] = [on(change(base, { LEFT: "l\n" }), root), on(change(base, { RIGHT: "r\n" }), root)];
    const both = change(base, { LEFT: "l\n", RIGHT: "r\n" });
    return [on(both, left, right), on(both, right, left)];
  }

  private work(worktree: string, from: string, files: Tree, dice: Dice): void {
    const { repo } = this;
    this.clear(worktree);
    repo.gitIn(worktree, "reset", "-q", "--hard", from);
    this.lay(worktree, files);
    const state = dice.pick(STATES);
    if (state === "committed") this.finish(worktree);
    if (state === "staged") repo.gitIn(worktree, "add", "--all");
    if (state === "some of each") {
      const names = Object.keys(files).filter(() => dice.below(2) === 0);
      if (names.length > 0) repo.gitIn(worktree, "--literal-pathspecs", "add", "--", ...names);
      if (dice.below(2) === 0) repo.gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "some");
    }
  }

  private finish(worktree: string): Commit {
    this.repo.gitIn(worktree, "add", "--all");
    this.repo.gitIn(worktree, "commit", "-q", "--allow-empty", "-m", "work");
    return this.repo.gitIn(worktree, "rev-parse", "HEAD") as Commit;
  }

  private merge(): Verdict {
    const { status } = spawnSync("git", ["merge", "-q", "--no-edit", "b"], { cwd: this.a, env: GIT_ENV });
    const unmerged = spawnSync("git", ["ls-files", "-u", "-z"], { cwd: this.a, env: GIT_ENV }).stdout.toString("utf8");
    const names = unmerged.split("\0").filter((line) => line !== "");
    const paths = names.map((line) => line.slice(line.indexOf("\t") + 1).replace(/~(HEAD|b)(_\d+)?(?=\/|$)/, ""));
    return { conflict: status !== 0, paths: [...new Set(paths)].sort() };
  }

  private clear(worktree: string): void {
    for (const name of readdirSync(worktree))
      if (name !== ".git") rmSync(join(worktree, name), { recursive: true, force: true });
  }

  private lay(worktree: string, files: Tree): void {
    this.clear(worktree);
    for (const [name, entry] of Object.entries(files)) {
      const path = join(worktree, name);
      mkdirSync(dirname(path), { recursive: true });
      if ("link" in entry) symlinkSync(entry.link, path);
      else if ("submodule" in entry) cpSync(join(this.submodule, String(entry.submodule)), path, { recursive: true });
      else {
        writeFileSync(path, Buffer.from(entry.file, "latin1"));
        if (entry.executable) chmodSync(path, 0o755);
      }
    }
  }

  /** Four clones of one repository, each at another commit: 0 ← 1 ← 2, and 3 beside 1. */
  private makeSubmodule(): void {
    const { repo, submodule } = this;
    const source = join(submodule, "source");
    mkdirSync(source, { recursive: true });
    repo.gitIn(source, "init", "-q", "-b", "main");
    const commits = ["0", "1", "2"].map((text) => {
      repo.write(source, "x", `${text}\n`);
      return repo.commit(source, text);
    });
    repo.gitIn(source, "checkout", "-q", "-b", "side", commits[0] as string);
    repo.write(source, "x", "3\n");
    commits.push(repo.commit(source, "3"));
    for (const [i, commit] of commits.entries()) {
      repo.gitIn(submodule, "clone", "-q", source, String(i));
      repo.gitIn(join(submodule, String(i)), "checkout", "-q", "--detach", commit);
    }
  }
}
