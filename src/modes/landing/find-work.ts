import { findAgent } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { verificationLane } from "../../core/gates/verification.ts";
import { type Candidate, lastLanded } from "../../core/landing/landing.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { isFinished } from "../../core/messages/roster.ts";
import { pickTarget } from "../../core/session/pick-target.ts";
import { assignmentsOf, sessionOf } from "../../core/session/read-session.ts";
import type { Branch, Commit } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";

export type Finding = Pick<EngineContext, "git" | "history" | "journal" | "land">;

type Asked = Pick<Candidate, "branch" | "agent" | "tip">;

/** The branch that work lands on. Rejects with `land.no-target`, or `ref.unknown` where there is no such branch. */
export async function findTarget(context: Finding, asked: readonly string[], lands: boolean): Promise<Branch> {
  const { git, journal } = context;
  const branches = await git.branches();
  const head = await git.head().then(
    ({ branch }) => branch,
    () => null,
  );
  const target = pickTarget({
    configured: (await context.land()).target,
    session: sessionOf(journal)?.base ?? null,
    head,
    branches: new Set(branches.keys()),
    asked,
    lands,
  });
  if (target === null) throw new Failed({ kind: "land.no-target" });
  if (!branches.has(target)) throw new Failed({ kind: "ref.unknown", ref: target });
  return target;
}

/** An agent by its id or branch, or any ref; rejects with `ref.unknown`. */
export async function findWork({ journal, history }: Finding, name: string): Promise<Asked> {
  const assignment = findAgent(assignmentsOf(journal), name);
  const ref = assignment?.branch ?? name;
  const tip = await history.commitOf(assignment === null ? ref : `refs/heads/${ref}`);
  if (tip === null) throw new Failed({ kind: "ref.unknown", ref });
  return { branch: ref, agent: assignment?.agent ?? null, tip };
}

/**
 * Agents whose work is ready: with commits that the target has not, and verified as they are, or finished. The others are
 * still at it; whoever names them lands them all the same.
 */
export async function findReady(context: Finding, target: Branch): Promise<Asked[]> {
  const { journal, history } = context;
  const base = await history.commitOf(`refs/heads/${target}`);
  const found: Asked[] = [];
  for (const { agent, branch, ended } of assignmentsOf(journal)) {
    const tip = await history.commitOf(`refs/heads/${branch}`);
    if (tip === null || base === null || (await isThere(context, branch, tip, base))) continue;
    if (isVerified(context, agent, tip) || ended?.how === "ok" || isFinished(journal.entry(agent)?.state ?? "working"))
      found.push({ branch, agent, tip });
  }
  return found;
}

/** Whether the target has it: by its own commits, or by those it landed as. */
export async function isThere(
  { journal, history }: Pick<Finding, "journal" | "history">,
  branch: string,
  tip: Commit,
  base: Commit,
): Promise<boolean> {
  if (await history.isContained(tip, base)) return true;
  const state = journal.state(LAND_LANE);
  const record = state === null ? null : lastLanded(state, branch);
  return record !== null && record.from === tip && (await history.isContained(record.to, base));
}

export const isVerified = ({ journal }: Pick<Finding, "journal">, name: string, tip: Commit): boolean => {
  const judged = journal.state(verificationLane(name))?.judged;
  return judged?.verdict === "pass" && judged.commit === tip;
};
