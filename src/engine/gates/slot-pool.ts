import type { CheckKey, SetUpReport } from "../../core/gates/check.ts";
import type { Gate } from "../../core/gates/gates.ts";
import type { Instant } from "../../core/text/ids.ts";

/** What runs in a slot at this moment, for whoever looks. */
export interface RunningGate {
  readonly gate: Gate;
  readonly since: Instant;
  /** The last line it printed. */
  line: string;
}

interface Held {
  readonly slot: number;
  /** Set once its checkout is ready. */
  setUp: SetUpReport | null;
}

interface Waiting {
  readonly check: CheckKey;
  rank(): number;
  take(slot: number | null): void;
}

/**
 * Who has which slot. Nothing of it is stored: after a crash nobody has one, and whoever still needs one asks again. Who
 * waits is served by rank, then in turn.
 */
export class SlotPool {
  private readonly held = new Map<CheckKey, Held>();
  private readonly waiting: Waiting[] = [];
  private readonly running = new Map<CheckKey, RunningGate>();
  private readonly changed = new Set<() => void>();
  private readonly turns: { gates: number; alone: boolean; queue: (() => void)[] } = {
    gates: 0,
    alone: false,
    queue: [],
  };

  /** Aborted when the supervisor leaves: what runs then is run again by the next one. */
  readonly leaving = new AbortController();

  /** `jobs`: how many slots there are; it follows the config. */
  constructor(public jobs: number) {}

  /** A slot for a check, kept until it is released; null where `signal` came first. */
  take(check: CheckKey, rank: () => number, signal: AbortSignal): Promise<Held | null> {
    const own = this.held.get(check);
    if (own !== undefined) return Promise.resolve(own);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        check,
        rank,
        take: (slot) => {
          signal.removeEventListener("abort", leave);
          if (slot === null) return resolve(null);
          const held = { slot, setUp: null };
          this.held.set(check, held);
          resolve(held);
        },
      };
      const leave = () => {
        const at = this.waiting.indexOf(waiting);
        if (at >= 0) this.waiting.splice(at, 1);
        waiting.take(null);
      };
      if (signal.aborted) return resolve(null);
      signal.addEventListener("abort", leave, { once: true });
      this.waiting.push(waiting);
      this.serve();
      if (this.waiting.includes(waiting)) this.tell();
    });
  }

  release(check: CheckKey): void {
    if (!this.held.delete(check)) return;
    this.serve();
    this.tell();
  }

  /** Nobody waits, and a slot is free: time for what is only foreseen. */
  get idle(): boolean {
    return this.waiting.length === 0 && this.held.size < this.jobs;
  }

  /** Somebody waits who goes before this rank. */
  isPressed(rank: number): boolean {
    return this.waiting.some((each) => each.rank() < rank);
  }

  runs(check: CheckKey): RunningGate | null {
    return this.running.get(check) ?? null;
  }

  begin(check: CheckKey, gate: RunningGate): void {
    this.running.set(check, gate);
    this.tell();
  }

  end(check: CheckKey): void {
    this.running.delete(check);
    this.tell();
  }

  onChange(tell: () => void): () => void {
    this.changed.add(tell);
    return () => this.changed.delete(tell);
  }

  /** Runs a gate; one that must be alone waits until no other runs, and lets none begin meanwhile. */
  async inTurn<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    const state = this.turns;
    while (state.alone || (alone && state.gates > 0)) await new Promise<void>((resolve) => state.queue.push(resolve));
    state.gates++;
    if (alone) state.alone = true;
    try {
      return await work();
    } finally {
      state.gates--;
      if (alone) state.alone = false;
      for (const resolve of state.queue.splice(0)) resolve();
    }
  }

  private tell(): void {
    for (const tell of this.changed) tell();
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.held.size < this.jobs) {
      const first = this.waiting.reduce((best, each) => (each.rank() < best.rank() ? each : best));
      this.waiting.splice(this.waiting.indexOf(first), 1);
      const taken = new Set([...this.held.values()].map(({ slot }) => slot));
      let slot = 0;
      while (taken.has(slot)) slot++;
      first.take(slot);
    }
  }
}
