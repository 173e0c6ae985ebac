import type { Decision, Epic, Item } from "../file/epic.ts";
import type { Policy } from "./policy.ts";

/** At its review surface, or out of the epic. */
export const isClosed = ({ status }: Item): boolean =>
  status === "ready_for_user_review" || status === "done" || status === "cancelled";

/** Closed, or escalated with a reason that somebody wrote down. */
export function isSettled(epic: Epic, item: Item): boolean {
  if (isClosed(item)) return true;
  if (answerTo(epic, whyId(item.id)) !== "") return !isOut(item);
  return (item.status === "blocked" || item.status === "review") && item.notes !== "";
}

export const whyId = (item: string): string => `why-${item}`;
export const workerId = (item: string): string => `worker-${item}`;

/** A planner's question about an item, or about the epic by its own id. */
export const askId = (about: string, number: number): string => `ask-${about}-${number}`;

export const questionsAbout = ({ decisions }: Epic, about: string): readonly Decision[] =>
  decisions.filter(({ id }) => /^ask-(.+)-\d+$/.exec(id)?.[1] === about);

/** A planner has asked a person about it, and nothing is done about it before the answer. */
export const awaitsAnswer = (epic: Epic, about: string): boolean =>
  epic.decisions.length > 0 &&
  [about, epic.id].some((each) => questionsAbout(epic, each).some(({ answer }) => answer === ""));

export const answerTo = ({ decisions }: Epic, id: string): string =>
  decisions.find((decision) => decision.id === id)?.answer ?? "";

/** A person has queued it. Whatever is ready in it may be worked on. */
export const isApproved = ({ status }: Epic): boolean => status === "queued" || status === "in_progress";

/** A worker has it, and has not come back. */
export const isOut = (item: Item): boolean =>
  item.status === "in_progress" && item.pending === null && item.surface === "";

/** Looked up for every dependency of every item: by a table that is made once per list. */
export function itemNamed({ items }: Epic, id: string): Item | null {
  const known = BY_NAME.get(items) ?? new Map(items.map((item) => [item.id, item]));
  BY_NAME.set(items, known);
  return known.get(id) ?? null;
}

const BY_NAME = new WeakMap<readonly Item[], ReadonlyMap<string, Item>>();

/** Items that were filed because of another one are called after it. */
export const rootOf = (id: string): string => id.replace(/(?:-(?:fix|verify|refine)\d+)+$/, "");

/** Whether one item was filed to mend the other, or a fix of it. */
export const isFixOf = (id: string, other: string): boolean =>
  id !== other && fixedBy(id, (each) => each === other) !== null;

/** The nearest item that a fix mends, of those that count; null for what is no fix of one. */
export function fixedBy(id: string, counts: (id: string) => boolean): string | null {
  for (let at = id; /-fix\d+$/.test(at); ) {
    at = at.replace(/-fix\d+$/, "");
    if (counts(at)) return at;
  }
  return null;
}

export const isCheck = (id: string): boolean => /-verify\d+$/.test(id) || id === GOAL_CHECK;

/** The last child of a decomposition: whether the goal is reached. */
export const GOAL_CHECK = "verify-goal";

/** What an item still waits for. A check of a pull request needs the pull request, not the verdict on it. */
export function openDependencies(epic: Epic, item: Item): string[] {
  return item.depends.filter((id) => {
    const found = itemNamed(epic, id);
    if (found === null) return true;
    if (item.id.startsWith(`${id}-verify`) && found.surface !== "" && found.pending === null) return false;
    return found.status !== "ready_for_user_review" && found.status !== "done";
  });
}

/** Fixes and checks that were filed for an item and are not at their end. */
export const openFollowUps = ({ items }: Epic, { id }: Item): readonly Item[] => {
  const known = FOLLOW_UPS.get(items) ?? grouped(items.filter(isOpenFollowUp), (item) => item.id.replace(LAST, ""));
  FOLLOW_UPS.set(items, known);
  return known.get(stemOf(id)) ?? [];
};

const LAST = /-(?:fix|verify)\d+$/;
const isOpenFollowUp = (item: Item): boolean => LAST.test(item.id) && !isClosed(item);
const FOLLOW_UPS = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();

/** What follow-ups of an item are called after: cut where their names would get too long to be ones. */
export const stemOf = (id: string): string =>
  id.length > 64
    ? rootOf(id)
        .slice(0, 60)
        .replace(/[.-]+$/, "")
    : id;

/** A worker came back with something, and nothing that was filed for it is still open. */
export function needsVerifying(epic: Epic, item: Item): boolean {
  if (item.status !== "in_progress" || item.pending?.for === "react") return false;
  if (item.pending === null && item.surface === "") return false;
  return openFollowUps(epic, item).length === 0;
}

/** Queued or ready, with nothing before it, and a hand free for it. */
export function isDispatchable(epic: Epic, item: Item, policy: Policy): boolean {
  if (!isApproved(epic) || (item.status !== "queued" && item.status !== "ready")) return false;
  if (openDependencies(epic, item).length > 0 || awaitsAnswer(epic, item.id)) return false;
  return !isLocked(epic) && (isInfeasible(epic, item, policy) || hasHand(epic, item, policy));
}

/** One branch for all: whoever is at work has it. */
function isLocked(epic: Epic): boolean {
  if (epic.branch === "") return false;
  const isHeld = (item: Item) => item.status === "in_progress" && !openForOthers(epic, item);
  const held = LOCKED.get(epic.items) ?? epic.items.some(isHeld);
  LOCKED.set(epic.items, held);
  return held;
}

const LOCKED = new WeakMap<readonly Item[], boolean>();

/** Its branch is free while it waits for what was filed because of it. */
const openForOthers = (epic: Epic, item: Item): boolean => openFollowUps(epic, item).length > 0;

/** The worker that was asked for: by a person's answer, or in the row. Empty where anybody will do. */
export function wantedWorker(epic: Epic, item: Item, { workers }: Policy): string {
  const answer = answerTo(epic, workerId(item.id));
  return workers.has(answer) ? answer : item.worker;
}

/** Somebody was asked for whom the registry does not have. Nobody takes their place unasked. */
export function isInfeasible(epic: Epic, item: Item, policy: Policy): boolean {
  const wanted = wantedWorker(epic, item, policy);
  if (wanted === "") return [...policy.workers.values()].every(({ capacity }) => capacity === 0);
  return (policy.workers.get(wanted)?.capacity ?? 0) === 0;
}

export function hasHand(epic: Epic, item: Item, policy: Policy): boolean {
  const wanted = wantedWorker(epic, item, policy);
  if (wanted !== "") return isFree(epic, wanted, policy);
  return [...policy.workers.keys()].some((name) => isFree(epic, name, policy));
}

export function isFree({ items }: Epic, worker: string, { workers }: Policy): boolean {
  const busy = BUSY.get(items) ?? grouped(items.filter(isOut), (item) => item.worker);
  BUSY.set(items, busy);
  return (busy.get(worker)?.length ?? 0) < (workers.get(worker)?.capacity ?? 0);
}

const BUSY = new WeakMap<readonly Item[], ReadonlyMap<string, readonly Item[]>>();

function grouped(items: readonly Item[], by: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(by(item));
    if (group === undefined) groups.set(by(item), [item]);
    else group.push(item);
  }
  return groups;
}
