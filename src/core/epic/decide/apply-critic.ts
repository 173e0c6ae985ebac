import type { Epic } from "../file/epic.ts";
import type { CriticAnswer, Malformed } from "./answers.ts";
import { checkProse, withAllowed } from "./check-prose.ts";
import type { Moment } from "./decided.ts";
import { type Decided, keyOf, oneLine, recorded, withItem } from "./decided.ts";
import { FILING, fileItems, followUpId, triedAgain } from "./file-item.ts";
import { halt, logged } from "./halt.ts";
import { itemNamed } from "./item-state.ts";

/** The verdict goes to the log, where the next dispatch finds it. */
export function applyCritic(
  epic: Epic,
  id: string,
  answer: CriticAnswer,
  { now, policy }: Moment,
): Decided | Malformed {
  const item = itemNamed(epic, id);
  if (item === null) return { malformed: `${id} is not in the table` };
  const checked = checkProse(epic, answer.reason);
  if (checked.hit !== null) return { malformed: "its reason routes around a check" };
  const said = `critic on ${id}: ${answer.verdict}${answer.reason === "" ? "" : `: ${oneLine(answer.reason)}`}`;
  const heard = logged(withAllowed(epic, checked, now), said, now);
  if (answer.verdict === "SAFE_TO_DISPATCH")
    return { next: "applied", epic: { ...heard, seq: epic.seq + 1 }, effects: [] };
  if (answer.verdict === "DO_NOT_DISPATCH") {
    const stop = { status: "review", class: "dispatch_halt", decision: `critic refused ${id}` } as const;
    return halt(heard, { ...stop, reason: `${id}: ${answer.reason}` }, now, policy);
  }
  const name = followUpId(heard, id, "refine");
  const refine = { ...FILING, id: name, title: `Refine ${id}: ${oneLine(answer.reason, 120)}`, body: answer.reason };
  const waits = withItem(triedAgain(heard, id), id, { depends: [...item.depends, name] });
  const filed = fileItems(waits, [refine]);
  const row = {
    class: "react_filed_fix",
    decision: `critic sent ${id} back as ${name}`,
    notes: answer.reason,
  } as const;
  const written = recorded(filed.epic, row, now, policy.rows);
  return { next: "applied", ...written, effects: [{ type: "create", key: keyOf(written.epic), items: filed.tasks }] };
}
