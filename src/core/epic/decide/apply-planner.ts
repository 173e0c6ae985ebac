import type { Instant } from "../../text/ids.ts";
import type { Epic, Item } from "../file/epic.ts";
import type { Malformed, PlannerAnswer } from "./answers.ts";
import { applyDecompose } from "./apply-decompose.ts";
import { checkProse, withAllowed } from "./check-prose.ts";
import type { Moment } from "./decided.ts";
import { type Decided, dispatchOf, keyOf, oneLine, type RoleRequest, recorded, withItem } from "./decided.ts";
import { asked } from "./decisions.ts";
import { FILING, fileItems, followUpId, triedAgain } from "./file-item.ts";
import { halt, logged } from "./halt.ts";
import {
  askId,
  isClosed,
  isDispatchable,
  isFree,
  isInfeasible,
  itemNamed,
  openDependencies,
  questionsAbout,
  rootOf,
  wantedWorker,
} from "./item-state.ts";
import type { Policy } from "./policy.ts";
import { HIGH_RISK, isTagged, weighRisk } from "./risk.ts";

type Asked = RoleRequest & { role: "planner" };

/** Does what a planner asks for, as far as the table and the registry allow it. */
export function applyPlanner(epic: Epic, asked: Asked, answer: PlannerAnswer, moment: Moment): Decided | Malformed {
  if (asked.brief.role === "decompose" && (answer.action === "dispatch" || answer.action === "file_fix_task"))
    return { malformed: `${answer.action} is no answer to decompose` };
  switch (answer.action) {
    case "dispatch":
      return dispatch(epic, asked, answer, moment);
    case "file_fix_task":
      return fileFix(epic, asked, answer, moment);
    case "decompose":
      if (asked.brief.role !== "decompose") return { malformed: `decompose is no answer to ${asked.brief.role}` };
      return applyDecompose(epic, answer.children, moment);
    case "halt": {
      const checked = checkProse(epic, answer.reason);
      if (checked.hit !== null) return { malformed: "its reason routes around a check" };
      const name = asked.brief.role === "react" ? "react_halt" : "dispatch_halt";
      const about = asked.item === null ? "" : ` on ${asked.item}`;
      const stop = {
        status: answer.status,
        class: name,
        decision: `planner halt${about}`,
        reason: answer.reason,
      } as const;
      return halt(withAllowed(epic, checked, moment.now), stop, moment.now, moment.policy);
    }
    case "ask":
      return ask(epic, asked, answer, moment);
  }
}

/** The intent is saved with the row, before anybody is sent: after a crash it is asked for again, by the same key. */
function dispatch(
  epic: Epic,
  asked: Asked,
  answer: PlannerAnswer & { action: "dispatch" },
  { now, policy }: Moment,
): Decided | Malformed {
  const item = itemNamed(epic, answer.item);
  const wrong =
    item === null
      ? `${answer.item.slice(0, 80)} is not in the table`
      : whyNot(epic, asked, { item, ...pick(answer) }, policy);
  if (wrong !== null || item === null) return { malformed: wrong ?? "" };
  if (answer.risky && !isTagged(item)) return marked(epic, item, now);
  const { worker } = answer;
  const sent = withItem(epic, item.id, {
    attempts: item.attempts + 1,
    status: "in_progress",
    worker,
    pending: null,
    lastActivity: now,
  });
  const row = {
    class: "dispatch_ok",
    decision: `dispatch ${item.id} to ${worker}`,
    notes: `attempt ${item.attempts + 1}`,
  } as const;
  const written = recorded(sent, row, now, policy.rows);
  const intent = { item: item.id, worker, key: keyOf(written.epic), failed: null };
  return {
    next: "applied",
    epic: { ...written.epic, intent },
    settled: written.epic,
    ...(written.row && { row: written.row }),
    effects: [dispatchOf(written.epic, intent)],
  };
}

/** The planner says that it could do damage: the critic is asked on the next tick. */
function marked(epic: Epic, item: Item, now: Instant): Decided {
  const tags = [item.tags, HIGH_RISK].filter((tag) => tag !== "").join(", ");
  const tagged = withItem(epic, item.id, { tags });
  const noted = logged(tagged, `planner marks ${item.id} as ${HIGH_RISK}`, now);
  return { next: "applied", epic: { ...noted, seq: epic.seq + 1 }, effects: [] };
}

const pick = ({ worker, project }: PlannerAnswer & { action: "dispatch" }) => ({ worker, project });

interface Wanted {
  readonly item: Item;
  readonly worker: string;
  readonly project: string | null;
}

