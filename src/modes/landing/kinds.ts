import { laneAgent } from "../../core/agents/reduce-assignment.ts";
import { COMBINATIONS_LANE } from "../../core/gates/combinations.ts";
import { laneVerification, verificationLane } from "../../core/gates/verification.ts";
import { LAND_LANE } from "../../core/landing/reduce-landing.ts";
import { withdrawn } from "../../core/messages/questions.ts";
import type { Change } from "../../core/record/changes.ts";
import { assignmentsOf, sessionOf } from "../../core/session/read-session.ts";
import type { AgentId, Branch } from "../../core/text/ids.ts";
import type { EngineContext } from "../../engine/context.ts";
import { checkKind } from "../../engine/gates/check-kind.ts";
import { type Combining, combinationsKind } from "../../engine/gates/combinations-kind.ts";
import { verificationKind } from "../../engine/gates/verification-kind.ts";
import { landKind } from "../../engine/landing/land-kind.ts";
import { tickingKind } from "../../engine/loop/tick-lane.ts";
import type { Registration } from "../../engine/supervise.ts";
import { findVerified } from "./find-verified.ts";
import { landedOf } from "./landed-of.ts";
import { treeTests } from "./tree-tests.ts";

/** The lanes by which work is verified and landed, whoever made it. */
export const landingKinds: Registration = (context, ticking) => {
  const needs = {
    ...context,
    gates: gatesOf(context),
    landed: () => landedOf(context),
    objects: () => context.predictor.objects(),
  };
  // What is verified may land: by itself, or after a question.
  context.journal.onStored((changes) => {
    const isVerdict = (change: Change) =>
      change.row === "lane" && "put" in change && laneVerification(change.put.lane) !== null;
    if (changes.some(isVerdict)) context.wake(LAND_LANE.key);
    const gone = changes.flatMap((change) =>
      change.row === "lane" && "drop" in change ? [laneAgent(change.drop)] : [],
    );
    // What could not be written is dropped when the agent's name is used again.
    void forgetAgents(
      context,
      gone.filter((agent) => agent !== null),
    ).catch(() => undefined);
  });
  const lookTogether = () => context.wake(COMBINATIONS_LANE.key);
  context.predictions.onLook(lookTogether);
  context.pool.onChange(lookTogether);
  const combining = { ...needs, work: () => presentWork(context), restMs: context.timers.workRests };
  return [
    tickingKind(ticking, combinationsKind(combining)),
    tickingKind(ticking, checkKind(needs)),
    tickingKind(ticking, verificationKind(needs)),
    tickingKind(
      ticking,
      landKind({
        ...context,
        tests: treeTests(needs),
        async land() {
          const settings = await context.land();
          return { ...settings, jobs: context.pool.jobs };
        },
        ready: () => findVerified(context),
        branchOf: (agent) => assignmentsOf(context.journal).find((each) => each.agent === agent)?.branch ?? null,
      }),
    ),
  ];
};

/** An agent that is gone has nothing left to verify, and nothing to ask. */
async function forgetAgents(
  { journal, clock }: Pick<EngineContext, "journal" | "clock">,
  agents: readonly AgentId[],
): Promise<void> {
  const known = agents.map((agent) => verificationLane(agent)).filter((lane) => journal.state(lane) !== null);
  if (known.length === 0) return;
  await journal.transact((transaction) => {
    for (const lane of known) {
      transaction.send(lane, { type: "dropped" });
      for (const question of journal.openQuestions.values())
        if (question.lane === lane.key) transaction.put({ row: "question", put: withdrawn(question, clock.now()) });
    }
  });
}

/** What has landed as it is now is everybody's already. */
function presentWork({ journal, predictions }: EngineContext): ReturnType<Combining["work"]> {
  const session = sessionOf(journal);
  const current = predictions.current();
  if (session?.status !== "active" || current === null) return null;
  const { base, work } = current.predictions;
  const landed = journal.state(LAND_LANE)?.landed ?? [];
  return {
    base: { branch: base.name as Branch, commit: base.commit },
    work: work.filter(({ commit }) => !landed.some(({ from }) => from === commit)),
    at: current.at,
  };
}

/** Whoever reads the config of gates: how many slots there are follows it. */
const gatesOf =
  (context: EngineContext): EngineContext["gates"] =>
  async (base) => {
    const settings = await context.gates(base);
    if (settings.jobs !== null) context.pool.jobs = settings.jobs;
    return settings;
  };
