import { Failed } from "../../src/core/failure/failed.ts";
import { MOST_FILES } from "../../src/core/messages/message-reader.ts";
import { branchProblem } from "../../src/core/session/branch-name.ts";
import type { Branch, Commit } from "../../src/core/text/ids.ts";
import type { Saved } from "../../src/core/worktrees/saved.ts";
import type {
  Backup,
  Backups,
  Commits,
  Git,
  RestoreOrder,
  SaveOrder,
  UnsavedOrder,
  Work,
  WorktreeInfo,
} from "../../src/ports/git.ts";

export type Tree = Readonly<Record<string, string>>;

interface FakeWorktree {
  branch: Branch;
  files: Record<string, string> | null;
  ours: boolean;
}

/** A repository in memory: commits are trees with parents, a worktree is a branch with files. It outlives its Git. */
export class FakeRepository {
  readonly root = "/repo";
  head: Branch | Commit | null = "main" as Branch;
  readonly commits = new Map<Commit, { tree: Tree; parents: readonly Commit[] }>();
  readonly heads = new Map<Branch, Commit>();
  readonly remotes = new Map<Branch, Commit>();
  readonly backups = new Map<string, Backup & { tree: Tree; tip: Commit }>();
  readonly worktrees = new Map<string, FakeWorktree>();
  /** Folders that are there and are not worktrees. */
  readonly folders = new Set<string>();
  hidden: readonly string[] = [];
  checkout: Record<string, string>;
  private made = 0;

  constructor(tree: Tree = { README: "hi\n" }) {
    const first = this.commit(tree, []);
    this.heads.set("main" as Branch, first);
    this.checkout = { ...tree };
  }

  commit(tree: Tree, parents: readonly Commit[]): Commit {
    const id = String(++this.made).padStart(40, "0") as Commit;
    this.commits.set(id, { tree: { ...tree }, parents });
    return id;
  }

  tree(commit: Commit): Tree {
    return this.commits.get(commit)?.tree ?? {};
  }

  /** Commits reachable from `from` and from none of `not`. */
  reachable(from: Commit, not: Iterable<Commit>): Commit[] {
    const all = (start: Commit): Commit[] => [start, ...(this.commits.get(start)?.parents ?? []).flatMap(all)];
    const excluded = new Set([...not].flatMap(all));
    return [...new Set(all(from))].filter((each) => !excluded.has(each));
  }

  filesOf(path: string): Record<string, string> {
    return path === this.root ? this.checkout : (this.worktrees.get(path)?.files ?? {});
  }

  changed(path: string): string[] {
    const branch = path === this.root ? (this.head as Branch) : this.worktrees.get(path)?.branch;
    const base = branch === undefined ? {} : this.tree(this.heads.get(branch) as Commit);
    const files = this.filesOf(path);
    const names = new Set([...Object.keys(base), ...Object.keys(files)]);
    return [...names].filter((name) => base[name] !== files[name] && !this.hidden.includes(`/${name}`)).sort();
  }
}

export class FakeGit implements Git {
  constructor(private readonly repo: FakeRepository) {}

  async head() {
    const { head, heads, commits } = this.repo;
    if (head === null) throw new Failed({ kind: "repository.unborn" });
    const commit = heads.get(head as Branch);
    if (commit === undefined)
      throw new Failed({ kind: commits.has(head as Commit) ? "repository.detached" : "repository.unborn" });
    return { branch: head as Branch, commit };
  }

  branches = async () => new Map(this.repo.heads);
  remoteBranches = async () => new Map(this.repo.remotes);
  dirtyFiles = async (path: string) => this.repo.changed(path);
  programs = async () => [];
  fillSubmodules = async () => [];
  /** Nothing of it ever breaks by itself, and nobody is killed over a lock. */
  mendWorktree = async () => [];
  clearLocks = async () => [];
  rebase = async () => [];

