import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { Failed, type Failure } from "../../core/failure.ts";
import type { Store } from "../../ports/store.ts";
import type { Reply, Request, WorkerOptions } from "./requests.ts";

export interface SqliteOptions {
  readonly path: string;
  /** The built worker file; it cannot be found by import.meta in tests, which run from the sources. */
  readonly worker: URL;
  /** Only read what is there. */
  readonly look?: boolean;
  /** A file to hold for life: without it, rejects with `supervisor.other`. */
  readonly lock?: string;
}

/**
 * The Store over SQLite. What is asked while the worker is busy waits and travels together: that is the group commit.
 */
export async function openSqliteStore({ path, worker, look = false, lock }: SqliteOptions): Promise<Store> {
  const options: WorkerOptions = { path, epoch: randomBytes(8).toString("hex"), look, lock: lock ?? null };
  const line = new Line(new Worker(worker, { workerData: options, stdout: false, stderr: false }));
  await line.opened;
  return {
    load: () => line.ask({ do: "load" }),
    commit: (changes) => line.ask({ do: "commit", changes }),
    inbox: (query) => line.ask({ do: "inbox", query }),
    inboxCounts: (readers) => line.ask({ do: "counts", readers }),
    log: (after, limit) => line.ask({ do: "log", after, limit }),
    byKey: (sender, key) => line.ask({ do: "byKey", sender, key }),
    effects: (after, limit) => line.ask({ do: "effects", after, limit }),
    compact: (plan, limit) => line.ask({ do: "compact", plan, limit }),
    close: async () => {
      await line.ask({ do: "close" });
      await line.ended;
    },
  };
}

interface Waiting {
  readonly request: Request;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The line to the worker: one batch under way, the next one gathering. */
class Line {
  readonly opened: Promise<void>;
  readonly ended: Promise<void>;
  private gathering: Waiting[] = [];
  private underWay: Waiting[] = [];
  private broken: Failure | null = null;

  constructor(private readonly worker: Worker) {
    this.opened = new Promise((resolve, reject) => {
      this.underWay = [{ request: { do: "load" }, resolve: () => resolve(), reject }];
    });
    this.ended = new Promise((resolve) => worker.on("exit", () => resolve()));
    worker.on("message", (replies: Reply[]) => this.settle(replies));
    worker.on("error", (error) => this.fail(error.message));
    worker.on("exit", () => this.fail("the journal's thread has ended"));
  }

  ask<T>(request: Request): Promise<T> {
    if (this.broken !== null) return Promise.reject(new Failed(this.broken));
    return new Promise<T>((resolve, reject) => {
      this.gathering.push({ request, resolve: resolve as (value: unknown) => void, reject });
      if (this.underWay.length === 0) this.send();
    });
  }

  private send(): void {
    this.underWay = this.gathering;
    this.gathering = [];
    if (this.underWay.length > 0) this.worker.postMessage(this.underWay.map(({ request }) => request));
  }

  private settle(replies: readonly Reply[]): void {
    const answered = this.underWay;
    this.send();
    answered.forEach(({ resolve, reject }, i) => {
      const reply = replies[i];
      if (reply?.ok) resolve(reply.value);
      else reject(new Failed(reply?.failure ?? { kind: "store.broken", detail: "no reply" }));
    });
  }

  private fail(detail: string): void {
    this.broken ??= { kind: "store.broken", detail };
    const failed = [...this.underWay, ...this.gathering];
    this.underWay = [];
    this.gathering = [];
    for (const { reject } of failed) reject(new Failed(this.broken));
  }
}
