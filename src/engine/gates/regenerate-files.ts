import type { Base, CheckKey } from "../../core/gates/check.ts";
import { gateEnvironment } from "../../core/gates/gate-environment.ts";
import { type GatePlan, regeneratorOf } from "../../core/gates/gate-plan.ts";
import type { Commit } from "../../core/text/ids.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { stripEscapes } from "../../core/text/strip-escapes.ts";
import { prepareSlot } from "./prepare-slot.ts";
import { type GateNeeds, gateLog, toolHomes } from "./run-gate.ts";

export type Regenerating = Omit<GateNeeds, "journal">;

/** A landing waits for it: it goes first. */
const RANK = 0;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_LOG_BYTES = 4 * 1024 * 1024;
const LONGEST = 300;

/**
 * Runs the commands that make these files again, in a slot that holds the commit, and reads what they left. Null where the
 * supervisor leaves meanwhile: the next one does it again.
 */
export async function regenerateFiles(
  context: Regenerating,
  order: { readonly commit: Commit; readonly base: Base; readonly files: readonly string[]; readonly plan: GatePlan },
): Promise<ReadonlyMap<string, string | null> | { readonly failed: string } | null> {
  const { pool, slots, history, files, place } = context;
  const { commit, base, plan } = order;
  const key = `regenerate-${commit}` as CheckKey;
  const held = await pool.take(key, () => RANK, pool.leaving.signal);
  if (held === null) return null;
  try {
    const { slot } = held;
    const tree = await history.treeOf(commit);
    const log = gateLog(place.state, tree, "regenerate");
    await prepareSlot(context, { slot, commit, base, objects: context.objects(), log });
    const commands = new Set(order.files.flatMap((path) => regeneratorOf(plan, path) ?? []));
    let failed: string | null = null;
    for (const command of commands) failed ??= await runIn(context, slot, command, plan, log);
    const texts = new Map<string, string | null>();
    const { folder } = slots.place(slot);
    if (failed === null)
      for (const path of order.files) texts.set(path, await files.readInside(folder, path, MOST_BYTES));
    await slots.putBack(slot, tree);
    if (pool.leaving.signal.aborted) return null;
    return failed === null ? texts : { failed };
  } finally {
    pool.release(key);
  }
}

/** In words what went wrong; null where nothing did. */
async function runIn(
  context: Regenerating,
  slot: number,
  command: string,
  plan: GatePlan,
  log: string,
): Promise<string | null> {
  const { slots, place, agents } = context;
  const { folder, home, temporary } = slots.place(slot);
  const marker = `${place.session}.gate.${slot}.`;
  const env = gateEnvironment(place.env, plan.env, await toolHomes(context), {
    home,
    temporary,
    slot,
    project: place.session,
  });
  const ran = await context.command.run({
    argv: ["sh", "-c", command],
    cwd: folder,
    env,
    timeoutMs: plan.timeoutSeconds * 1000,
    log,
    mostLogBytes: MOST_LOG_BYTES,
    marker,
    signal: context.pool.leaving.signal,
  });
  await agents.endLeftovers(marker);
  if (ran.code === 0) return null;
  const how = ran.timedOut ? "it took too long" : `exit code ${ran.code ?? "unknown"}`;
  const last = stripEscapes(ran.stderr).trimEnd().split("\n").at(-1) ?? "";
  return onOneLine(`\`${command}\` failed: ${how}${last === "" ? "" : `: ${last}`}`).slice(0, LONGEST);
}
