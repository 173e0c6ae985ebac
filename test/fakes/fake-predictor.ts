import type { Change, ConflictFile, Prediction } from "../../src/core/conflicts/prediction.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import type { Branch, Commit } from "../../src/core/text/ids.ts";
import type {
  CombinedWork,
  CombineOrder,
  DiffOrder,
  Pair,
  PredictOrder,
  Predictor,
  WorkCommit,
  WorkCommitOrder,
} from "../../src/ports/predictor.ts";
import type { FakeRepository, Tree } from "./fake-git.ts";

/**
 * Merges of a repository in memory. Files that keep their number of lines are merged line by line, with git's rule that
 * lines beside each other touch; of all others, two different versions are a conflict.
 */
export class FakePredictor implements Predictor {
  private readonly presents = new Map<Commit, { tree: Tree; head: Commit }>();
  /** Every pair that was really merged. */
  readonly merged: Pair[] = [];
  generation = 1;

  constructor(private readonly repo: FakeRepository) {}

  async commitOf(name: string): Promise<Commit | null> {
    const branch = name.replace(/^refs\/heads\//, "") as Branch;
    return this.repo.heads.get(branch) ?? (this.repo.commits.has(name as Commit) ? (name as Commit) : null);
  }

  async workCommit({ path, base, skip }: WorkCommitOrder): Promise<WorkCommit> {
    const worktree = this.repo.worktrees.get(path);
    if (worktree === undefined) throw new Failed({ kind: "worktree.occupied", path });
    const head = this.repo.heads.get(worktree.branch) as Commit;
    const dirty = worktree.files === null ? [] : this.repo.changed(path);
    const skipped = dirty.filter((name) => skip.includes(name));
    const seen = dirty.filter((name) => !skip.includes(name));
    const tree: Record<string, string> = { ...this.repo.tree(head) };
    for (const name of seen) {
      const text = worktree.files?.[name];
      if (text === undefined) delete tree[name];
      else tree[name] = text;
    }
    const commit = seen.length === 0 ? head : (`present ${head} ${JSON.stringify(tree)}` as Commit);
    if (commit !== head) this.presents.set(commit, { tree, head });
    const changed = changes(this.treeOf(this.fork(base, commit)), tree);
    return { commit, head, changed, skipped, store: this.store() };
  }

  async predict({ pairs }: PredictOrder): Promise<Prediction[]> {
    this.merged.push(...pairs);
    return pairs.map(({ ours, theirs }) =>
      merge(this.treeOf(this.fork(ours, theirs)), this.treeOf(ours), this.treeOf(theirs)),
    );
  }

  async combine({ onto, commits }: CombineOrder): Promise<CombinedWork> {
    let [commit, tree] = [onto, this.treeOf(onto)];
    const left: number[] = [];
    for (const [i, theirs] of commits.entries()) {
      const base = this.treeOf(this.fork(commit, theirs));
      const other = this.treeOf(theirs);
      if (merge(base, tree, other).outcome === "conflict") {
        left.push(i);
        continue;
      }
      tree = mergedTree(base, tree, other);
      commit = `together ${commit} ${theirs}` as Commit;
      this.presents.set(commit, { tree, head: onto });
    }
    return { commit, tree: JSON.stringify(tree), left };
  }

  objects = () => [this.store()];

  /** Not as git words it; but what is gone, and what is new. */
  async diff({ base, commit, stat }: DiffOrder): Promise<string> {
    const [from, to] = [this.treeOf(this.fork(base, commit)), this.treeOf(commit)];
    const patch = ({ path }: Change) => [
      `+++ b/${path}`,
      ...linesOf(from[path]).map((line) => `-${line}`),
      ...linesOf(to[path]).map((line) => `+${line}`),
    ];
    return changes(from, to)
      .flatMap((change) => (stat ? [change.path] : patch(change)))
      .join("\n");
  }

  store = () => String(this.generation);
  close = async () => this.presents.clear();

  private treeOf(commit: Commit | null): Tree {
    return commit === null ? {} : (this.presents.get(commit)?.tree ?? this.repo.tree(commit));
  }

  /** The nearest commit both come from: ids of the fake grow. */
  private fork(a: Commit, b: Commit): Commit | null {
    const all = (commit: Commit) => this.repo.reachable(this.presents.get(commit)?.head ?? commit, []);
    const theirs = new Set(all(b));
    return (
      all(a)
        .filter((each) => theirs.has(each))
        .sort()
        .at(-1) ?? null
    );
  }
}

function changes(before: Tree, after: Tree): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((path) => before[path] !== after[path])
    .map((path) => ({
      path,
      how: before[path] === undefined ? "added" : after[path] === undefined ? "removed" : "changed",
      content: after[path] ?? "",
    }));
}

function merge(base: Tree, ours: Tree, theirs: Tree): Prediction {
  const both = changes(base, ours)
    .map(({ path }) => path)
    .filter((path) => base[path] !== theirs[path] && ours[path] !== theirs[path]);
  const files = both.flatMap((path): ConflictFile[] => {
    const [o, a, b] = [base[path], ours[path], theirs[path]];
    if (a === undefined || b === undefined) return [{ path, kind: "modify/delete", hunks: [] }];
    if (o === undefined)
      return [{ path, kind: "add/add", hunks: [{ line: 1, base: [], ours: lines(a), theirs: lines(b) }] }];
    const line = conflictLine(lines(o), lines(a), lines(b));
    const at = (text: string) => lines(text).slice(line - 1, line);
    return line === 0 ? [] : [{ path, kind: "content", hunks: [{ line, base: at(o), ours: at(a), theirs: at(b) }] }];
  });
  const shared = both.filter((path) => ours[path] !== undefined && theirs[path] !== undefined);
  return { outcome: files.length > 0 ? "conflict" : shared.length > 0 ? "same-file" : "disjoint", shared, files };
}

/** Of what merges: who has changed a file, or a line of it, has his way. */
function mergedTree(base: Tree, ours: Tree, theirs: Tree): Tree {
  const merged: Record<string, string> = {};
  for (const path of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const [o, a, b] = [base[path], ours[path], theirs[path]];
    const text = a === o ? b : b === o || a === b ? a : mergedLines(o ?? "", a ?? "", b ?? "");
    if (text !== undefined) merged[path] = text;
  }
  return merged;
}

function mergedLines(base: string, ours: string, theirs: string): string {
  const [o, a, b] = [lines(base), lines(ours), lines(theirs)];
  return `${a.map((line, i) => (line === o[i] ? b[i] : line)).join("\n")}\n`;
}

const linesOf = (text: string | undefined): string[] => (text === undefined ? [] : lines(text));
const lines = (text: string): string[] => text.replace(/\n$/, "").split("\n");

/** The first line at which both differ from the base, at it or beside it; 0 where there is none. */
function conflictLine(base: readonly string[], ours: readonly string[], theirs: readonly string[]): number {
  if (ours.length !== base.length || theirs.length !== base.length) return 1;
  const near = (i: number) => [i - 1, i, i + 1].some((j) => j in theirs && theirs[j] !== base[j]);
  return base.findIndex((line, i) => ours[i] !== line && near(i) && ours[i] !== theirs[i]) + 1;
}
