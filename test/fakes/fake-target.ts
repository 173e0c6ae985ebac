import type { Branch, Commit } from "../../src/core/text/ids.ts";
import type {
  Move,
  MoveOrder,
  Replay,
  ReplayOrder,
  RevertOrder,
  RewriteOrder,
  Target,
} from "../../src/ports/target.ts";
import type { FakeRepository, Tree } from "./fake-git.ts";
import { treeName } from "./fake-history.ts";

/** A target in memory: a replay takes what a branch has changed, file by file, and two who changed one file conflict. */
export class FakeTarget implements Target {
  readonly held = new Set<Commit>();
  readonly moves: MoveOrder[] = [];
  /** Replays that were made: asked again, the same commit comes of it. */
  private readonly made = new Map<string, Commit>();

  constructor(private readonly repo: FakeRepository) {}

  async replay(order: ReplayOrder): Promise<Replay> {
    const { tip, onto, since } = order;
    const { repo } = this;
    if (repo.reachable(onto, []).includes(tip)) return { how: "nothing" };
    if (repo.reachable(tip, []).includes(onto)) return this.hold(tip, repo.tree(onto));
    const known = new Set(repo.reachable(onto, []));
    const base = since ?? repo.reachable(tip, []).find((commit) => known.has(commit)) ?? onto;
    const [before, ours, theirs] = [repo.tree(base), repo.tree(onto), repo.tree(tip)];
    const names = [...new Set([...Object.keys(before), ...Object.keys(theirs)])];
    const changed = names.filter((name) => before[name] !== theirs[name] && ours[name] !== theirs[name]);
    const both = changed.filter((name) => ours[name] !== before[name]);
    const kept = both.filter((name) => order.generated?.(name) === true);
    const conflicts = both.length > kept.length ? both : [];
    if (conflicts.length > 0)
      return { how: "conflict", files: conflicts.map((path) => ({ path, line: 1, lines: ["- ours", "+ theirs"] })) };
    if (changed.length === 0) return { how: "nothing" };
    const key = JSON.stringify(order);
    const tree: Record<string, string> = { ...ours };
    for (const name of changed.filter((each) => !kept.includes(each))) {
      const text = theirs[name];
      if (text === undefined) delete tree[name];
      else tree[name] = text;
    }
    const commit = this.made.get(key) ?? repo.commit(tree, [onto]);
    this.made.set(key, commit);
    return { ...this.hold(commit, ours), ...(kept.length > 0 && { kept }) };
  }

  async rewrite({ onto, texts }: RewriteOrder): Promise<Replay> {
    const { repo } = this;
    const before = repo.tree(onto);
    const tree: Record<string, string> = { ...before };
    for (const [name, text] of texts) {
      if (text === null) delete tree[name];
      else tree[name] = text;
    }
    if (treeName(tree) === treeName(before)) return { how: "nothing" };
    return this.hold(repo.commit(tree, [onto]), before);
  }

  async revert({ from, to, onto }: RevertOrder): Promise<Replay> {
    const { repo } = this;
    const [before, after, present] = [repo.tree(from), repo.tree(to), repo.tree(onto)];
    const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    const conflicts = names.filter((name) => present[name] !== after[name]);
    if (conflicts.length > 0)
      return { how: "conflict", files: conflicts.map((path) => ({ path, line: 1, lines: [] })) };
    const tree: Record<string, string> = { ...present };
    for (const name of names) {
      const text = before[name];
      if (text === undefined) delete tree[name];
      else tree[name] = text;
    }
    return this.hold(repo.commit(tree, [onto]), present);
  }

  private hold(commit: Commit, before: Tree): Replay {
    this.held.add(commit);
    const tree = this.repo.tree(commit);
    const names = [...new Set([...Object.keys(before), ...Object.keys(tree)])];
    return { how: "made", commit, tree: treeName(tree), files: names.filter((name) => before[name] !== tree[name]) };
  }

  async release(kept: readonly Commit[]): Promise<void> {
    for (const commit of this.held) if (!kept.includes(commit)) this.held.delete(commit);
  }

  async move(order: MoveOrder): Promise<Move> {
    const { branch, from, to } = order;
    const { repo } = this;
    const present = repo.heads.get(branch);
    if (present !== from)
      return { how: present !== undefined && repo.reachable(present, []).includes(to) ? "moved" : "moved-by-another" };
    const [before, after] = [repo.tree(from), repo.tree(to)];
    const touched = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
    for (const path of this.checkoutsOf(branch)) {
      const dirty = repo.changed(path).filter((name) => touched.includes(name));
      if (dirty.length > 0)
        return {
          how: "refused",
          because: `${path} has uncommitted changes in ${dirty.join(", ")}, which the landing touches`,
        };
    }
    for (const path of this.checkoutsOf(branch)) {
      const files = repo.filesOf(path);
      for (const name of touched) {
        const text = after[name];
        if (text === undefined) delete files[name];
        else files[name] = text;
      }
    }
    repo.heads.set(branch, to);
    this.moves.push(order);
    return { how: "moved" };
  }

  private checkoutsOf(branch: Branch): string[] {
    const others = [...this.repo.worktrees].filter(([, worktree]) => worktree.branch === branch).map(([path]) => path);
    return this.repo.head === branch ? [this.repo.root, ...others] : others;
  }

  upstream = async () => null;
  push = async () => false;
}
