import { assignmentKind } from "../../engine/agents/assignment-kind.ts";
import { conflictsKind } from "../../engine/conflicts/conflicts-kind.ts";
import { tickingKind } from "../../engine/loop/tick-lane.ts";
import type { Registration } from "../../engine/supervise.ts";
import { registeredKind } from "../../engine/worktrees/registered-kind.ts";

/** The lanes of the session mode: its agents, what stands between them, and worktrees of agents it did not start. */
export const sessionKinds: Registration = (context, ticking) => [
  tickingKind(ticking, assignmentKind(context)),
  tickingKind(ticking, conflictsKind(context)),
  tickingKind(ticking, registeredKind(context)),
];
