import { explain } from "../core/explain.ts";
import { Failed } from "../core/failure.ts";
import { below } from "../core/paths.ts";
import { sameContent } from "../core/work-news.ts";
import type { House } from "./house.ts";
import { lookAtWork, type SeenWork } from "./look-at-work.ts";
import { type Target, targetsOf, warn } from "./work-targets.ts";

/** However the hints are: so often every worktree is looked at. */
const RECONCILE_MS = 30_000;
/** And so often where nothing hints. */
const POLL_MS = 2_000;
/** Looks at one worktree are this far apart, and further while they find nothing: a build writes for minutes. */
const LOOK_GAP_MS = 20;
const LONGEST_GAP_MS = 1_000;

/** What of the shared git folder says nothing about commits. */
const NOT_REFS: readonly string[] = ["objects", "hooks", "info", "lfs", "modules", "logs"];

/**
 * Sees what is edited and committed in every worktree, and tells it in the agents' names. The system's hints say when to
 * look; a look by git says what is so.
 */
export function watchWork(house: House, onError: (error: unknown) => void): () => void {
  const watched = new Map<string, WatchedWorktree>();
  const refs = new RefsWatch(house, (paths) => {
    for (const each of watched.values()) if (paths.some((path) => each.concerns(path))) each.hint();
    if (paths.some((path) => path.endsWith(`/refs/heads/${house.outlook.base() ?? ""}`))) house.outlook.moved();
  });
  const refresh = () => {
    const wanted = house.held ? [] : targetsOf(house.journal);
    const keys = new Set(wanted.map(keyOf));
    for (const [key, each] of watched) {
      if (keys.has(key)) continue;
      watched.delete(key);
      each.stop();
    }
    for (const target of wanted) {
      if (watched.has(keyOf(target))) continue;
      const fresh = new WatchedWorktree(house, target, onError);
      watched.set(keyOf(target), fresh);
      fresh.begin();
    }
    refs.wanted(wanted.length > 0);
  };
  const stop = house.journal.onStored((changes) => {
    if (changes.some(({ row }) => row === "lane")) refresh();
  });
  let cancel = () => {};
  const reconcile = () => {
    for (const each of watched.values()) each.reconcile();
    refs.reconcile();
    cancel = house.clock.after(RECONCILE_MS, reconcile);
  };
  cancel = house.clock.after(RECONCILE_MS, reconcile);
  refresh();
  return () => {
    stop();
    cancel();
    for (const each of watched.values()) each.stop();
    refs.wanted(false);
  };
}

/** Whether other files than itself are seen differently after it has changed. */
const decidesOthers = (path: string): boolean => /(^|\/)\.git(ignore|attributes|modules)$/.test(path);

/** More of them are looked for faster in the whole. */
const MOST_PATHS = 200;

const keyOf = ({ agent, worktree }: Target): string => `${agent}\0${worktree}`;

/** One worktree: at most one look at a time, one more when a hint came meanwhile. */
class WatchedWorktree {
  private before: SeenWork | null = null;
  /** What has changed since the last look; null is anything. */
  private hinted: Set<string> | null = null;
  private ignored: readonly string[] = [];
  private gitFolder: string | null = null;
  private unwatch: (() => Promise<void>) | null = null;
  private looking = false;
  private again = false;
  /** Reconciling came while it was looked at. */
  private due = false;
  private gap = LOOK_GAP_MS;
  private over = false;
  private cancel = () => {};

  constructor(
    private readonly house: House,
    private readonly target: Target,
    private readonly onError: (error: unknown) => void,
  ) {}

  begin(): void {
    this.run(async () => {
      await this.look();
      await this.watch();
      // What changed before the watch stood was seen by nobody.
      await this.look();
    });
  }

  /** Whether something in the shared git folder is about this worktree. */
  concerns(path: string): boolean {
    const { repository } = this.house.place;
    if (this.gitFolder !== null && this.gitFolder !== repository && below(path, this.gitFolder)) return true;
    const { branch } = this.target;
    return path.endsWith("/packed-refs") || (branch !== null && path === `${repository}/refs/heads/${branch}`);
  }

  /** Something has changed: these files, or anything. */
  hint(paths: readonly string[] | null = null): void {
    if (paths === null || paths.some(decidesOthers)) this.hinted = null;
    else if (this.hinted !== null) for (const path of paths) this.hinted.add(path);
    if (this.looking) this.again = true;
    else this.run(() => this.look());
  }

