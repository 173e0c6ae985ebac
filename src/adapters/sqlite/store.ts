import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { Change } from "../../core/record/changes.ts";
import type { Store } from "../../ports/store.ts";
import type { Lock, Reply, Request, WorkerOptions } from "./requests.ts";
import { rowsOf } from "./rows.ts";

export interface SqliteOptions {
  readonly path: string;
  /** The built worker file; it cannot be found by import.meta in tests, which run from the sources. */
  readonly worker: URL;
  /** Only read what is there. */
  readonly look?: boolean;
  /** A file to hold for life: without it, rejects with `supervisor.other`. */
  readonly lock?: Lock;
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
    question: (number) => line.ask({ do: "question", number }),
    effects: (after, limit) => line.ask({ do: "effects", after, limit }),
    compact: (plan, limit) => line.ask({ do: "compact", plan, limit }),
    dropSettled: (plan, limit) => line.ask({ do: "dropSettled", plan, limit }),
    close: async () => {
      await line.ask({ do: "close" });
      await line.ended;
    },
  };
}

type Asked = Exclude<Request, { do: "commit" }> | { readonly do: "commit"; readonly changes: readonly Change[] };

interface Waiting {
  readonly asked: Asked;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The line to the worker: one batch under way, the next one gathering. */
class Line {
  readonly opened: Promise<void>;
  readonly ended: Promise<void>;
  private gathering: Waiting[] = [];
  /** Each group is answered by one reply. */
  private underWay: Waiting[][] = [];
  private broken: Failure | null = null;

  constructor(private readonly worker: Worker) {
    this.opened = new Promise((resolve, reject) => {
      this.underWay = [[{ asked: { do: "load" }, resolve: () => resolve(), reject }]];
    });
    this.ended = new Promise((resolve) => worker.on("exit", () => resolve()));
    worker.on("message", (replies: Reply[]) => this.settle(replies));
    worker.on("error", (error) => this.fail(error.message));
    worker.on("exit", () => this.fail("the journal's thread has ended"));
  }

  ask<T>(asked: Asked): Promise<T> {
    if (this.broken !== null) return Promise.reject(new Failed(this.broken));
    return new Promise<T>((resolve, reject) => {
      this.gathering.push({ asked, resolve: resolve as (value: unknown) => void, reject });
      if (this.underWay.length === 0) this.send([]);
    });
  }

  /** What has gathered, after what has to be sent first. */
  private send(first: Waiting[][]): void {
    this.underWay = [...first, ...grouped(this.gathering)];
    this.gathering = [];
    if (this.underWay.length > 0) this.worker.postMessage(this.underWay.map(requestOf));
  }

  /** Commits that failed together are tried one by one, so that a bad one spoils no other; before all that came later. */
  private settle(replies: readonly Reply[]): void {
    const answered = this.underWay.slice(0, replies.length);
    const again = this.underWay.slice(replies.length);
    const last = answered.at(-1) ?? [];
    const apart = last.length > 1 && replies.at(-1)?.ok === false;
    if (apart) answered.pop();
    this.send(apart ? [...last.map((each) => [each]), ...again] : again);
    answered.forEach((group, i) => {
      const reply = replies[i];
      for (const { resolve, reject } of group) {
        if (reply?.ok) resolve(reply.value);
        else reject(new Failed(reply?.failure ?? { kind: "store.broken", detail: "no reply" }));
      }
    });
  }

  private fail(detail: string): void {
    this.broken ??= { kind: "store.broken", detail };
    const failed = [...this.underWay.flat(), ...this.gathering];
    this.underWay = [];
    this.gathering = [];
    for (const { reject } of failed) reject(new Failed(this.broken));
  }
}

/** Commits that follow each other share a transaction and a sync. */
function grouped(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  for (const each of waiting) {
    const last = groups.at(-1);
    if (each.asked.do === "commit" && last?.[0]?.asked.do === "commit") last.push(each);
    else groups.push([each]);
  }
  return groups;
}

function requestOf(group: readonly Waiting[]): Request {
  const [first] = group;
  if (first !== undefined && first.asked.do !== "commit") return first.asked;
  const commits = group.flatMap(({ asked }) => (asked.do === "commit" ? [asked.changes] : []));
  return { do: "commit", rows: rowsOf(commits), together: group.length };
}
