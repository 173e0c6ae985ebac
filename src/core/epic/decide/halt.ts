import { counted } from "../../text/counted.ts";
import type { Instant } from "../../text/ids.ts";
import type { Epic, Item, RowClass } from "../file/epic.ts";
import { writeStamp } from "../file/stamp.ts";
import { type Decided, keyOf, oneLine, recorded } from "./decided.ts";
import { isClosed, isDispatchable, isSettled } from "./item-state.ts";
import type { Policy } from "./policy.ts";

export interface Halt {
  readonly status: "review" | "blocked";
  readonly class: RowClass;
  readonly decision: string;
  readonly reason: string;
}

/**
 * Stops the epic until a person queues it again: a row, the status, one line that names what is next, said once. A plan
 * that waits for its approval is not marked: queueing it approves it, and resets nothing.
 */
export function halt(epic: Epic, { status, reason, ...row }: Halt, now: Instant, policy: Policy): Decided {
  const { epic: after, row: written } = recorded(epic, { ...row, notes: reason }, now, policy.rows);
  const text = `${epic.id}: ${status}, ${oneLine(reason)}. ${nextLine(epic, policy)}`;
  const mark = row.class === "plan_review" ? "" : oneLine(reason);
  const halted = logged({ ...after, status, halted: mark }, text, now);
  return {
    next: "halt",
    epic: halted,
    ...(written && { row: written }),
    effects: [{ type: "notify", key: keyOf(halted), text }],
  };
}

/** Everything is where a person reviews it, or says why it is not. */
export function finish(epic: Epic, now: Instant, policy: Policy): Decided {
  const ready = epic.items.filter(({ status }) => status === "ready_for_user_review" || status === "done").length;
  const summary = `${ready} of ${counted(epic.items.length, "item")} ready for review`;
  const { epic: after, row } = recorded(
    epic,
    { class: "finished", decision: "finish", notes: summary },
    now,
    policy.rows,
  );
  const open = epic.items.filter((item) => !isClosed(item));
  const rest = open.length === 0 ? "Next: your review." : `Next: ${open.map(named).join(", ")}.`;
  const text = `${epic.id}: ready for your review, ${summary}. ${rest}`;
  const lines = epic.items.map((item) => `${named(item)}: ${item.status} ${item.surface || item.notes}`.trim());
  const ended = { ...after, status: "ready_for_user_review", halted: summary };
  return {
    next: "finish",
    epic: [text, ...lines].reduce((is, line) => logged(is, line, now), ended as Epic),
    ...(row && { row }),
    effects: [{ type: "notify", key: keyOf(after), text }],
  };
}

/** A person has queued it again: failures and attempts are counted from zero; the planner's halts go on being counted, and no lease holds it up. */
export function reset(epic: Epic, now: Instant, policy: Policy): Decided {
  const items = epic.items.map((item) => (isClosed(item) ? item : { ...item, attempts: 0 }));
  const fresh = { ...epic, status: "queued", epoch: epic.epoch + 1, halted: "", lease: null, items };
  const row = {
    class: "brake_reset",
    decision: "reset by a person",
    notes: `was: ${epic.halted || "halted"}`,
  } as const;
  return { next: "applied", ...recorded(fresh, row, now, policy.rows), effects: [] };
}

/** A line at the end of the supervisor's log. The time in front keeps it from being anything else. */
export const logged = (epic: Epic, text: string, now: Instant): Epic => ({
  ...epic,
  log: [...epic.log, `- ${writeStamp(now)} ${oneLine(text, 500)}`],
});

/** Never assume that the reader knows the graph. */
export function nextLine(epic: Epic, policy: Policy): string {
  const open = epic.items.filter((item) => !isSettled(epic, item));
  const next = open.find((item) => isDispatchable(epic, item, policy)) ?? open[0];
  return next === undefined ? "Next: nothing is left." : `Next: ${named(next)}.`;
}

const named = ({ id, title }: Item): string => (title === "" ? id : `${id} (${oneLine(title, 80)})`);
