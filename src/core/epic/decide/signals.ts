import type { Instant } from "../../text/ids.ts";
import { asFields, at, textAt } from "../../text/json-fields.ts";
import { tidy } from "../file/cells.ts";
import type { Epic, Item } from "../file/epic.ts";
import { readStamp } from "../file/stamp.ts";
import { isCheck, isClosed } from "./item-state.ts";

/** What is known of a work item from outside of the file. Facts, observed or told by a hook; never a model's word. */
export type Signal =
  | { readonly item: string; readonly kind: "exit"; readonly code: number; readonly pr: string | null }
  | { readonly item: string; readonly kind: "activity"; readonly at: Instant }
  | { readonly item: string; readonly kind: "done" | "stale" };

const MOST_SIGNALS = 10_000;

/** Reads the list of a `--signals` file; a sentence where it is none. */
export function parseSignals(value: unknown): Signal[] | string {
  if (!Array.isArray(value)) return "the signals are not a list";
  if (value.length > MOST_SIGNALS) return `there are more than ${MOST_SIGNALS} signals`;
  const signals = value.map(parseSignal);
  const wrong = signals.indexOf(null);
  return wrong < 0 ? signals.filter((each) => each !== null) : `signal ${wrong + 1} is not one`;
}

function parseSignal(value: unknown): Signal | null {
  const [item, kind] = [textAt(value, "item"), textAt(value, "kind")];
  if (asFields(value) === null || item === null) return null;
  if (kind === "done" || kind === "stale") return { item, kind };
  if (kind === "activity") {
    const stamp = readStamp(textAt(value, "at") ?? "");
    return stamp === null ? null : { item, kind, at: stamp };
  }
  const [code, pr] = [at(value, "code"), at(value, "pr")];
  if (kind !== "exit" || typeof code !== "number" || !Number.isSafeInteger(code)) return null;
  if (pr !== null && typeof pr !== "string") return null;
  const surface = typeof pr === "string" ? tidy(pr).slice(0, 500) : "";
  return { item, kind, code, pr: surface === "" || surface === "none" ? null : surface };
}

/** The items with what is known of them now. The same signal twice is the same as once. */
export function ingest(epic: Epic, signals: readonly Signal[], now: Instant): Epic {
  if (signals.length === 0) return epic;
  const byItem = new Map<string, Signal[]>();
  for (const signal of signals) byItem.set(signal.item, [...(byItem.get(signal.item) ?? []), signal]);
  const items = epic.items.map((item) =>
    (byItem.get(item.id) ?? []).reduce((is, signal) => heard(is, signal, now), item),
  );
  return items.every((item, i) => item === epic.items[i]) ? epic : { ...epic, items };
}

/** Clocks of two machines may be so far apart; it delays by as much when a worker is missed. */
const APART_MS = 3_600_000;

/**
 * The items with no sign of life far after now: what another clock wrote counts from when we first read it, and would
 * otherwise keep its worker from ever being missed.
 */
export function heardBy(epic: Epic, now: Instant): Epic {
  const isAhead = ({ lastActivity }: Item) => lastActivity !== null && lastActivity > now + APART_MS;
  if (!epic.items.some(isAhead)) return epic;
  return { ...epic, items: epic.items.map((item) => (isAhead(item) ? { ...item, lastActivity: now } : item)) };
}

function heard(item: Item, signal: Signal, now: Instant): Item {
  switch (signal.kind) {
    case "activity": {
      const seen = Math.min(signal.at, now) as Instant;
      const known = item.lastActivity !== null && item.lastActivity <= now ? item.lastActivity : 0;
      return item.status !== "in_progress" || seen <= known ? item : { ...item, lastActivity: seen };
    }
    case "exit":
      return exited(item, signal, now);
    case "done":
      return item.status === "cancelled" || item.status === "done" ? item : { ...item, status: "done", pending: null };
    case "stale":
      if (item.status !== "in_progress" || item.surface !== "" || item.pending !== null) return item;
      return { ...item, status: "queued" };
  }
}

/** With a pull request it is verified, whatever the exit code; without one the planner is asked what now. */
function exited(item: Item, { code, pr }: Signal & { kind: "exit" }, now: Instant): Item {
  if (isClosed(item) || (item.status !== "in_progress" && pr === null)) return item;
  if (item.pending !== null && (pr === null || item.surface === pr)) return item;
  const back = { ...item, status: "in_progress", lastActivity: now };
  if (pr !== null) return { ...back, surface: pr, pending: { for: "verify" } };
  if (item.surface !== "" || (code === 0 && isCheck(item.id))) return { ...back, pending: { for: "verify" } };
  return { ...back, pending: { for: "react", why: `no-deliverable, exit ${code}` } };
}
