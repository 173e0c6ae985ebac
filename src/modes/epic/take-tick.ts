import { applyAnswer, applySilence } from "../../core/epic/apply.ts";
import { type Decided, type EpicEffect, keyOf, type RoleRequest } from "../../core/epic/decided.ts";
import { type Epic, isCorrupt } from "../../core/epic/epic.ts";
import { planTick } from "../../core/epic/plan.ts";
import type { Policy } from "../../core/epic/policy.ts";
import type { Signal } from "../../core/epic/signals.ts";
import { textsOf } from "../../core/epic/tick.ts";
import { Failed } from "../../core/failure.ts";
import type { Instant } from "../../core/ids.ts";
import { later } from "../../core/instant.ts";
import type { Dispatcher, Notifier, Roles } from "../../ports/epic-hands.ts";
import type { EpicStore } from "../../ports/epic-store.ts";
import { askUnderLease } from "./ask-under-lease.ts";
import { readEpic } from "./read-epic.ts";
import { saveSettled } from "./save-settled.ts";

export interface EpicPorts {
  readonly store: EpicStore;
  readonly roles: Roles;
  readonly dispatcher: Dispatcher;
  readonly notifier: Notifier;
  now(): Instant;
  /** Whether whoever took a lease is known to be gone: then it holds nobody up. */
  isGone(by: string): boolean;
}

export interface TickOrder {
  readonly place: string;
  /** What it is called where its file does not say so. */
  readonly called: string;
  readonly policy: Policy;
  readonly signals: readonly Signal[];
  /** The answer of whichever role is needed; null where it is asked. */
  readonly verdict: string | null;
  /** Nothing is asked, saved or sent. */
  readonly dryRun: boolean;
}

/** What a tick came to, as `epic tick --json` says it. */
export interface TickReport {
  readonly next: Decided["next"] | "corrupt";
  readonly role?: RoleRequest["role"];
  readonly brief?: RoleRequest["brief"];
  readonly row?: Decided["row"];
  readonly status: string;
  readonly effects: readonly (EpicEffect | { readonly kind: "save"; readonly key: string })[];
  readonly body: string;
  /** Why nothing was done, or why it cannot be. */
  readonly why?: string;
}

/** Reads the file, advances it by one decision, writes it. Whoever else changes it meanwhile wins, and nothing is sent. */
export async function takeTick(ports: EpicPorts, order: TickOrder): Promise<TickReport> {
  const { place, called, policy, dryRun } = order;
  const stored = await ports.store.read(place);
  if (stored === null) throw new Failed({ kind: "epic.unknown", epic: called, looked: place, near: null });
  const found = stored.text === null ? NOT_TEXT : await readEpic(stored.text, called);
  if (isCorrupt(found)) {
    const report = corruptReport(order, found.corrupt, stored.text ?? "");
    if (!dryRun) await tell(ports, report);
    return report;
  }
  const epic = withoutDeadLease(found, ports);
  const observed = dryRun ? [] : await ports.dispatcher.observe(epic);
  const planned = planTick(epic, ports.now(), [...observed, ...order.signals], policy);
  const answered = planned.request === undefined ? null : await answer(ports, order, planned, stored.version);
  if (answered === "moved") return moved(epic);
  const { decided, version } = answered ?? { decided: planned, version: stored.version };
  const report = reportOf(decided, epic.origin.text, planned.request);
  if (dryRun) return report;
  const { intent } = textsOf(decided);
  if (intent !== decided.epic.origin.text && !(await ports.store.save(place, intent, version))) return moved(epic);
  await perform(ports, decided, place);
  return report;
}

export const withoutDeadLease = (epic: Epic, { isGone }: Pick<EpicPorts, "isGone">): Epic =>
  epic.lease !== null && isGone(epic.lease.by) ? { ...epic, lease: null } : epic;

export const NOT_TEXT = { corrupt: "it is not a text in UTF-8, or longer than 8 MB" };

/** An epic that cannot be understood, or is not there. Told once for each reason. */
export function corruptReport(
  { called, place }: Pick<TickOrder, "called" | "place">,
  why: string,
  body: string,
): TickReport {
  const text = `${called} was not touched: ${why} (${place})`;
  const notice = { kind: "notify", key: `${called}/corrupt/${why}`, text } as const;
  return { next: "corrupt", status: "", effects: [notice], body, why };
}

export async function tell({ notifier }: Pick<EpicPorts, "notifier">, { effects }: TickReport): Promise<void> {
  for (const effect of effects) if (effect.kind === "notify") await notifier.notify(effect.key, effect.text);
}

const moved = (epic: Epic): TickReport => ({
  next: "noop",
  status: epic.status,
  effects: [],
  body: epic.origin.text,
  why: "somebody else changed it meanwhile",
});

interface Answered {
  readonly decided: Decided;
  /** Of the file the decision was made on. */
  readonly version: string;
}

/** From the order, or from whoever plays the role; without either the question is what comes out. */
async function answer(
  ports: EpicPorts,
  order: TickOrder,
  planned: Decided,
  version: string,
): Promise<Answered | "moved" | null> {
  const { request, epic } = planned;
  if (request === undefined) return null;
  const { policy, verdict, dryRun, place, called } = order;
  if (verdict !== null) return { decided: applyAnswer(epic, request, verdict, { now: ports.now(), policy }), version };
  if (dryRun) return null;
  const until = later(ports.now(), LEASE_MS);
  const asked = await askUnderLease(ports, { place, called, epic, request, version, lease: { by: policy.by, until } });
  if (asked === null) return "moved";
  const moment = { now: ports.now(), policy };
  const { answer: given, version: held } = asked;
  if ("person" in given) return { decided: { ...planned, epic: asked.epic }, version: held };
  if ("failed" in given) return { decided: applySilence(asked.epic, request, given.failed, moment), version: held };
  return { decided: applyAnswer(asked.epic, request, given.said, moment), version: held };
}

/** Longer than any role may think. */
const LEASE_MS = 20 * 60_000;

function reportOf(decided: Decided, before: string, request: RoleRequest | undefined): TickReport {
  const { body, intent } = textsOf(decided);
  const save = intent === before && body === before ? [] : [{ kind: "save" as const, key: keyOf(decided.epic) }];
  return {
    next: decided.next,
    ...(request && { role: request.role, brief: request.brief }),
    ...(decided.row && { row: decided.row }),
    status: (decided.settled ?? decided.epic).status,
    effects: [...save, ...decided.effects],
    body,
    ...(decided.why && { why: decided.why }),
  };
}

/** The file says already what is being done; once it is, the file stops saying so. */
async function perform(ports: EpicPorts, decided: Decided, place: string): Promise<void> {
  let failed: string | null = null;
  for (const effect of decided.effects) {
    if (effect.kind === "notify") await ports.notifier.notify(effect.key, effect.text);
    if (effect.kind === "dispatch") failed = await ports.dispatcher.dispatch(effect, decided.epic, place);
  }
  const key = decided.epic.intent?.key;
  if (decided.settled !== undefined && key !== undefined)
    await saveSettled(ports.store, { place, called: decided.epic.id, key, failed });
}
