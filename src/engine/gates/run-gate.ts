import type { Check } from "../../core/gates/check.ts";
import { checkLane, rankOf } from "../../core/gates/check.ts";
import type { CheckEffects } from "../../core/gates/decide-check.ts";
import { gateEnvironment, TOOL_HOMES } from "../../core/gates/gate-environment.ts";
import { type GateResult, readRun } from "../../core/gates/gate-result.ts";
import type { EffectOf, OutcomeOf } from "../../core/record/effects.ts";
import { printable } from "../../core/text/printable.ts";
import { stripEscapes } from "../../core/text/strip-escapes.ts";
import type { AgentCli } from "../../ports/agent-cli.ts";
import type { Recording } from "../journal/recording.ts";
import { type Preparing, prepareSlot } from "./prepare-slot.ts";
import type { SlotPool } from "./slot-pool.ts";

export interface GateNeeds extends Preparing, Recording {
  readonly agents: Pick<AgentCli, "endLeftovers">;
  readonly pool: SlotPool;
  /** Further folders of objects, where commits are that only we have. */
  objects(): readonly string[];
}

type RunEffect = EffectOf<CheckEffects, "gate.run">;
type RunOutcome = OutcomeOf<CheckEffects, "gate.run">;

/** What is kept of what a gate prints: enough for the summary of any runner, and for the failures before it. */
const KEPT_BYTES = 4 * 1024 * 1024;
const LOG_BYTES = 16 * 1024 * 1024;
const LONGEST_LINE = 200;

/** A gate's command, in a slot that holds the tree. It ends early where nobody wants it any more. */
export async function performGate(context: GateNeeds, effect: RunEffect): Promise<RunOutcome> {
  const { journal, pool } = context;
  const lane = checkLane(effect.check);
  const stop = new AbortController();
  const look = () => {
    if ((journal.state(lane)?.wantedBy.length ?? 0) === 0) stop.abort();
  };
  const unwatch = journal.onStored(look);
  const leave = () => stop.abort();
  pool.leaving.signal.addEventListener("abort", leave);
  look();
  try {
    const held = await pool.take(effect.check, () => rankOf(journal.state(lane) ?? NOBODY), stop.signal);
    if (held === null) return UNWANTED;
    const log = gateLog(context.place.state, effect.tree, effect.gate);
    const fresh = held.setUp === null;
    held.setUp ??= await prepareSlot(context, { ...effect, slot: held.slot, objects: context.objects(), log });
    if (stop.signal.aborted) return UNWANTED;
    const alone = effect.plan.exclusive.includes(effect.gate);
    const result = await pool.inTurn(alone, () => runIn(context, held.slot, effect, log, stop.signal));
    if (result === null) return UNWANTED;
    const { setUp } = held;
    // What fails behind a set-up that did not work may fail because of that.
    const troubled = result.verdict === "fail" && result.trouble === null && setUp.warnings.length > 0;
    return { ok: true, result: troubled ? { ...result, trouble: "set-up" } : result, setUp: fresh ? setUp : null };
  } finally {
    pool.leaving.signal.removeEventListener("abort", leave);
    unwatch();
  }
}

/** In the user's state folder: nobody can put a link in its way. */
export const gateLog = (state: string, tree: string, gate: string): string =>
  `${state}/gate-logs/${tree.slice(0, 12)}-${gate}.log`;

const NOBODY: Pick<Check, "wantedBy"> = { wantedBy: [] };
const UNWANTED: RunOutcome = { ok: true, result: null, setUp: null };

async function runIn(
  context: GateNeeds,
  slot: number,
  { check, gate, command, plan, tree }: RunEffect,
  log: string,
  signal: AbortSignal,
): Promise<GateResult | null> {
  if (signal.aborted) return null;
  const { clock, slots, pool, files, agents, place } = context;
  const { folder, home, temporary } = slots.place(slot);
  const begun = clock.now();
  const printed = new Printed();
  const running = { gate, since: begun, line: "" };
  pool.begin(check, running);
  const marker = `${place.session}.gate.${slot}.`;
  await files.remove(log);
  try {
    const ran = await context.command.run({
      argv: ["sh", "-c", command],
      cwd: folder,
      env: gateEnvironment(place.env, plan.env, await toolHomes(context), {
        home,
        temporary,
        slot,
        project: place.session,
      }),
      timeoutMs: plan.timeoutSeconds * 1000,
      log,
      mostLogBytes: LOG_BYTES,
      marker,
      signal,
      onOutput(chunk) {
        printed.add(chunk);
        running.line = printed.lastLine();
      },
    });
    // What it left running could change files under the next one.
    await agents.endLeftovers(marker);
    const changed = await slots.putBack(slot, tree);
    if (signal.aborted) return null;
    const { code, timedOut, killedBy = null } = ran;
    const output = code === null && !timedOut && killedBy === null ? ran.stderr : printed.text();
    return readRun(gate, { code, timedOut, killedBy, output, seconds: (clock.now() - begun) / 1000, changed }, folder);
  } finally {
    pool.end(check);
  }
}

/** Programs that live in the user's home are found although the gate has another one. */
export async function toolHomes({ files, place }: Pick<GateNeeds, "files" | "place">): Promise<Record<string, string>> {
  const home = place.env.HOME;
  const found: Record<string, string> = {};
  if (home === undefined) return found;
  for (const [variable, folder] of TOOL_HOMES) {
    const path = `${home}/${folder}`;
    if (place.env[variable] === undefined && (await files.list(path).catch(() => [])).length > 0)
      found[variable] = path;
  }
  return found;
}

/** The end of what was printed. */
class Printed {
  private chunks: Uint8Array[] = [];
  private size = 0;
  private readonly decoder = new TextDecoder();

  add(chunk: Uint8Array): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    while (this.size - (this.chunks[0]?.length ?? 0) >= KEPT_BYTES) this.size -= this.chunks.shift()?.length ?? 0;
  }

  lastLine(): string {
    const last = this.chunks.at(-1) ?? new Uint8Array();
    const text = stripEscapes(this.decoder.decode(last.subarray(-2_000)));
    return printable(text.trimEnd().split("\n").at(-1)?.trim() ?? "").slice(0, LONGEST_LINE);
  }

  text(): string {
    return this.chunks.map((chunk) => this.decoder.decode(chunk, { stream: true })).join("");
  }
}
