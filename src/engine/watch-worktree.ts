import { explain } from "../core/explain.ts";
import { Failed } from "../core/failure.ts";
import { below } from "../core/paths.ts";
import { concernsCheckout, type Ignored, isIgnored, isOutgrown, leftOut, pathsToLookAt } from "../core/watch-scope.ts";
import { sameContent } from "../core/work-news.ts";
import type { House } from "./house.ts";
import { lookAtWork, type SeenWork } from "./look-at-work.ts";
import { setWatchWarning, type Target } from "./work-targets.ts";

/** So often it is looked at where nothing stirs by itself. */
const POLL_MS = 2_000;
/** Looks are this far apart, and further while they find nothing: a build writes for minutes. */
const LOOK_GAP_MS = 20;
const LONGEST_GAP_MS = 1_000;
/** A watch is made anew at most so often: it reads the whole tree. */
const ANEW_MS = 1_000;
/** More of them are looked for faster in the whole. */
const MOST_PATHS = 200;

/** One worktree: at most one look at a time, one more when something stirred meanwhile. */
export class WatchedWorktree {
  private before: SeenWork | null = null;
  /** What has changed since the last look; null is anything. */
  private stirred: Set<string> | null = null;
  private ignored: Ignored = new Set();
  private gitFolder: string | null = null;
  private unwatch: (() => Promise<void>) | null = null;
  /** Folders the watch leaves out. */
  private without: readonly string[] = [];
  /** The watch does not say everything any more, and since when it stands. */
  private stale = true;
  private stands = 0;
  private looking = false;
  private again = false;
  /** Reconciling came while it was looked at. */
  private due = false;
  private gap = LOOK_GAP_MS;
  private looked = 0;
  /** What was seen and is not told yet; null is anything. */
  private held: Set<string> | null = new Set();
  private over = false;
  private cancel = () => {};
  private unhold = () => {};

  constructor(
    private readonly house: House,
    private readonly target: Target,
    private readonly onError: (error: unknown) => void,
  ) {}

  begin(): void {
    this.run(() => this.look());
  }

  /** Whether something in the shared git folder is about this worktree. */
  concerns(path: string): boolean {
    return concernsCheckout(path, this.house.place.repository, this.gitFolder, this.target.branch);
  }

  /** Something has changed: these files, or anything. */
  stir(changed: readonly string[] | null = null): void {
    const paths = changed === null ? null : pathsToLookAt(changed);
    if (paths === null) this.stirred = null;
    else if (this.stirred !== null) for (const path of paths) this.stirred.add(path);
    // After a look that found something the next may come at once.
    const wait = this.gap > LOOK_GAP_MS ? this.looked + this.gap - this.house.clock.now() : 0;
    if (this.looking) this.again = true;
    else if (wait <= 0) this.run(() => this.look());
    else this.later(wait, () => this.run(() => this.look()));
  }

  reconcile(): void {
    this.due = this.looking;
    if (this.looking) return;
    const unheardOf = this.stirred?.size === 0 && this.before?.heldMs === null;
    this.stirred = null;
    this.run(async () => {
      const { before } = this;
      await this.look();
      // Nobody said so: the watch has lost something, as it does silently where the system has no room for more.
      const missed = unheardOf && before !== null && this.isNews(before, this.before ?? before);
      if (missed || this.unwatch === null) this.stale = true;
    });
  }

  stop(): void {
    this.over = true;
    this.cancel();
    this.unhold();
    this.leave().catch(this.onError);
  }

  private later(ms: number, wake: () => void): void {
    this.cancel();
    this.cancel = this.house.clock.after(ms, wake);
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
      .then(() => this.keepWatch())
      .catch((error: unknown) => {
        // A worktree that is being made or removed has its moments; the next look tells, and the watch may be of what is gone.
        this.stale = true;
        if (!(error instanceof Failed)) this.onError(error);
      })
      .finally(() => {
        this.looking = false;
        if (!this.over) this.goOn();
      });
  }

  private goOn(): void {
    const { again, due } = this;
    this.again = false;
    this.due = false;
    if (due) this.later(this.gap, () => this.reconcile());
    else if (again) this.later(this.gap, () => this.run(() => this.look()));
    // Where nobody says so, anything may have changed.
    else if (this.unwatch === null) this.later(POLL_MS, () => this.stir());
    else if (this.stale) this.later(ANEW_MS, () => this.stir());
  }

  private async look(): Promise<void> {
    const { stirred, before } = this;
    const paths = stirred === null || stirred.size > MOST_PATHS ? null : [...stirred];
    // From now on what stirs is about the next look; one that fails has seen nothing.
    this.stirred = new Set();
    if (paths?.length === 0) return;
    const seen = await lookAtWork(this.house, this.target.agent, before, paths).catch((error: unknown) => {
      this.stirred = null;
      throw error;
    });
    this.looked = this.house.clock.now();
    if (seen === null || this.over) return;
    const found = before === null || this.isNews(before, seen);
    this.gap = found ? LOOK_GAP_MS : Math.min(LONGEST_GAP_MS, this.gap * 2);
    this.ignored = new Set(seen.whole ? seen.ignored : [...this.ignored, ...seen.ignored]);
    this.gitFolder = seen.gitFolder;
    this.before = seen;
    if (isOutgrown(this.without, this.ignored, seen.sight)) this.stale = true;
    if (found) this.house.outlook.edited(this.target.agent);
    if (seen.heldMs === null) return;
    this.hold(paths, seen.heldMs);
  }

  /** It can wait a moment for more of the same. */
  private hold(paths: readonly string[] | null, ms: number): void {
    this.held = paths === null || this.held === null ? null : new Set([...this.held, ...paths]);
    this.unhold();
    this.unhold = this.house.clock.after(ms, () => {
      const { held } = this;
      this.held = new Set();
      this.stir(held === null ? null : [...held]);
    });
  }

  private isNews(before: SeenWork, seen: SeenWork): boolean {
    return before.head !== seen.head || seen.heldMs !== null || !sameContent(before.sight, seen.sight);
  }

  /** Watches anew where it has to, and looks at what changed while nobody watched. */
  private async keepWatch(): Promise<void> {
    if (!this.stale || this.over || this.before === null) return;
    if (this.unwatch !== null && this.house.clock.now() - this.stands < ANEW_MS) return;
    await this.leave();
    await this.watch();
    this.stands = this.house.clock.now();
    this.stirred = null;
    await this.look();
    this.gap = LOOK_GAP_MS;
  }

  private async watch(): Promise<void> {
    const { worktree, agent } = this.target;
    const without = leftOut(this.ignored);
    this.stale = false;
    try {
      this.unwatch = await this.house.watcher.watch({
        folder: worktree,
        ignore: [".git", ...without].map((name) => `${worktree}/${name}`),
        onStir: (paths) => {
          const names = paths.map((path) => path.slice(worktree.length + 1));
          const ours = names.filter((name) => name !== "" && !below(name, ".git") && !isIgnored(name, this.ignored));
          if (ours.length > 0) this.stir(ours);
        },
        onLost: () => {
          this.stale = true;
          this.stir();
        },
      });
      this.without = without;
      if (this.over) await this.leave();
      else await setWatchWarning(this.house, agent, null);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const { message, hint } = explain(error.failure);
      await setWatchWarning(this.house, agent, `${message} ${hint}`);
    }
  }

  private async leave(): Promise<void> {
    const { unwatch } = this;
    this.unwatch = null;
    await unwatch?.();
  }
}
