import type { Epic } from "../file/epic.ts";
import type { Malformed, VerifierAnswer } from "./answers.ts";
import { checkProse, withAllowed } from "./check-prose.ts";
import type { Moment } from "./decided.ts";
import { type Decided, keyOf, oneLine, recorded, withItem } from "./decided.ts";
import { FILING, fileItems, followUpId, triedAgain } from "./file-item.ts";
import { nextLine } from "./halt.ts";
import { itemNamed } from "./item-state.ts";

/** PASS is at the review surface, FAIL is for the planner on the next tick, REVISE is a check that somebody has to make. */
export function applyVerifier(
  epic: Epic,
  id: string,
  answer: VerifierAnswer,
  { now, policy }: Moment,
): Decided | Malformed {
  const item = itemNamed(epic, id);
  if (item === null) return { malformed: `${id} is not in the table` };
  if (answer.verdict === "PASS") {
    const passed = withItem(epic, id, { status: "ready_for_user_review", pending: null });
    const row = { class: "verify_pass", decision: `verifier PASS on ${id}`, notes: nextLine(passed, policy) } as const;
    return { next: "applied", ...recorded(passed, row, now, policy.rows), effects: [] };
  }
  const reason = oneLine(answer.reason);
  if (answer.verdict === "FAIL") {
    const failed = withItem(epic, id, { pending: { for: "react", why: `marsha-fail: ${reason}` } });
    const row = { class: "verify_fail", decision: `verifier FAIL on ${id}`, notes: reason } as const;
    return { next: "applied", ...recorded(failed, row, now, policy.rows), effects: [] };
  }
  const row = { class: "verify_revise", decision: `verifier REVISE on ${id}`, notes: reason } as const;
  if (item.attempts >= policy.attempts) {
    const worn = withItem(epic, id, { pending: { for: "react", why: `marsha-revise: ${reason}` } });
    return { next: "applied", ...recorded(worn, row, now, policy.rows), effects: [] };
  }
  const checked = checkProse(epic, answer.reason);
  if (checked.hit !== null) return { malformed: "its reason routes around a check" };
  return revised(withAllowed(epic, checked, now), { id, surface: item.surface, reason }, row, { now, policy });
}

function revised(
  epic: Epic,
  { id, surface, reason }: { id: string; surface: string; reason: string },
  row: Parameters<typeof recorded>[1],
  { now, policy }: Moment,
): Decided {
  const open = triedAgain(withItem(epic, id, { pending: surface === "" ? { for: "verify" } : null }), id);
  const name = followUpId(open, id, "verify");
  const depends = surface === "" ? [] : [id];
  const notes = surface === "" ? "" : surface;
  const check = { ...FILING, id: name, title: `Verify ${id}: ${oneLine(reason, 120)}`, body: reason, notes, depends };
  const filed = fileItems(open, [check]);
  const written = recorded(filed.epic, row, now, policy.rows);
  return { next: "applied", ...written, effects: [{ type: "create", key: keyOf(written.epic), items: filed.tasks }] };
}
