import type { AskedBranch } from "../../core/landing/landing.ts";
import type { Ready } from "../../core/landing/landing-draft.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { assignmentsOf, sessionOf } from "../../core/session/read-session.ts";
import type { Branch } from "../../core/text/ids.ts";
import { type Finding, isThere, isVerified } from "./find-work.ts";

/** Verified work of the session that has not been tried as it is now; null where there is no session, or it is not wanted. */
export async function findVerified(context: Finding): Promise<Ready | null> {
  const { journal, history } = context;
  const session = sessionOf(journal);
  if (session === null || session.land.mode === "pr") return null;
  const { mode, strategy } = session.land;
  const target = (session.land.target ?? session.base) as Branch;
  const tried = journal.state(LAND_LANE)?.queue ?? [];
  const base = await history.commitOf(`refs/heads/${target}`);
  if (base === null) return null;
  const branches: AskedBranch[] = [];
  let everyone = true;
  for (const { agent, branch, wanted, ended } of assignmentsOf(journal)) {
    const tip = await history.commitOf(`refs/heads/${branch}`);
    if (tip === null || (await isThere(context, branch, tip, base))) {
      // Without a commit it holds nobody up, unless it is still at work.
      if (wanted === "up" && ended === null) everyone = false;
      continue;
    }
    const isTried = tried.some((each) => each.branch === branch && each.tip === tip);
    if (isVerified(context, agent, tip)) {
      if (!isTried) branches.push({ branch, agent, tip });
      // One that has failed or was stopped holds nobody up.
    } else if (ended === null || ended.how === "ok") everyone = false;
  }
  return { mode, target, strategy, branches, everyone };
}
