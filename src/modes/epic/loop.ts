import { type Epic, isCorrupt } from "../../core/epic/epic.ts";
import { planTick } from "../../core/epic/plan.ts";
import type { Policy } from "../../core/epic/policy.ts";
import { pickEpic } from "../../core/epic/portfolio.ts";
import { ingest } from "../../core/epic/signals.ts";
import { isOut } from "../../core/epic/standing.ts";
import { readEpic } from "./read-epic.ts";
import { type EpicPorts, type TickReport, takeTick, withoutDeadLease } from "./take-tick.ts";

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
  let since = 0;
  for (;;) {
    const open = await openOnes(ports, order);
    if (open.length === 0) return "rest";
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
    } else if (ready.length === 0 && open.every(({ out }) => !out)) return "rest";
    if ((await order.wait(LOOK_MS)) === "end") return "ended";
    since += LOOK_MS;
    if (since >= order.intervalMs) asked.clear();
  }
}

const isMovable = ({ status }: Epic): boolean => ["inbox", "ready", "queued", "in_progress"].includes(status);

/** Those that a tick could move now or later. Signals are heard here, so that whose worker is back has something to do. */
async function openOnes(ports: EpicPorts, { epics, policy }: LoopOrder) {
  const open: { place: string; called: string; epic: Epic; out: boolean }[] = [];
  for (const { place, called } of epics) {
    const stored = await ports.store.read(place);
    const read = stored?.text == null ? null : await readEpic(stored.text, called);
    if (read === null || isCorrupt(read)) continue;
    const epic = withoutDeadLease(read, ports);
    const signals = await ports.dispatcher.observe(epic);
    const { next } = planTick(epic, ports.now(), signals, policy);
    const out = isMovable(epic) && (epic.lease !== null || epic.items.some(isOut));
    if (next !== "noop" || out) open.push({ place, called, epic: ingest(epic, signals, ports.now()), out });
  }
  return open;
}
