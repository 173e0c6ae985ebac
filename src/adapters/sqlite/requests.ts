import type { Failure } from "../../core/failure/failure.ts";
import type { Compaction, Settled } from "../../core/record/retention.ts";
import type { AgentId } from "../../core/text/ids.ts";
import type { CountQuery, InboxQuery } from "../../ports/store.ts";
import type { Holder } from "./lock.ts";
import type { Rows } from "./rows.ts";

/**
 * What the two threads say to each other. Requests travel in batches; replies come back in the same order. Commits that
 * follow each other travel as one; when that fails, it is the last that is answered, and the others are sent again.
 */
export type Request =
  | { readonly do: "load" }
  | { readonly do: "commit"; readonly rows: Rows; readonly together: number }
  | { readonly do: "inbox"; readonly query: InboxQuery }
  | { readonly do: "counts"; readonly readers: readonly CountQuery[] }
  | { readonly do: "log"; readonly after: number; readonly limit: number }
  | { readonly do: "byKey"; readonly sender: AgentId; readonly key: string }
  | { readonly do: "question"; readonly number: number }
  | { readonly do: "effects"; readonly after: number; readonly limit: number }
  | { readonly do: "compact"; readonly plan: Compaction; readonly limit: number }
  | { readonly do: "dropSettled"; readonly plan: Settled; readonly limit: number }
  | { readonly do: "close" };

export type Reply = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: Failure };

export interface WorkerOptions {
  readonly path: string;
  readonly epoch: string;
  /** Only read: nothing is made or upgraded. */
  readonly look: boolean;
  /** Taken before the journal is opened, and held until it is closed; null for readers. */
  readonly lock: Lock | null;
}

/** A file to hold for life, and what others read in it. */
export interface Lock {
  readonly path: string;
  readonly holder: Holder;
}
