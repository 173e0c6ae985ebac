import { explainInFull } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import { below } from "../../core/text/paths.ts";
import { sameContent } from "../../core/worktrees/report-work.ts";
import {
  concernsCheckout,
  type Ignored,
  isIgnored,
  isOutgrown,
  leftOut,
  pathsToLookAt,
} from "../../core/worktrees/watch-scope.ts";
import type { Ports } from "../../ports/ports.ts";
import type { PredictionKeeper } from "../conflicts/keep-predictions.ts";
import type { Recording } from "../journal/recording.ts";
import type { Place } from "../loop/place.ts";
import { lookAtWork, type SeenWork } from "./look-at-work.ts";
import { setWatchWarning, type Target } from "./work-targets.ts";

/** So often it is looked at where nothing tells of changes. */
const POLL_MS = 2_000;
/** Looks are this far apart, and further while they find nothing: a build writes for minutes. */
const LOOK_GAP_MS = 20;
const LONGEST_GAP_MS = 1_000;
/** A watch is made anew at most so often: it reads the whole tree. */
const ANEW_MS = 1_000;
/** More of them are looked for faster in the whole. */
const MOST_PATHS = 200;

interface Needs extends Recording, Pick<Ports, "git" | "watcher"> {
  readonly predictions: Pick<PredictionKeeper, "edited">;
  readonly place: Pick<Place, "repository">;
}

/** One worktree: at most one look at a time, one more when something changed meanwhile. */
export class WatchedWorktree {
  private before: SeenWork | null = null;
  /** What has changed since the last look; null is anything. */
  private changedPaths: Set<string> | null = null;
  private ignored: Ignored = new Set();
  private gitFolder: string | null = null;
  private unwatch: (() => Promise<void>) | null = null;
  /** Folders the watch leaves out. */
  private without: readonly string[] = [];
  /** The watch does not say everything any more, and since when it stands. */
  private stale = true;
  private watchedSince = 0;
  private looking = false;
  private again = false;
  /** Reconciling came while it was looked at. */
  private due = false;
  private gap = LOOK_GAP_MS;
  private looked = 0;
  /** What was seen and is not told yet; null is anything. */
  private held: Set<string> | null = new Set();
  private over = false;
  /** Why it cannot be watched, and what was taken away under its agent. */
  private refused: string | null = null;
  private loss: string | null = null;
  private cancel = () => {};
  private unhold = () => {};

  constructor(
    private readonly context: Needs,
    private readonly target: Target,
    private readonly onError: (error: unknown) => void,
  ) {}

  begin(): void {
    this.run(() => this.look());
  }

  /** Whether something in the shared git folder is about this worktree. */
  concerns(path: string): boolean {
    return concernsCheckout(path, this.context.place.repository, this.gitFolder, this.target.branch);
  }

  /** Something has changed: these files, or anything. */
  markChanged(changed: readonly string[] | null = null): void {
    const paths = changed === null ? null : pathsToLookAt(changed);
    if (paths === null) this.changedPaths = null;
    else if (this.changedPaths !== null) for (const path of paths) this.changedPaths.add(path);
    // After a look that found something the next may come at once.
    const wait = this.gap > LOOK_GAP_MS ? this.looked + this.gap - this.context.clock.now() : 0;
    if (this.looking) this.again = true;
    else if (wait <= 0) this.run(() => this.look());
    else this.later(wait, () => this.run(() => this.look()));
  }

  reconcile(): void {
    this.due = this.looking;
    if (this.looking) return;
    const unheardOf = this.changedPaths?.size === 0 && this.before?.heldMs === null;
    this.changedPaths = null;
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
    this.cancel = this.context.clock.after(ms, wake);
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
        if (!(error instanceof Failed)) return this.onError(error);
        const { kind } = error.failure;
        return kind === "worktree.gone" || kind === "worktree.strange" || kind === "git.blocked"
          ? this.warn({ loss: explainInFull(error.failure) })
          : undefined;
      })
      .catch((error: unknown) => this.onError(error))
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
    else if (this.unwatch === null) this.later(POLL_MS, () => this.markChanged());
    else if (this.stale) this.later(ANEW_MS, () => this.markChanged());
  }

  private async look(): Promise<void> {
    const { changedPaths, before } = this;
    const paths = changedPaths === null || changedPaths.size > MOST_PATHS ? null : [...changedPaths];
    // From now on what changes is for the next look; one that fails has seen nothing.
    this.changedPaths = new Set();
    if (paths?.length === 0) return;
    const seen = await lookAtWork(this.context, this.target.agent, before, paths).catch((error: unknown) => {
      this.changedPaths = null;
      throw error;
    });
    this.looked = this.context.clock.now();
    if (seen === null || this.over) return;
    const found = before === null || this.isNews(before, seen);
    this.gap = found ? LOOK_GAP_MS : Math.min(LONGEST_GAP_MS, this.gap * 2);
    this.ignored = new Set(seen.whole ? seen.ignored : [...this.ignored, ...seen.ignored]);
    this.gitFolder = seen.gitFolder;
    this.before = seen;
    await this.warn({ loss: seen.loss });
    if (isOutgrown(this.without, this.ignored, seen.status)) this.stale = true;
    if (found) this.context.predictions.edited(this.target.agent);
    if (seen.heldMs === null) return;
    this.hold(paths, seen.heldMs);
  }

  /** It can wait a moment for more of the same. */
  private hold(paths: readonly string[] | null, ms: number): void {
    this.held = paths === null || this.held === null ? null : new Set([...this.held, ...paths]);
    this.unhold();
    this.unhold = this.context.clock.after(ms, () => {
      const { held } = this;
      this.held = new Set();
      this.markChanged(held === null ? null : [...held]);
    });
  }

  private isNews(before: SeenWork, seen: SeenWork): boolean {
    return before.head !== seen.head || seen.heldMs !== null || !sameContent(before.status, seen.status);
  }

  /** Watches anew where it has to, and looks at what changed while nobody watched. */
  private async keepWatch(): Promise<void> {
    if (!this.stale || this.over || this.before === null) return;
    if (this.unwatch !== null && this.context.clock.now() - this.watchedSince < ANEW_MS) return;
    await this.leave();
    await this.watch();
    this.watchedSince = this.context.clock.now();
    this.changedPaths = null;
    await this.look();
    this.gap = LOOK_GAP_MS;
  }

  private async watch(): Promise<void> {
    const { worktree } = this.target;
    const without = leftOut(this.ignored);
    this.stale = false;
    try {
      this.unwatch = await this.context.watcher.watch({
        folder: worktree,
        ignore: [".git", ...without].map((name) => `${worktree}/${name}`),
        onChanged: (paths) => {
          const names = paths.map((path) => path.slice(worktree.length + 1));
          const ours = names.filter((name) => name !== "" && !below(name, ".git") && !isIgnored(name, this.ignored));
          if (ours.length > 0) this.markChanged(ours);
        },
        onLost: () => {
          this.stale = true;
          this.markChanged();
        },
      });
      this.without = without;
      if (this.over) await this.leave();
      else await this.warn({ refused: null });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      await this.warn({ refused: explainInFull(error.failure) });
    }
  }

  private async warn({ refused = this.refused, loss = this.loss }: Warned): Promise<void> {
    this.refused = refused;
    this.loss = loss;
    if (!this.over) await setWatchWarning(this.context.journal, this.target.agent, loss ?? refused);
  }

  private async leave(): Promise<void> {
    const { unwatch } = this;
    this.unwatch = null;
    await unwatch?.();
  }
}

interface Warned {
  readonly refused?: string | null;
  readonly loss?: string | null;
}
