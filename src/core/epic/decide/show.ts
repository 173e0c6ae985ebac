import { counted } from "../../text/counted.ts";
import type { Instant } from "../../text/ids.ts";
import type { Epic, Item } from "../file/epic.ts";
import { writeStamp } from "../file/stamp.ts";
import { type Brake, checkBrake } from "./brake.ts";
import { openDependencies } from "./item-state.ts";
import { planTick } from "./plan.ts";
import type { Policy } from "./policy.ts";

/** An epic as `epic show --json` has it. */
export interface EpicView {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly epoch: number;
  readonly seq: number;
  readonly halted?: string;
  readonly items: readonly ItemView[];
  readonly brake: { readonly fired?: true; readonly reason?: string; readonly counts: Brake["counts"] };
  readonly decisions: readonly {
    readonly id: string;
    readonly question: string;
    readonly options: string;
    readonly answer?: string;
  }[];
  /** What the next tick would do. */
  readonly next?: string;
}

interface ItemView {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly worker: string | null;
  readonly surface: string | null;
  readonly notes: string;
  readonly depends: readonly string[];
  readonly waitsFor: readonly string[];
  readonly attempts: number;
  readonly lastActivity: string | null;
  readonly pending: string | null;
}

export function viewEpic(epic: Epic, now: Instant, policy: Policy): EpicView {
  const { reason, counts } = checkBrake(epic, now, policy);
  return {
    id: epic.id,
    title: epic.title,
    status: epic.status,
    epoch: epic.epoch,
    seq: epic.seq,
    ...(epic.halted !== "" && { halted: epic.halted }),
    items: epic.items.map((item) => viewItem(epic, item)),
    brake: { ...(reason !== null && { fired: true as const, reason }), counts },
    decisions: epic.decisions.map(({ id, question, options, answer }) => ({
      id,
      question,
      options,
      ...(answer !== "" && { answer }),
    })),
    next: nextOf(epic, now, policy),
  };
}

/** What the brake has counted, for people; nothing where nothing was. */
export const countsInWords = (counts: Brake["counts"]): string =>
  Object.entries(WORDS)
    .flatMap(([name, [one, several]]) => {
      const count = counts[name] ?? 0;
      return count === 0 ? [] : [counted(count, one, several)];
    })
    .join(", ");

/** Halts after a failure are counted in one epoch and over all of them: people are told of all. */
const WORDS: Readonly<Record<string, readonly [one: string, several: string]>> = {
  dispatch_halt: ["halt instead of a dispatch", "halts instead of a dispatch"],
  verify_fail: ["failed verification", "failed verifications"],
  reactHalts: ["halt after a failure", "halts after a failure"],
  verdict_malformed: ["answer that could not be read", "answers that could not be read"],
  act_failed: ["dispatch that did not start", "dispatches that did not start"],
  stalled: ["silent worker", "silent workers"],
  attempts: ["attempt at one item", "attempts at one item"],
};

const viewItem = (epic: Epic, item: Item): ItemView => ({
  id: item.id,
  title: item.title,
  status: item.status,
  worker: item.worker || null,
  surface: item.surface || null,
  notes: item.notes,
  depends: item.depends,
  waitsFor: openDependencies(epic, item),
  attempts: item.attempts,
  lastActivity: item.lastActivity === null ? null : writeStamp(item.lastActivity),
  pending: item.pending === null ? null : item.pending.for === "verify" ? "verify" : `react: ${item.pending.why}`,
});

function nextOf(epic: Epic, now: Instant, policy: Policy): string {
  const { next, request, row, why } = planTick(epic, now, [], policy);
  if (request !== undefined) {
    const about = request.item === null ? "" : ` about ${request.item}`;
    return request.role === "planner"
      ? `asks the planner (${request.brief.role})${about}`
      : `asks the ${request.role}${about}`;
  }
  if (next === "noop") return why ?? "nothing";
  return row === undefined ? next : `${next}: ${row.decision}, ${row.notes}`;
}
