import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Change } from "../../core/record/changes.ts";
import type { Compaction, Settled } from "../../core/record/retention.ts";
import type { LaneKey } from "../../core/text/ids.ts";
import type { Store } from "../../ports/store.ts";
import { JournalMemory } from "./memory.ts";
import { Transaction } from "./transaction.ts";

/**
 * The journal in memory, and the only way to change it: decide synchronously on what is known, then wait until it is
 * stored. When storing fails the memory is thrown away and read again; whoever decided on it in between is refused by
 * the store's compare-and-swap.
 */
export class Journal extends JournalMemory {
  /** Set by the loop. */
  wake: (lane: LaneKey) => void = () => {};
  private readonly listeners = new Set<(changes: readonly Change[]) => void>();
  private ready: Promise<void> | null = null;
  /** Why nothing could be stored the last time; null once something was. */
  trouble: Failure | null = null;

  private constructor(private readonly store: Store) {
    super();
  }

  static async open(store: Store): Promise<Journal> {
    const journal = new Journal(store);
    journal.read(await store.load());
    return journal;
  }

  /**
   * Runs `work` now, on the memory as it is; what it puts is stored together. Resolves with its result once that is on
   * disk, rejects as Store.commit does. Then the lanes are woken that events and messages were meant for.
   */
  async transact<T>(work: (transaction: Transaction) => T): Promise<T> {
    if (this.ready !== null) await this.reread();
    const changes: Change[] = [];
    const woken = new Set<LaneKey>();
    try {
      const result = work(
        new Transaction(
          this,
          (change) => {
            changes.push(change);
            this.apply(change);
          },
          woken,
        ),
      );
      if (changes.length > 0) await this.commit(changes);
      for (const listener of this.listeners) listener(changes);
      for (const lane of woken) this.wake(lane);
      return result;
    } catch (error) {
      if (changes.length > 0) this.forget();
      throw error;
    }
  }

  /** Takes out a beginning of the log, as much as a step may; false when there was nothing to take. */
  async compact(plan: Compaction, limit: number): Promise<boolean> {
    const before = this.compacted;
    this.compacted = await this.store.compact(plan, limit);
    return this.compacted > before;
  }

  /** Takes out what is settled and old, as much as a step may; false when there was nothing to take. */
  async dropSettled(plan: Settled, limit: number): Promise<boolean> {
    return (await this.store.dropSettled(plan, limit)) > 0;
  }

  /** Throws where what came after `since` cannot be told whole any more. */
  requireKept(since: number): void {
    if (since < this.compacted) throw new Failed({ kind: "log.gone", since, kept: this.compacted });
  }

  /** Called with what was stored, after it was stored. */
  onStored(listener: (changes: readonly Change[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves once `so` holds; looked at after every commit. */
  until(so: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (so()) return resolve();
      const stop = this.onStored(() => {
        if (!so()) return;
        stop();
        resolve();
      });
    });
  }

  private async commit(changes: readonly Change[]): Promise<void> {
    try {
      await this.store.commit(changes);
      this.trouble = null;
    } catch (error) {
      // One that was overtaken has lost nothing: it is decided again.
      if (error instanceof Failed && error.failure.kind !== "store.moved") this.trouble = error.failure;
      throw error;
    }
  }

  /** Memory is not to be believed any more: whoever comes next waits until it has been read again. */
  private forget(): void {
    if (this.ready !== null) return;
    this.ready = this.load();
    this.ready.catch(() => undefined);
  }

  private async reread(): Promise<void> {
    const reading = this.ready;
    try {
      await reading;
      if (this.ready === reading) this.ready = null;
    } catch (error) {
      if (this.ready === reading) this.ready = null;
      this.forget();
      throw error;
    }
  }

  private async load(): Promise<void> {
    this.read(await this.store.load());
  }
}
