import type { Ports } from "../../ports/ports.ts";
import type { Place } from "../loop/place.ts";

/** What of the shared git folder says nothing about commits. */
const NOT_REFS: readonly string[] = ["objects", "hooks", "info", "lfs", "modules", "logs"];
/** Watches are made anew this far apart. */
const ANEW_MS = 1_000;

/** The git folder all worktrees share: where commits show. */
export class RefsWatch {
  private unwatch: Promise<(() => Promise<void>) | null> | null = null;
  private cancel = () => {};

  /** `onChanged` hears of paths that have changed; of null where it may be anything. */
  constructor(
    private readonly context: Pick<Ports, "watcher" | "clock"> & { readonly place: Pick<Place, "repository"> },
    private readonly onChanged: (paths: readonly string[] | null) => void,
  ) {}

  wanted(wanted: boolean): void {
    if (wanted && this.unwatch === null) this.unwatch = this.watch();
    if (!wanted) this.end(this.unwatch);
  }

  /** Tried again where it was refused; until then the worktrees' own looks see the commits. */
  reconcile(): void {
    const { unwatch } = this;
    void unwatch?.then((end) => {
      if (end === null && this.unwatch === unwatch) this.unwatch = this.watch();
    });
  }

  private end(unwatch: typeof this.unwatch): Promise<void> {
    this.cancel();
    this.unwatch = null;
    return Promise.resolve(unwatch?.then((end) => end?.())).catch(() => undefined);
  }

  private watch(): Promise<(() => Promise<void>) | null> {
    const { repository } = this.context.place;
    let isAnew = false;
    const watch = this.context.watcher
      .watch({
        folder: repository,
        ignore: NOT_REFS.map((name) => `${repository}/${name}`),
        onChanged: this.onChanged,
        onLost: () => {
          if (isAnew || this.unwatch !== watch) return;
          isAnew = true;
          this.onChanged(null);
          this.cancel = this.context.clock.after(ANEW_MS, () => void this.anew(watch));
        },
      })
      .catch(() => null);
    return watch;
  }

  private async anew(watch: NonNullable<typeof this.unwatch>): Promise<void> {
    if (this.unwatch !== watch) return;
    // Nobody else begins one meanwhile: it is wanted, and there is one.
    await watch.then((end) => end?.()).catch(() => undefined);
    if (this.unwatch !== watch) return;
    this.unwatch = this.watch();
    await this.unwatch;
    this.onChanged(null);
  }
}
