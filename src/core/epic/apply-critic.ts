import type { CriticAnswer, Malformed } from "./answers.ts";
import type { Moment } from "./apply.ts";
import { type Decided, keyOf, oneLine, recorded, withItem } from "./decided.ts";
import type { Epic } from "./epic.ts";
import { FILING, fileItems, followUpId, triedAgain } from "./file-item.ts";
import { halt, logged } from "./halt.ts";
import { scanWorkarounds } from "./scan-workarounds.ts";
import { itemNamed } from "./standing.ts";

/** The verdict goes to the log, where the next dispatch finds it. */
export function applyCritic(
  epic: Epic,
  id: string,
  answer: CriticAnswer,
  { now, policy }: Moment,
): Decided | Malformed {
  const item = itemNamed(epic, id);
  if (item === null) return { malformed: `${id} is not in the table` };
  if (scanWorkarounds(answer.reason).length > 0) return { malformed: "its reason routes around a check" };
  const said = `critic on ${id}: ${answer.verdict}${answer.reason === "" ? "" : `: ${oneLine(answer.reason)}`}`;
  const heard = logged(epic, said, now);
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
  return { next: "applied", ...written, effects: [{ kind: "create", key: keyOf(written.epic), items: filed.tasks }] };
}
