import type { Instant } from "../../text/ids.ts";
import type { Layout } from "./layout.ts";

/** What a person may write as a status. Anything else is kept as it stands, and nothing is done about it. */
export const STATUSES = [
  "inbox",
  "ready",
  "queued",
  "in_progress",
  "review",
  "blocked",
  "ready_for_user_review",
  "done",
  "cancelled",
] as const;

/** What a row of the pattern memory stands for. The brake matches on these names: they are stable. */
export type RowClass =
  | "dispatch_ok"
  | "dispatch_halt"
  | "verify_pass"
  | "verify_fail"
  | "react_filed_fix"
  | "react_halt"
  | "brake_fired"
  | "verdict_malformed"
  | "verify_revise"
  | "brake_reset"
  | "plan_review"
  | "finished"
  | "act_failed";

/** What an item waits for besides its worker. */
export type Pending = { readonly for: "verify" } | { readonly for: "react"; readonly why: string } | null;

/** One row of `## Work Items`. */
export interface Item {
  readonly id: string;
  readonly number: string;
  readonly title: string;
  /** One of STATUSES, or whatever a person wrote. */
  readonly status: string;
  readonly worker: string;
  /** Where a person reviews it: the address of its pull request. */
  readonly surface: string;
  readonly notes: string;
  readonly depends: readonly string[];
  readonly attempts: number;
  readonly lastActivity: Instant | null;
  readonly pending: Pending;
  readonly project: string;
  readonly tags: string;
  /** Its row in the file, or null for one that is not in it yet. */
  readonly row: number | null;
}

/** One row of `## Pattern Memory`. */
export interface MemoryRow {
  readonly at: Instant | null;
  readonly decision: string;
  /** A RowClass, or whatever a person wrote. */
  readonly class: string;
  readonly notes: string;
  readonly row: number | null;
}

/** One row of `## Pending Decisions`: what only a person can say. */
export interface Decision {
  readonly id: string;
  readonly question: string;
  readonly options: string;
  readonly default: string;
  readonly raised: Instant | null;
  readonly answer: string;
  readonly row: number | null;
}

/** Who is working on the file, and until when nobody else should. */
export interface Lease {
  readonly by: string;
  readonly until: Instant;
}

/** A dispatch that was decided and saved, and may not have happened yet; `failed` once it is known that it cannot. */
export interface Intent {
  readonly item: string;
  readonly worker: string;
  readonly key: string;
  readonly failed: string | null;
}

/** Everything the file says that banksman acts on. */
export interface EpicState {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly epoch: number;
  readonly seq: number;
  readonly project: string;
  /** One branch for all items: then one worker at a time. */
  readonly branch: string;
  /** Why banksman halted it; set with the status, gone with the reset. */
  readonly halted: string;
  readonly lease: Lease | null;
  readonly intent: Intent | null;
  readonly items: readonly Item[];
  readonly memory: readonly MemoryRow[];
  readonly decisions: readonly Decision[];
  /** Lines of the supervisor's log, as they stand. */
  readonly log: readonly string[];
  /** What each item's heading has below it, by item. */
  readonly briefs: ReadonlyMap<string, string>;
  /** The text of `## Rollback Plan`. */
  readonly rollback: string;
  /** `CRITIC OVERRIDE: …` lines that a person wrote. */
  readonly overrides: readonly string[];
  /** `ALLOW SKIP: …` lines that a person wrote: each names one test. */
  readonly allowed: readonly string[];
}

/** An epic as it is now, and the file it was read from: rendering splices in what differs. */
export interface Epic extends EpicState {
  readonly origin: { readonly text: string; readonly layout: Layout; readonly state: EpicState };
}

/** A file that is not touched, and why. */
export interface Corrupt {
  readonly corrupt: string;
}

export const isCorrupt = (value: Epic | Corrupt): value is Corrupt => "corrupt" in value;

/** Names an item or an epic can have: they become parts of branches, files and keys. */
export const isId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(text) && !text.includes("..");
