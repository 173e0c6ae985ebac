import type { EffectOf } from "../../record/effects.ts";
import type { Instant } from "../../text/ids.ts";
import { onOneLine } from "../../text/printable.ts";
import { tidy } from "../file/cells.ts";
import type { Epic, Intent, Item, RowClass } from "../file/epic.ts";
import { stamped } from "../file/memory.ts";
import type { Policy } from "./policy.ts";

/** What a tick has come to. */
export interface Decided {
  readonly next: "noop" | "halt" | "finish" | "ask" | "applied";
  /** The file as it is to be saved before any other effect. */
  readonly epic: Epic;
  /** The file once they are done, where that differs: a dispatch leaves no intent behind. */
  readonly settled?: Epic;
  readonly request?: RoleRequest;
  readonly row?: { readonly class: RowClass; readonly decision: string; readonly notes: string };
  /** Outside of the file: at most one of each. */
  readonly effects: readonly EpicEffect[];
  /** Why nothing was done, for a person. */
  readonly why?: string;
}

/** What an epic asks of the world, and what performing each gives back. Each happens once per key. */
export interface EpicEffects {
  dispatch: {
    asks: {
      readonly key: string;
      readonly item: string;
      readonly worker: string;
      readonly title: string;
      readonly project: string;
    };
    /** Why nobody could be sent; null when somebody was. */
    gives: { readonly failed: string | null };
  };
  create: { asks: { readonly key: string; readonly items: readonly NewTask[] }; gives: Record<never, never> };
  notify: { asks: { readonly key: string; readonly text: string }; gives: Record<never, never> };
}

export type EpicEffect = EffectOf<EpicEffects>;

export interface NewTask {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly depends: readonly string[];
}

/** One question to one role. */
export type RoleRequest =
  | { readonly role: "planner"; readonly brief: PlannerBrief; readonly item: string | null }
  | { readonly role: "verifier"; readonly brief: VerifierBrief; readonly item: string }
  | { readonly role: "critic"; readonly brief: CriticBrief; readonly item: string };

export interface PlannerBrief {
  readonly epic: string;
  readonly role: "preflight" | "react" | "decompose";
  readonly context?: string;
  readonly title: string;
  /** What may be dispatched now. */
  readonly candidates?: readonly { readonly id: string; readonly title: string; readonly worker: string }[];
  /** Those with a hand free. */
  readonly workers?: readonly string[];
  /** What each of them can do, as the config says. */
  readonly capabilities?: Readonly<Record<string, readonly string[]>>;
}

export interface VerifierBrief {
  readonly item: string;
  readonly pr: string;
  readonly criteria: string;
  /** Where what failed before was mended, if anything was. */
  readonly fixes?: readonly string[];
}

export interface CriticBrief {
  readonly item: string;
  readonly title: string;
  readonly criteria: string;
  readonly rollback: string;
}

export const keyOf = ({ id, epoch, seq }: Epic): string => `${id}/${epoch}/${seq}`;

interface NewRow {
  readonly class: RowClass;
  readonly decision: string;
  readonly notes: string;
}

/** The tick's one row: it is also its number. */
export function recorded(epic: Epic, row: NewRow, now: Instant, most: number): Pick<Decided, "epic" | "row"> {
  const short = { class: row.class, decision: oneLine(row.decision), notes: oneLine(row.notes) };
  const at = stamped(epic.memory, now);
  const memory = [...epic.memory, { ...short, at, row: null }].slice(-most);
  return { epic: { ...epic, seq: epic.seq + 1, memory }, row: short };
}

/** Texts of roles are cut: a row is for reading. */
export const oneLine = (text: string, most = 300): string => {
  const line = onOneLine(tidy(text));
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

export const withItem = (epic: Epic, id: string, change: Partial<Item>): Epic => ({
  ...epic,
  items: epic.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
});

export const dispatchOf = (epic: Epic, { item, worker, key }: Intent): EpicEffect => {
  const found = epic.items.find(({ id }) => id === item);
  return { type: "dispatch", key, item, worker, title: found?.title ?? "", project: found?.project || epic.project };
};

/** When, and by which limits, something is decided. */
export interface Moment {
  readonly now: Instant;
  readonly policy: Policy;
}
