import {
  type Decided,
  type EpicEffect,
  type EpicEffects,
  keyOf,
  type RoleRequest,
} from "../../core/epic/decide/decided.ts";
import { LEASE_MS } from "../../core/epic/decide/lease.ts";
import type { Policy } from "../../core/epic/decide/policy.ts";
import type { Signal } from "../../core/epic/decide/signals.ts";
import { answerTick, textsOf, tick } from "../../core/epic/decide/tick.ts";
import { withUnable } from "../../core/epic/decide/workers.ts";
import { type Epic, isCorrupt } from "../../core/epic/file/epic.ts";
import { explain } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { OutcomeOf } from "../../core/record/effects.ts";
import { later } from "../../core/text/instant.ts";
import { type Performers, perform } from "../../engine/loop/lane-kind.ts";
import type { EpicPorts } from "../../ports/epic.ts";
import { askUnderLease } from "./ask-under-lease.ts";
import { readEpic } from "./read-epic.ts";
import { saveSettled } from "./save-settled.ts";

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
  readonly effects: readonly ReportedEffect[];
  readonly body: string;
  /** Why nothing was done, or why it cannot be. */
  readonly why?: string;
}

/** An effect as reports have had it from the beginning: its type is called `kind` there. */
export type ReportedEffect =
  | { readonly kind: "save"; readonly key: string }
  | { [Type in EpicEffect["type"]]: { readonly kind: Type } & EpicEffects[Type]["asks"] }[EpicEffect["type"]];

const reported = ({ type, ...asks }: EpicEffect) => ({ kind: type, ...asks }) as ReportedEffect;

/** Reads the file, advances it by one decision, writes it. Whoever else changes it meanwhile wins, and nothing is sent. */
export async function takeTick(ports: EpicPorts, order: TickOrder): Promise<TickReport> {
  const { place, called, dryRun } = order;
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
  const signals = [...observed, ...order.signals];
  const first = tick(epic, signals, null, { now: ports.now(), policy: order.policy });
  const policy = dryRun ? order.policy : await asItIsHere(ports, order.policy, first);
  const planned = policy === order.policy ? first : tick(epic, signals, null, { now: ports.now(), policy });
  const { request } = planned;
  const answered =
    request === undefined || (dryRun && order.verdict === null)
      ? { decided: planned, version: stored.version }
      : await answer(ports, { ...order, policy }, { ...planned, request }, stored.version);
  if (answered === "moved") return moved(epic);
  const { decided, version } = answered;
  const report = reportOf(decided, epic.origin.text, request);
  if (dryRun) return report;
  const { intent } = textsOf(decided);
  if (intent !== decided.epic.origin.text && !(await ports.store.save(place, intent, version))) return moved(epic);
  await performAll(ports, decided, place);
  return report;
}

/** Where somebody may be sent: without those who cannot be, so that nobody is asked to choose among them. */
async function asItIsHere(
  { dispatcher }: Pick<EpicPorts, "dispatcher">,
  policy: Policy,
  { request }: Decided,
): Promise<Policy> {
  if (request?.role !== "planner" || request.brief.workers === undefined) return policy;
  const unable = await dispatcher.unable([...policy.workers.keys()]);
  return unable.size === 0 ? policy : { ...policy, workers: withUnable(policy.workers, unable) };
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
  why: "another program changed it meanwhile",
});

interface Answered {
  readonly decided: Decided;
  /** Of the file the decision was made on. */
  readonly version: string;
}

/** From the order, or from whoever plays the role: that takes its time, and the file may be another one afterwards. */
async function answer(
  ports: EpicPorts,
  { place, called, policy, verdict, dryRun }: TickOrder,
  planned: Decided & { readonly request: RoleRequest },
  version: string,
): Promise<Answered | "moved"> {
  const { request, epic } = planned;
  if (verdict !== null) {
    const decided = answerTick(planned, { said: verdict }, { now: ports.now(), policy });
    if (!dryRun && decided.row?.class === "verdict_malformed") throw refused(request, decided.row.notes);
    return { decided, version };
  }
  const lease = { by: policy.by, until: later(ports.now(), LEASE_MS) };
  const asked = await askUnderLease(ports, { place, called, epic, request, version, lease });
  if (asked === null) return "moved";
  const decided = answerTick({ ...planned, epic: asked.epic }, asked.answer, { now: ports.now(), policy });
  return { decided, version: asked.version };
}

/** Whoever hands an answer in can hand in another one: only what a role says by itself counts for the brake. */
const refused = ({ role }: RoleRequest, why: string): Failed =>
  new Failed({
    kind: "usage",
    message: `This is no answer for the ${role}: ${why}.`,
    hint: `Nothing was written or counted. \`banksman explain verdict --role ${role}\` shows how an answer is read.`,
  });

function reportOf(decided: Decided, before: string, request: RoleRequest | undefined): TickReport {
  const { body, intent } = textsOf(decided);
  const save = intent === before && body === before ? [] : [{ kind: "save" as const, key: keyOf(decided.epic) }];
  return {
    next: decided.next,
    ...(request && { role: request.role, brief: request.brief }),
    ...(decided.row && { row: decided.row }),
    status: (decided.settled ?? decided.epic).status,
    effects: [...save, ...decided.effects.map(reported)],
    body,
    ...(decided.why && { why: decided.why }),
  };
}

/** The file says already what is being done; once it is, the file stops saying so. */
async function performAll(ports: EpicPorts, decided: Decided, place: string): Promise<void> {
  let failed: string | null = null;
  const performers = performersOf(ports, decided.epic, place);
  for (const effect of decided.effects) {
    if (effect.type !== "dispatch") await perform(performers, effect);
    else failed = failureOf(await perform<EpicEffects, "dispatch">(performers, effect));
  }
  const key = decided.epic.intent?.key;
  if (decided.settled !== undefined && key !== undefined)
    await saveSettled(ports.store, { place, called: decided.epic.id, key, failed });
}

function failureOf(outcome: OutcomeOf<EpicEffects, "dispatch">): string | null {
  if (!outcome.ok) return explain(outcome.failure).message;
  return outcome.skipped ? null : outcome.failed;
}

const performersOf = (ports: EpicPorts, epic: Epic, place: string): Performers<EpicEffects> => ({
  dispatch: async (effect) => ({ ok: true, failed: await ports.dispatcher.dispatch(effect, epic, place) }),
  // Items are in the file itself: what was created stands there.
  create: async () => ({ ok: true }),
  notify: async ({ key, text }) => {
    await ports.notifier.notify(key, text);
    return { ok: true };
  },
});
