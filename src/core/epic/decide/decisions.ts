import type { Instant } from "../../text/ids.ts";
import type { Decision, Epic, Item } from "../file/epic.ts";
import { STATUSES } from "../file/epic.ts";
import { type Decided, oneLine } from "./decided.ts";
import { isSettled, itemNamed, openDependencies, openFollowUps, whyId } from "./item-state.ts";

/** Nothing can be done before a person says something: asks it once. Null where it is asked already, or nothing is. */
export function raise(epic: Epic, now: Instant): Decided | null {
  if (epic.decisions.some(({ answer }) => answer === "")) return null;
  const item = epic.items.find((each) => !isSettled(epic, each));
  if (item === undefined) return null;
  return asked(epic, { id: whyId(item.id), question: questionAbout(epic, item), options: "" }, now);
}

type NewDecision = Pick<Decision, "id" | "question" | "options"> & Partial<Pick<Decision, "default">>;

export function withDecision(epic: Epic, decision: NewDecision, now: Instant): Epic {
  if (epic.decisions.some(({ id }) => id === decision.id)) return epic;
  return { ...epic, decisions: [...epic.decisions, { default: "", ...decision, raised: now, answer: "", row: null }] };
}

/** The epic with a question for a person in it, who is told once. */
export function asked(epic: Epic, decision: NewDecision, now: Instant): Decided {
  const after = { ...withDecision(epic, decision, now), seq: epic.seq + 1 };
  const text = `${epic.id} needs you: ${oneLine(decision.question)} (\`banksman epic answer ${epic.id} ${decision.id} "…"\`)`;
  return {
    next: "applied",
    epic: after,
    effects: [{ type: "notify", key: `${epic.id}/decision/${decision.id}`, text }],
  };
}

function questionAbout(epic: Epic, item: Item): string {
  const { id, status } = item;
  if (status === "blocked" || status === "review")
    return `${id} is ${status}, and no reason was written. What does it wait for?`;
  if (status === "inbox") return `${id} is in the inbox. Is it to be done (queued) or not (cancelled)?`;
  if (!STATUSES.some((known) => known === status))
    return `${id} has the status "${oneLine(status, 40)}", which means nothing here. What is to be done with it?`;
  const [missing] = openDependencies(epic, item);
  const found = missing === undefined ? openFollowUps(epic, item)[0] : itemNamed(epic, missing);
  if (found == null) return `${id} depends on ${missing}, which is not in the table. What does it wait for?`;
  return `${id} waits for ${found.id}, which is ${found.status} and does not move. What is to be done?`;
}
