import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { verificationLane } from "../../core/gates/verification.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import type { EngineContext } from "../../engine/context.ts";
import { type Finding, findTarget, findWork } from "./find-work.ts";

/** Has refs looked at; answers with the names under which what comes of it can be read. */
export async function verify(
  context: Finding & Pick<EngineContext, "clock">,
  { refs, fresh }: Extract<Action, { type: "verify" }>,
): Promise<{ readonly names: readonly string[] }> {
  const { journal, clock } = context;
  const all = refs.length === 0 ? assignmentsOf(journal).map(({ agent }) => agent) : refs;
  if (all.length === 0) throw new Failed({ kind: "session.none" });
  const found = await Promise.all(all.map((name) => findWork(context, name)));
  const base = await findTarget(
    context,
    found.map(({ branch }) => branch),
    false,
  );
  const at = clock.now();
  const names = found.map(({ agent, branch }) => agent ?? branch);
  await journal.transact((transaction) => {
    for (const [i, { agent, branch }] of found.entries())
      transaction.send(verificationLane(names[i] as string), {
        type: "asked",
        subject: { agent, ref: agent === null ? branch : `refs/heads/${branch}`, base },
        fresh,
        awaited: true,
        at,
      });
  });
  return { names };
}
