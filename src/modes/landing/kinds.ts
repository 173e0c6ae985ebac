import { LAND_LANE } from "../../core/landing/landing.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import type { EngineContext } from "../../engine/context.ts";
import { checkKind } from "../../engine/gates/check-kind.ts";
import { verificationKind } from "../../engine/gates/verification-kind.ts";
import { landKind } from "../../engine/landing/land-kind.ts";
import { tickingKind } from "../../engine/loop/tick-lane.ts";
import type { Registration } from "../../engine/supervise.ts";
import { treeTests } from "./tree-tests.ts";

/** The lanes by which work is verified and landed, whoever made it. */
export const landingKinds: Registration = (context, ticking) => {
  const needs = { ...context, gates: gatesOf(context), landed: () => landedOf(context), objects: () => [] };
  return [
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
        branchOf: (agent) => assignmentsOf(context.journal).find((each) => each.agent === agent)?.branch ?? null,
      }),
    ),
  ];
};

/** Whoever reads the config of gates: how many slots there are follows it. */
const gatesOf =
  (context: EngineContext): EngineContext["gates"] =>
  async (base) => {
    const settings = await context.gates(base);
    if (settings.jobs !== null) context.pool.jobs = settings.jobs;
    return settings;
  };

const landedOf = ({ journal }: Pick<EngineContext, "journal">) =>
  (journal.state(LAND_LANE)?.landed ?? []).map(({ branch, from, before, to }) => ({ branch, tip: from, before, to }));