  async worktrees(): Promise<WorktreeInfo[]> {
    const main = {
      path: this.repo.root,
      branch: this.repo.head as Branch,
      main: true,
      missing: false,
      broken: false,
      ours: false,
    };
    return [
      main,
      ...[...this.repo.worktrees].map(([path, { branch, ours }]) => ({
        path,
        branch,
        main: false,
        missing: false,
        broken: false,
        ours,
      })),
    ];
  }

  async hide(patterns: readonly string[]): Promise<void> {
    this.repo.hidden = patterns;
  }

  async ensureBranch(branch: Branch, from: Commit): Promise<void> {
    if (branchProblem(branch) !== null)
      throw new Failed({ kind: "git.failed", command: "update-ref", detail: "bad name" });
    if (!this.repo.heads.has(branch)) this.repo.heads.set(branch, from);
  }

  async addWorktree(path: string, branch: Branch): Promise<void> {
    const { worktrees, heads, head, folders } = this.repo;
    const there = worktrees.get(path);
    if (there?.branch === branch) return;
    if (there !== undefined || folders.has(path)) throw new Failed({ kind: "worktree.occupied", path });
    const elsewhere = head === branch || [...worktrees.values()].some((each) => each.branch === branch);
    if (elsewhere || !heads.has(branch))
      throw new Failed({ kind: "git.failed", command: "worktree add", detail: "fatal" });
    worktrees.set(path, { branch, files: null, ours: true });
  }

  async releaseWorktree(path: string): Promise<void> {
    const worktree = this.repo.worktrees.get(path);
    if (worktree !== undefined) worktree.ours = false;
  }

  async fillWorktree(path: string): Promise<void> {
    const worktree = this.repo.worktrees.get(path);
    if (worktree === undefined) throw new Failed({ kind: "worktree.occupied", path });
    worktree.files ??= { ...this.repo.tree(this.repo.heads.get(worktree.branch) as Commit) };
  }

  async worktreeState(path: string) {
    const worktree = this.repo.worktrees.get(path);
    if (worktree === undefined) return "absent" as const;
    return worktree.files === null ? ("empty" as const) : ("filled" as const);
  }

  async work(path: string, only?: readonly string[]): Promise<Work> {
    const worktree = this.repo.worktrees.get(path);
    if (!worktree?.files) throw new Failed({ kind: "git.failed", command: "status", detail: "not a worktree" });
    const { branch, files } = worktree;
    const asked = (name: string) =>
      only === undefined || only.some((each) => name === each || name.startsWith(`${each}/`));
    const changed = this.repo.changed(path).filter(asked);
    const head = this.repo.heads.get(branch) ?? null;
    const tracked = head === null ? {} : this.repo.tree(head);
    const kept = [...changed.filter((name) => name in tracked), ...changed.filter((name) => !(name in tracked))]
      .slice(0, MOST_FILES)
      .sort();
    const states = new Map(kept.map((name) => [name, JSON.stringify(files[name] ?? null)]));
    return { head, branch, files: states, more: changed.length - kept.length, ignored: [], gitFolder: null };
  }

