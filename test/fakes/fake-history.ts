import type { KnownChange } from "../../src/core/gates/changed-files.ts";
import { fnv1a64 } from "../../src/core/text/hash.ts";
import type { Commit } from "../../src/core/text/ids.ts";
import type { History } from "../../src/ports/history.ts";
import type { FakeRepository, Tree } from "./fake-git.ts";

/** What git calls a tree: the same files have the same name. */
export const treeName = (tree: Tree): string =>
  `${fnv1a64(JSON.stringify(Object.entries(tree).sort()))}${"0".repeat(24)}`;

/** History over a repository in memory. Renames are not found out: it is a deletion and an addition. */
export class FakeHistory implements History {
  constructor(private readonly repo: FakeRepository) {}

  async commitOf(name: string): Promise<Commit | null> {
    const { heads, commits } = this.repo;
    return (
      heads.get(name.replace(/^refs\/heads\//, "") as never) ?? (commits.has(name as Commit) ? (name as Commit) : null)
    );
  }

  treeOf = async (commit: Commit): Promise<string> => treeName(this.repo.tree(commit));

  isContained = async (commit: Commit, other: Commit): Promise<boolean> =>
    this.repo.reachable(other, []).includes(commit);

  async mergeBase(one: Commit, other: Commit): Promise<Commit | null> {
    const theirs = new Set(this.repo.reachable(other, []));
    return this.repo.reachable(one, []).find((commit) => theirs.has(commit)) ?? null;
  }

  async graph(tips: readonly Commit[], not: Commit) {
    const all = new Set(tips.flatMap((tip) => this.repo.reachable(tip, [not])));
    return new Map([...all].map((commit) => [commit, this.repo.commits.get(commit)?.parents ?? []]));
  }

  async changes(from: Commit, to: Commit) {
    const [before, after] = [this.repo.tree(from), this.repo.tree(to)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return names
      .filter((path) => before[path] !== after[path])
      .map((path): KnownChange => {
        const how = before[path] === undefined ? "added" : after[path] === undefined ? "deleted" : "changed";
        const ids = [before[path], after[path]].map((text) => (text === undefined ? "" : fnv1a64(text)));
        return { path, how, ids: ids as [string, string] };
      });
  }

  async ids(commit: Commit, paths: readonly string[]) {
    const tree = this.repo.tree(commit);
    const names = paths.map((path) => path.replace(/\/$/, ""));
    return new Map(names.filter((path) => tree[path] !== undefined).map((path) => [path, fnv1a64(tree[path] ?? "")]));
  }

  async texts(commit: Commit, paths: readonly string[]) {
    const tree = this.repo.tree(commit);
    return new Map(paths.filter((path) => tree[path] !== undefined).map((path) => [path, tree[path] ?? ""]));
  }

  paths = async (commit: Commit) => Object.keys(this.repo.tree(commit)).sort();

  async lines(from: Commit, to: Commit, paths: readonly string[]) {
    const [before, after] = [this.repo.tree(from), this.repo.tree(to)];
    const linesOf = (text: string | undefined) => (text === undefined ? [] : text.replace(/\n$/, "").split("\n"));
    return paths
      .filter((path) => before[path] !== after[path])
      .map((path) => {
        const [old, now] = [linesOf(before[path]), linesOf(after[path])];
        return {
          path,
          added: now.filter((line) => !old.includes(line)),
          removed: old.filter((line) => !now.includes(line)),
        };
      });
  }
}
