import { isOut } from "../../core/epic/decide/item-state.ts";
import { planTick } from "../../core/epic/decide/plan.ts";
import type { Policy } from "../../core/epic/decide/policy.ts";
import { pickEpic } from "../../core/epic/decide/portfolio.ts";
import { ingest } from "../../core/epic/decide/signals.ts";
import { type Epic, isCorrupt } from "../../core/epic/file/epic.ts";
import type { EpicPorts } from "../../ports/epic.ts";
import { readEpic } from "./read-epic.ts";
import { corruptReport, NOT_TEXT, type TickReport, takeTick, tell, withoutDeadLease } from "./take-tick.ts";

export interface LoopOrder {
  readonly epics: readonly { readonly place: string; readonly called: string }[];
  readonly policy: Policy;
  readonly intervalMs: number;
  onTick(called: string, report: TickReport): void;
  /** Resolves after that long, or sooner: then it is time to end. */
  wait(ms: number): Promise<"go on" | "end">;
}

/** How often workers and files are looked at between two ticks. */
const LOOK_MS = 1_000;

/**
 * Ticks the epics in turn, each when it has something to do, until all of them rest: halted, finished, or waiting for a
 * person's answer that nobody else gives. Remembers nothing: killed and started again, it goes on.
 */
export async function loopEpics(ports: EpicPorts, order: LoopOrder): Promise<"rest" | "ended"> {
  /** The text over which a person was last asked: the same question is not put again. */
  const asked = new Map<string, string>();
  const patience = new Patience();
  let since = 0;
  for (;;) {
    const { open, whole, broken } = await lookAround(ports, order);
    const { saving, lost } = patience.look(whole, broken);
    for (const { place, called, why } of lost) {
      const report = corruptReport({ place, called }, why, "");
      await tell(ports, report);
      order.onTick(called, report);
    }
    if (open.length === 0 && !saving) return "rest";
    const ready = open.filter(({ place, epic }) => asked.get(place) !== epic.origin.text);
    const picked = pickEpic(ready, ports.now(), order.policy);
    if (picked !== null) {
      const { place, called } = picked;
      const report = await takeTick(ports, {
        place,
        called,
        policy: order.policy,
        signals: [],
        verdict: null,
        dryRun: false,
      });
      order.onTick(called, report);
      if (report.next === "ask") asked.set(place, (await ports.store.read(place))?.text ?? "");
      since = 0;
      if ((await order.wait(0)) === "end") return "ended";
      if (report.next !== "noop") continue;
    } else if (ready.length === 0 && open.every(({ out }) => !out) && !saving) return "rest";
    if ((await order.wait(LOOK_MS)) === "end") return "ended";
    since += LOOK_MS;
    if (since >= order.intervalMs) asked.clear();
  }
}

const isMovable = ({ status }: Epic): boolean => ["inbox", "ready", "queued", "in_progress"].includes(status);

interface Broken {
  readonly place: string;
  readonly called: string;
  readonly why: string;
}

/** How many looks an epic that was whole may be unreadable: an editor that saves takes it away for a moment. */
const LOOKS = 10;

/** Tells an epic that somebody is saving from one that is lost, and says the latter once. */
class Patience {
  private readonly unread = new Map<string, number>();

  look(whole: readonly string[], broken: readonly Broken[]): { saving: boolean; lost: readonly Broken[] } {
    for (const place of whole) this.unread.set(place, 0);
    const looks = broken.map((each) => ({ each, count: this.unread.get(each.place) ?? LOOKS }));
    for (const { each, count } of looks) this.unread.set(each.place, count + 1);
    return {
      saving: looks.some(({ count }) => count < LOOKS),
      lost: looks.flatMap(({ each, count }) => (count === LOOKS ? [each] : [])),
    };
  }
}

interface Open {
  readonly place: string;
  readonly called: string;
  readonly epic: Epic;
  readonly out: boolean;
}

/** Those that a tick could move now or later. Signals are heard here, so that whose worker is back has something to do. */
async function lookAround(ports: EpicPorts, { epics, policy }: LoopOrder) {
  const [open, whole, broken]: [Open[], string[], Broken[]] = [[], [], []];
  for (const { place, called } of epics) {
    const stored = await ports.store.read(place);
    const read = stored === null ? GONE : stored.text === null ? NOT_TEXT : await readEpic(stored.text, called);
    if (isCorrupt(read)) {
      broken.push({ place, called, why: read.corrupt });
      continue;
    }
    whole.push(place);
    const epic = withoutDeadLease(read, ports);
    const signals = await ports.dispatcher.observe(epic);
    const { next } = planTick(epic, ports.now(), signals, policy);
    const out = isMovable(epic) && (epic.lease !== null || epic.items.some(isOut));
    if (next !== "noop" || out) open.push({ place, called, epic: ingest(epic, signals, ports.now()), out });
  }
  return { open, whole, broken };
}

const GONE = { corrupt: "it is gone" };