  reconcile(): void {
    this.hinted = null;
    this.due = this.looking;
    this.run(async () => {
      const before = this.ignored.join("\0");
      await this.look();
      if (this.unwatch !== null && before === this.ignored.join("\0")) return;
      await this.leave();
      await this.watch();
      await this.look();
    });
  }

  stop(): void {
    this.over = true;
    this.cancel();
    this.leave().catch(this.onError);
  }

  private run(work: () => Promise<void>): void {
    if (this.over) return;
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    this.cancel();
    work()
      .catch((error: unknown) => {
        // A worktree that is being made or removed has its moments; the next look tells.
        if (!(error instanceof Failed)) this.onError(error);
      })
      .finally(() => {
        this.looking = false;
        if (this.over) return;
        if (this.due) this.cancel = this.house.clock.after(this.gap, () => this.reconcile());
        else if (this.again) this.cancel = this.house.clock.after(this.gap, () => this.run(() => this.look()));
        // Where nobody hints, anything may have changed.
        else if (this.unwatch === null) this.cancel = this.house.clock.after(POLL_MS, () => this.hint());
        this.again = false;
      });
  }

  private async look(): Promise<void> {
    const { hinted, before } = this;
    const paths = hinted === null || hinted.size > MOST_PATHS ? null : [...hinted];
    // From now on hints are about the next look; one that fails has seen nothing.
    this.hinted = new Set();
    const seen = await lookAtWork(this.house, this.target.agent, before, paths).catch((error: unknown) => {
      this.hinted = null;
      throw error;
    });
    if (seen === null || this.over) return;
    const found = before === null || before.head !== seen.head || !sameContent(before.sight, seen.sight);
    this.gap = found || seen.heldMs !== null ? LOOK_GAP_MS : Math.min(LONGEST_GAP_MS, this.gap * 2);
    this.ignored = seen.ignored ?? this.ignored;
    this.gitFolder = seen.gitFolder;
    this.before = seen;
    if (found || seen.heldMs !== null) this.house.outlook.edited(this.target.agent);
    // It can wait a moment for more of the same.
    if (seen.heldMs !== null) this.house.clock.after(seen.heldMs, () => this.hint(paths));
  }

  private async watch(): Promise<void> {
    const { worktree, agent } = this.target;
    const ignore = [".git", ...this.ignored].map((name) => `${worktree}/${name}`);
    try {
      this.unwatch = await this.house.watcher.watch({
        folder: worktree,
        ignore,
        onHint: (paths) => {
          const ours = paths.filter((path) => path !== worktree && !ignore.some((each) => below(path, each)));
          if (ours.length > 0) this.hint(ours.map((path) => path.slice(worktree.length + 1)));
        },
        onLost: () => {
          this.unwatch = null;
          this.hint();
        },
      });
      if (this.over) await this.leave();
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const { message, hint } = explain(error.failure);
      await warn(this.house, agent, `${message} ${hint}`);
    }
  }

  private async leave(): Promise<void> {
    const { unwatch } = this;
    this.unwatch = null;
    await unwatch?.();
  }
}

/** The git folder all worktrees share: where commits show. */
class RefsWatch {
  private unwatch: Promise<(() => Promise<void>) | null> | null = null;

  constructor(
    private readonly house: House,
    private readonly onHint: (paths: readonly string[]) => void,
  ) {}

  wanted(wanted: boolean): void {
    if (wanted && this.unwatch === null) this.unwatch = this.watch();
    if (wanted || this.unwatch === null) return;
    const { unwatch } = this;
    this.unwatch = null;
    void unwatch.then((end) => end?.()).catch(() => undefined);
  }

  /** Tried again where it was refused; until then the worktrees' own looks see the commits. */
  reconcile(): void {
    const { unwatch } = this;
    void unwatch?.then((end) => {
      if (end === null && this.unwatch === unwatch) this.unwatch = this.watch();
    });
  }

  private watch(): Promise<(() => Promise<void>) | null> {
    const { repository } = this.house.place;
    return this.house.watcher
      .watch({
        folder: repository,
        ignore: NOT_REFS.map((name) => `${repository}/${name}`),
        onHint: this.onHint,
        onLost: () => {
          this.unwatch = Promise.resolve(null);
        },
      })
      .catch(() => null);
  }
}