  async commitsSince(from: Commit | null, to: Commit, base: Branch): Promise<Commits> {
    const known = [from, this.repo.heads.get(base) ?? null].filter((each) => each !== null);
    const fresh = this.repo.reachable(to, known);
    const files = fresh.flatMap((commit) => {
      const [parent] = this.repo.commits.get(commit)?.parents ?? [];
      const [before, after] = [parent === undefined ? {} : this.repo.tree(parent), this.repo.tree(commit)];
      return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
        (name) => before[name] !== after[name],
      );
    });
    const anew = fresh.length > 0 && from !== null && !this.repo.reachable(to, []).includes(from);
    return { count: fresh.length, files: [...new Set(files)].sort(), anew };
  }

  /** What is reachable whatever becomes of an agent. */
  private known({ branch, base, branchStays }: Omit<UnsavedOrder, "path">): Commit[] {
    const { heads, remotes, head } = this.repo;
    const names = [head as Branch | null, base, branchStays ? branch : null];
    return [...names.flatMap((name) => (name === null ? [] : (heads.get(name) ?? []))), ...remotes.values()];
  }

  async unsaved(order: UnsavedOrder) {
    const { path, branch } = order;
    const files = this.repo.worktrees.get(path)?.files ? this.repo.changed(path).length : 0;
    const tip = branch === null ? undefined : this.repo.heads.get(branch);
    return { files, commits: tip === undefined ? 0 : this.repo.reachable(tip, this.known(order)).length };
  }

  async save(order: SaveOrder): Promise<Saved> {
    const { path, branch, ref, at } = order;
    const { heads, backups, worktrees } = this.repo;
    const tip = (branch === null ? undefined : heads.get(branch)) ?? null;
    const { files, commits } = await this.unsaved(order);
    const now = worktrees.get(path)?.files ? visible(this.repo, path) : tip === null ? {} : this.repo.tree(tip);
    const content = { tip, head: tip, tree: JSON.stringify(now) };
    if (files + commits === 0) return { ref: null, ...content, files: 0, commits: 0 };
    const known = backups.get(ref);
    if (known !== undefined && (known.tip !== tip || !nothingNew(known.tree, now)))
      return this.save({ ...order, ref: `${ref}-2` });
    if (known !== undefined) return { ref, ...content, files: known.files, commits: known.commits };
    if (tip === null || branch === null) throw new Error("the fake keeps no worktree without a branch");
    backups.set(ref, { ref, branch, worktree: path, at, files, commits, tree: now, tip });
    return { ref, ...content, files, commits };
  }

  async removeWorktree(path: string, saved: Saved | null): Promise<void> {
    const worktree = this.repo.worktrees.get(path);
    if (saved === null && (worktree?.files || this.repo.folders.has(path)))
      throw new Failed({ kind: "worktree.changed", path });
    if (worktree?.files && saved !== null) {
      const moved = this.repo.heads.get(worktree.branch) !== saved.head;
      if (moved || !nothingNew(JSON.parse(saved.tree) as Tree, visible(this.repo, path)))
        throw new Failed({ kind: "worktree.changed", path });
    }
    this.repo.worktrees.delete(path);
  }

  async deleteBranch(branch: Branch, at: Commit): Promise<void> {
    const tip = this.repo.heads.get(branch);
    if (tip === undefined) return;
    if (tip !== at) throw new Failed({ kind: "branch.moved", branch });
    this.repo.heads.delete(branch);
  }

  async backups(): Promise<Backups> {
    const all = [...this.repo.backups.values()].map(({ ref, branch, worktree, at, files, commits }) => ({
      ref,
      branch,
      worktree,
      at,
      files,
      commits,
    }));
    return { found: all.sort((a, b) => b.at - a.at), unreadable: [] };
  }

  async restore({ ref, path, branch }: RestoreOrder): Promise<void> {
    const backup = this.repo.backups.get(ref);
    if (backup === undefined) throw new Failed({ kind: "backup.unknown", ref, near: null });
    if (this.repo.worktrees.has(path) || this.repo.folders.has(path))
      throw new Failed({ kind: "worktree.in-use", path });
    const present = this.repo.heads.get(branch);
    if (present !== undefined && present !== backup.tip) throw new Failed({ kind: "backup.branch-moved", branch, ref });
    await this.ensureBranch(branch, backup.tip);
    await this.addWorktree(path, branch);
    this.repo.worktrees.set(path, { branch, files: { ...backup.tree }, ours: false });
  }
}

const nothingNew = (then: Tree, now: Tree): boolean => Object.entries(now).every(([name, text]) => then[name] === text);

/** Hidden files are not saved: they are copies of what the main checkout has. */
const visible = (repo: FakeRepository, path: string): Tree =>
  Object.fromEntries(Object.entries(repo.filesOf(path)).filter(([name]) => !repo.hidden.includes(`/${name}`)));
