import type { Instant } from "../../text/ids.ts";
import type { Epic, Item } from "../file/epic.ts";
import { checkBrake } from "./brake.ts";
import { type Decided, dispatchOf, keyOf, type PlannerBrief, type RoleRequest, recorded, withItem } from "./decided.ts";
import { raise, withDecision } from "./decisions.ts";
import { FILING, fileItems, followUpId } from "./file-item.ts";
import { finish, halt, reset } from "./halt.ts";
import {
  awaitsAnswer,
  isApproved,
  isDispatchable,
  isFixOf,
  isFree,
  isInfeasible,
  isOut,
  isSettled,
  itemNamed,
  needsVerifying,
  wantedWorker,
  workerId,
} from "./item-state.ts";
import { boundLease } from "./lease.ts";
import type { Policy } from "./policy.ts";
import { type Risk, weighRisk } from "./risk.ts";
import { heardBy, ingest, type Signal } from "./signals.ts";

/** What this tick does, or whom it has to ask first. Pure: the same file, time and facts give the same answer. */
export function planTick(epic: Epic, now: Instant, signals: readonly Signal[], policy: Policy): Decided {
  const rests = restsBecause(epic, now, policy);
  if (rests !== null) return { next: "noop", epic: boundLease(epic, now), effects: [], why: rests };
  const heard = heardBy(ingest(epic, signals, now), now);
  if (wasReleased(heard)) return reset(heard, now, policy);
  if (heard.intent !== null && isApproved(heard)) return resume(heard, now, policy);
  const { reason } = checkBrake(heard, now, policy);
  if (reason === null && heard.items.length === 0 && awaitsAnswer(heard, heard.id))
    return { next: "noop", epic, effects: [], why: waiting(heard) };
  if (reason !== null)
    return halt(heard, { status: "review", class: "brake_fired", decision: "halt", reason }, now, policy);
  return (
    react(heard, policy) ??
    verify(heard) ??
    decompose(heard) ??
    review(heard, now, policy) ??
    dispatch(heard, now, policy) ??
    end(heard, now, policy) ?? {
      next: heard === epic ? "noop" : "applied",
      epic: heard,
      effects: [],
      why: waiting(heard),
    }
  );
}

/** A halted epic is a fixpoint: only a person's `queued` moves it. */
function restsBecause({ status, lease }: Epic, now: Instant, { by }: Policy): string | null {
  if (!["inbox", "ready", "queued", "in_progress"].includes(status)) return `its status is ${status}`;
  if (lease !== null && lease.by !== by && lease.until > now) return `${lease.by} is working on it`;
  return null;
}

/** We halted it, and now it says queued: only a person does that. For a plan it is the approval, and nothing is reset. */
function wasReleased({ status, halted, memory }: Epic): boolean {
  const last = memory.at(-1)?.class;
  return status === "queued" && (halted !== "" || last === "brake_fired" || last === "finished");
}

/**
 * A dispatch was saved and nobody knows whether it happened: asked for again with its key, which happens once. Not where a
 * person took the item away or set it to something else meanwhile.
 */
function resume(epic: Epic, now: Instant, policy: Policy): Decided {
  const { intent } = epic;
  if (intent === null) return { next: "noop", epic, effects: [] };
  if (itemNamed(epic, intent.item)?.status !== "in_progress")
    return { next: "applied", epic: { ...epic, intent: null }, effects: [] };
  if (intent.failed === null)
    return { next: "applied", epic, settled: { ...epic, intent: null }, effects: [dispatchOf(epic, intent)] };
  const why = `dispatch failed: ${intent.failed}`;
  const after = withItem({ ...epic, intent: null }, intent.item, { pending: { for: "react", why } });
  const row = {
    class: "act_failed",
    decision: `dispatch ${intent.item} to ${intent.worker}`,
    notes: intent.failed,
  } as const;
  return { next: "applied", ...recorded(after, row, now, policy.rows), effects: [] };
}

const ask = (epic: Epic, request: RoleRequest): Decided => ({ next: "ask", epic, request, effects: [] });

function react(epic: Epic, policy: Policy): Decided | null {
  const item = epic.items.find(
    ({ id, status, pending }) => status === "in_progress" && pending?.for === "react" && !awaitsAnswer(epic, id),
  );
  if (item?.pending?.for !== "react") return null;
  const { id, title } = epic;
  const brief = { epic: id, role: "react", context: `${item.id}: ${item.pending.why}`, title } as const;
  return ask(epic, { role: "planner", item: item.id, brief: { ...brief, ...offered(epic, policy) } });
}

/** Whom the planner may send: an answer that names a busy one is refused, so it is not offered any. */
function offered(epic: Epic, policy: Policy): Required<Pick<PlannerBrief, "workers" | "capabilities">> {
  const free = [...policy.workers.values()].filter(({ name }) => isFree(epic, name, policy));
  return {
    workers: free.map(({ name }) => name),
    capabilities: Object.fromEntries(free.map(({ name, capabilities }) => [name, capabilities])),
  };
}

function verify(epic: Epic): Decided | null {
  const item = epic.items.find((each) => needsVerifying(epic, each));
  if (item === undefined) return null;
  const fixes = epic.items
    .filter(({ id, surface }) => isFixOf(id, item.id) && surface !== "")
    .map((fix) => fix.surface);
  const brief = { item: item.id, pr: item.surface || "none", criteria: criteriaOf(epic, item) };
  return ask(epic, { role: "verifier", item: item.id, brief: fixes.length === 0 ? brief : { ...brief, fixes } });
}

