import { counted } from "../../text/counted.ts";
import { type Epic, isId } from "../file/epic.ts";
import type { Malformed } from "./answers.ts";
import { checkProse, withAllowed } from "./check-prose.ts";
import type { Decided, Moment } from "./decided.ts";
import { FILING, type Filing, fileItems } from "./file-item.ts";
import { halt } from "./halt.ts";
import { GOAL_CHECK } from "./item-state.ts";
import { checkSizes, type Proposed } from "./size.ts";

/** Files a planner's children, all or none, and waits for a person: only their `queued` lets anybody work on them. */
export function applyDecompose(
  epic: Epic,
  children: readonly Proposed[],
  { now, policy }: Moment,
): Decided | Malformed {
  const [size, ...more] = checkSizes(children, policy);
  if (size !== undefined) return { malformed: [`too big: ${size}`, ...more].join("; ") };
  const checked = checkProse(epic, children.map(({ title, body }) => `${title}\n${body}`).join("\n\n"));
  if (checked.hit !== null) return { malformed: `the plan routes around a check (${checked.hit.rule})` };
  const filings = withGoalCheck(children.map(toFiling));
  const wrong = problemWith(filings, policy.workers);
  if (wrong !== null) return { malformed: wrong };
  const filed = fileItems(withAllowed(epic, checked, now), filings);
  const waits = filings.length === 1 ? "1 item waits" : `${filings.length} items wait`;
  const reason = `${waits} for your approval: set the status to queued, or \`banksman epic promote ${epic.id}\``;
  const decision = `decompose into ${counted(filings.length, "item")}`;
  const halted = halt(filed.epic, { status: "review", class: "plan_review", decision, reason }, now, policy);
  const key = halted.effects[0]?.key ?? epic.id;
  return { ...halted, effects: [{ type: "create", key, items: filed.tasks }, ...halted.effects] };
}

/** `t-1`, `t-2` where the planner has no names; `$1` is the first child. */
function toFiling(child: Proposed, i: number, all: readonly Proposed[]): Filing {
  const nameOf = (each: Proposed | undefined, at: number) => each?.id ?? `t-${at + 1}`;
  const depends = child.depends.map((name) => {
    const [, number] = /^\$(\d{1,3})$/.exec(name) ?? [];
    return number === undefined ? name : nameOf(all[Number(number) - 1], Number(number) - 1);
  });
  const { title, body, worker, tags } = child;
  return { ...FILING, id: nameOf(child, i), title, body, depends, worker, tags };
}

/** Parts that are all there do not make the whole: somebody looks whether the goal is reached, last. */
function withGoalCheck(filings: readonly Filing[]): readonly Filing[] {
  const others = (last: Filing) => filings.filter((each) => each !== last).map(({ id }) => id);
  const isLast = (each: Filing) => filings.length > 1 && others(each).every((id) => each.depends.includes(id));
  if (filings.length < 2 || filings.some(isLast) || filings.some(({ id }) => id === GOAL_CHECK)) return filings;
  const title = "Verify that the epic's goal is reached";
  return [...filings, { ...FILING, id: GOAL_CHECK, title, depends: filings.map(({ id }) => id) }];
}

function problemWith(filings: readonly Filing[], workers: { has(name: string): boolean }): string | null {
  const names = filings.map(({ id }) => id);
  const bad = filings.find(({ id }) => !isId(id));
  if (bad !== undefined) return "one of its items has a name that cannot be one";
  if (new Set(names).size < names.length) return "two of its items have one name";
  const unknown = filings.find(({ worker }) => worker !== "" && !workers.has(worker));
  if (unknown !== undefined) return `${unknown.id} is for a worker the registry does not know`;
  const loose = filings.find(({ depends }) => depends.some((name) => !names.includes(name)));
  if (loose !== undefined) return `${loose.id} depends on something that is not among its items`;
  return hasCycle(filings) ? "its items depend on each other in a circle" : null;
}

/** Whether taking away what depends on nothing leaves something. */
function hasCycle(filings: readonly Filing[]): boolean {
  const left = new Map(filings.map(({ id, depends }) => [id, depends]));
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [id, depends] of left) if (!depends.some((name) => left.has(name))) left.delete(id);
  }
  return left.size > 0;
}
