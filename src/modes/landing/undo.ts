import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { lastLanded, undoOf } from "../../core/landing/landing.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { Finding } from "./find-work.ts";

/** Queues a commit that takes back what a branch has landed: it is tested and landed like any other. */
export async function undoLanding(
  { journal, clock, history, target, land }: Finding & Pick<EngineContext, "clock" | "target">,
  { branch }: Extract<Action, { type: "land-undo" }>,
): Promise<{ readonly branches: readonly string[] }> {
  const state = journal.state(LAND_LANE);
  const record = state === null ? null : lastLanded(state, branch);
  if (state === null || record === null || state.target === null) throw new Failed({ kind: "land.not-landed", branch });
  const present = await history.commitOf(`refs/heads/${state.target}`);
  if (present === null) throw new Failed({ kind: "ref.unknown", ref: state.target });
  const { onto: from, to } = record;
  const ref = `refs/banksman/undo/${branch}`;
  const message = `Revert "${branch}"\n\nTakes back what landed as ${from.slice(0, 12)}..${to.slice(0, 12)}.`;
  const made = await target.revert({ from, to, onto: present, date: clock.now(), message, ref });
  if (made.how === "nothing") throw new Failed({ kind: "land.not-landed", branch });
  if (made.how === "conflict")
    throw new Failed({ kind: "land.undo-conflict", branch, files: made.files.map(({ path }) => path) });
  const name = undoOf(branch);
  const { strategy } = await land();
  await journal.transact((transaction) =>
    transaction.send(LAND_LANE, {
      type: "asked",
      target: state.target as NonNullable<typeof state.target>,
      strategy,
      branches: [{ branch: name, agent: null, tip: made.commit, inspected: true }],
      at: clock.now(),
    }),
  );
  return { branches: [name] };
}