/** Why this dispatch is not one, or null. */
function whyNot(
  epic: Epic,
  { brief, item: about }: Asked,
  { item, worker, project }: Wanted,
  policy: Policy,
): string | null {
  if (!policy.workers.has(worker)) return `the registry does not know the worker ${worker.slice(0, 40)}`;
  const unable = policy.workers.get(worker)?.unable;
  if (unable !== undefined) return `${worker} ${unable}`;
  const wanted = wantedWorker(epic, item, policy);
  if (wanted !== "" && wanted !== worker)
    return `substitution: ${item.id} is ${wanted}'s, and nobody said that ${worker} may have it`;
  const home = item.project || epic.project;
  if (home !== "" && project !== home) return `${item.id} belongs to the project ${home}`;
  const open = openDependencies(epic, item);
  if (open.length > 0 && brief.role !== "react") return `${item.id} waits for ${open.join(", ")}`;
  if (brief.role === "react" && item.id !== about) return `asked about ${about}, it dispatches ${item.id}`;
  if (brief.role !== "react" && !isDispatchable(epic, item, policy))
    return `${item.id} cannot be dispatched now: it is ${item.status}`;
  if (isInfeasible(epic, item, policy) || !isFree(epic, worker, policy)) return `${worker} has no hand free`;
  const { needsCritic, refusal } = weighRisk(epic, item);
  if (refusal !== null) return `${item.id}: ${refusal}`;
  return needsCritic ? `${item.id} needs the critic first` : null;
}

/** A fix is one more try at what it fixes, which is verified again once the fix is at its surface. */
function fileFix(
  epic: Epic,
  asked: Asked,
  answer: PlannerAnswer & { action: "file_fix_task" },
  { now, policy }: Moment,
): Decided | Malformed {
  const checked = checkProse(epic, `${answer.title}\n${answer.body}`);
  if (checked.hit !== null) return { malformed: `the fix routes around a check (${checked.hit.rule})` };
  const parent = parentOf(epic, asked, answer.parent);
  if (parent === null)
    return { malformed: `the fix is for ${answer.parent.slice(0, 80)}, which is not what was asked about` };
  const id = followUpId(epic, parent, "fix");
  if (openKin(epic, id) >= policy.attempts)
    return { malformed: `${rootOf(id)} waits for ${policy.attempts} items already` };
  const item = itemNamed(epic, parent);
  const pending = item?.status === "in_progress" ? { pending: { for: "verify" } as const } : {};
  const linked =
    item === null ? epic : withItem(triedAgain(epic, parent), parent, { ...pending, depends: [...item.depends, id] });
  const tags = answer.risky ? HIGH_RISK : "";
  const filed = fileItems(withAllowed(linked, checked, now), [
    { ...FILING, id, title: answer.title, body: answer.body, tags },
  ]);
  const row = { class: "react_filed_fix", decision: `file ${id} for ${parent}`, notes: answer.title } as const;
  const written = recorded(filed.epic, row, now, policy.rows);
  return { next: "applied", ...written, effects: [{ type: "create", key: keyOf(written.epic), items: filed.tasks }] };
}

/** A question for a person, about an item or the whole epic; what it is about waits for the answer. */
function ask(
  epic: Epic,
  { item: about }: Asked,
  answer: PlannerAnswer & { action: "ask" },
  { now, policy }: Moment,
): Decided | Malformed {
  const target = answer.item ?? about ?? epic.id;
  if (target !== epic.id && itemNamed(epic, target) === null)
    return { malformed: `${target.slice(0, 80)} is not in the table` };
  if (about !== null && target !== about) return { malformed: `asked about ${about}, it asks about something else` };
  const checked = checkProse(epic, [answer.question, ...answer.options, answer.default].join("\n"));
  if (checked.hit !== null) return { malformed: `the question routes around a check (${checked.hit.rule})` };
  const before = questionsAbout(epic, target);
  if (before.length >= policy.attempts) return { malformed: `${target} has had ${policy.attempts} questions already` };
  const question = {
    id: askId(target, before.length + 1),
    question: oneLine(answer.question),
    options: answer.options.map((option) => oneLine(option, 100)).join(", "),
    default: oneLine(answer.default, 100),
  };
  return asked(withAllowed(epic, checked, now), question, now);
}

/** What was filed for the same item, or for the epic, and is open: a planner that only ever files more comes to no end. */
const openKin = ({ items }: Epic, id: string): number =>
  items.filter((item) => item.id !== rootOf(id) && rootOf(item.id) === rootOf(id) && !isClosed(item)).length;

/** In a reaction, the item it is about (or what that was filed for, or the epic); else any item that is open. */
function parentOf(epic: Epic, { brief, item: about }: Asked, parent: string): string | null {
  if (brief.role === "react" && about !== null) return [about, rootOf(about), epic.id].includes(parent) ? about : null;
  if (parent === epic.id) return epic.id;
  const item = itemNamed(epic, parent);
  return item === null || isClosed(item) ? null : parent;
}