const criteriaOf = (epic: Epic, { id, title }: Item): string => epic.briefs.get(id) || title;

function decompose(epic: Epic): Decided | null {
  if (epic.items.length > 0) return null;
  return ask(epic, { role: "planner", item: null, brief: { epic: epic.id, role: "decompose", title: epic.title } });
}

function review(epic: Epic, now: Instant, policy: Policy): Decided | null {
  if (isApproved(epic)) return null;
  const reason = `the plan waits for you: set the status to queued, or \`banksman epic promote ${epic.id}\``;
  return halt(epic, { status: "review", class: "plan_review", decision: "wait for approval", reason }, now, policy);
}

/** The critic before a risky item, else the planner with everything that may be sent now. */
function dispatch(epic: Epic, now: Instant, policy: Policy): Decided | null {
  const open = epic.items.filter((item) => isDispatchable(epic, item, policy));
  if (open.length === 0) return null;
  const weighed = open.map((item) => ({
    item,
    risk: weighRisk(epic, item),
    infeasible: isInfeasible(epic, item, policy),
  }));
  const possible = weighed.filter(({ risk, infeasible }) => !infeasible && risk.refusal === null);
  const [first] = possible;
  if (first?.risk.needsCritic) return ask(epic, criticRequest(epic, first.item, first.risk));
  if (first !== undefined) {
    const candidates = possible
      .filter(({ risk }) => !risk.needsCritic)
      .map(({ item }) => toCandidate(epic, item, policy));
    const brief = {
      epic: epic.id,
      role: "preflight",
      title: epic.title,
      candidates,
      ...offered(epic, policy),
    } as const;
    return ask(epic, { role: "planner", item: null, brief });
  }
  if (epic.items.some(isOut)) return null;
  const [refused] = weighed;
  if (refused === undefined) return null;
  return refused.infeasible
    ? infeasible(epic, refused.item, now, policy)
    : refuse(epic, refused.item, refused.risk, { now, policy });
}

const toCandidate = (epic: Epic, item: Item, policy: Policy) => ({
  id: item.id,
  title: item.title,
  worker: wantedWorker(epic, item, policy),
});

const criticRequest = (epic: Epic, item: Item, { rollback }: Risk): RoleRequest => ({
  role: "critic",
  item: item.id,
  brief: { item: item.id, title: item.title, criteria: criteriaOf(epic, item), rollback },
});

/** Nobody takes the place of a worker that was asked for: a person is told who there is. */
function infeasible(epic: Epic, item: Item, now: Instant, policy: Policy): Decided {
  const all = [...policy.workers.values()];
  const known = all.filter(({ capacity }) => capacity > 0).map(({ name }) => name);
  const wanted = item.worker || "anybody";
  const missing = all.flatMap(({ name, unable }) =>
    unable !== undefined && (item.worker === "" || item.worker === name) ? [`${name} ${unable}`] : [],
  );
  const why = missing.length === 0 ? "" : ` (${missing.join("; ")})`;
  const reason = `infeasible: ${item.id} asks for ${wanted}${why}, and the registry has ${known.join(", ") || "nobody"}; nobody was put in its place`;
  const question = `${item.id} asks for ${wanted}, who is not there. Who is to do it instead?`;
  const asked = withDecision(epic, { id: workerId(item.id), question, options: known.join(", ") }, now);
  const decision = `dispatch ${item.id} refused`;
  return halt(asked, { status: "review", class: "dispatch_halt", decision, reason }, now, policy);
}

function refuse(epic: Epic, item: Item, { refusal }: Risk, { now, policy }: { now: Instant; policy: Policy }): Decided {
  const reason = `${item.id} was not dispatched: ${refusal}. Write a Rollback Plan that holds for it, then queue the epic`;
  const halted = halt(
    epic,
    { status: "review", class: "dispatch_halt", decision: `dispatch ${item.id} refused`, reason },
    now,
    policy,
  );
  return refined(halted, epic, item, `Write a rollback plan for ${item.id}`);
}

/** A refused dispatch leaves an item behind that says what comes next; this one is a person's. */
function refined(halted: Decided, { items }: Epic, { id }: Item, title: string): Decided {
  if (items.some((item) => item.id.startsWith(`${id}-refine`))) return halted;
  const name = followUpId(halted.epic, id, "refine");
  const filed = fileItems(halted.epic, [{ ...FILING, id: name, title, status: "review", notes: "for a person" }]);
  return {
    ...halted,
    epic: filed.epic,
    effects: [{ type: "create", key: keyOf(halted.epic), items: filed.tasks }, ...halted.effects],
  };
}

function end(epic: Epic, now: Instant, policy: Policy): Decided | null {
  if (epic.items.every((item) => isSettled(epic, item))) return finish(epic, now, policy);
  return epic.items.some(isOut) ? null : raise(epic, now);
}

function waiting(epic: Epic): string {
  const out = epic.items.filter(isOut).map(({ id }) => id);
  const [open] = epic.decisions.filter(({ answer }) => answer === "");
  if (out.length > 0) return `it waits for ${out.join(", ")}`;
  return open === undefined ? "nothing can be done now" : `it waits for your answer to ${open.id}`;
}
