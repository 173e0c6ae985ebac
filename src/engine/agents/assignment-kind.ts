import type { Assignment } from "../../core/agents/assignment.ts";
import { decideAssignment } from "../../core/agents/decide-assignment.ts";
import type { AssignmentEffects } from "../../core/agents/effects.ts";
import type { AssignmentFacts } from "../../core/agents/facts.ts";
import { type AssignmentEvent, agentLane, laneAgent } from "../../core/agents/reduce-assignment.ts";
import { stillWanted } from "../../core/agents/still-wanted.ts";
import type { LaneKind } from "../loop/lane-kind.ts";
import { type AssignmentSeen, assignmentFacts, observeAssignment } from "./observe-assignment.ts";
import { performAnswer } from "./perform/answer.ts";
import { performDelete } from "./perform/branch-delete.ts";
import { performBrief } from "./perform/brief.ts";
import { performDismiss } from "./perform/dismiss.ts";
import { performEnd } from "./perform/end.ts";
import { performLaunch } from "./perform/launch.ts";
import { performSave } from "./perform/save.ts";
import { performSetUp } from "./perform/set-up.ts";
import { performTell } from "./perform/tell.ts";
import { performAdd } from "./perform/worktree-add.ts";
import { performFill } from "./perform/worktree-fill.ts";
import { performMend } from "./perform/worktree-mend.ts";
import { performRemove } from "./perform/worktree-remove.ts";
import { performUndo } from "./perform/worktree-undo.ts";

type AssignmentKind = LaneKind<Assignment, AssignmentEvent, AssignmentEffects, AssignmentSeen, AssignmentFacts>;

type Needs = Parameters<typeof assignmentFacts>[0] &
  Parameters<typeof performLaunch>[0] &
  Parameters<typeof performSetUp>[0] &
  Parameters<typeof performSave>[0];

/** The lanes `session/<agent>`: one agent and its work. */
export const assignmentKind = (needs: Needs): AssignmentKind => ({
  lane(key) {
    const agent = laneAgent(key);
    return agent === null ? null : agentLane(agent);
  },
  observe: (assignment) => observeAssignment(needs, assignment),
  facts: (assignment, seen, settled) => assignmentFacts(needs, assignment, seen, settled),
  decide: decideAssignment,
  stillWanted,
  performers: {
    "worktree.add": (effect) => performAdd(needs, effect),
    "worktree.fill": (effect) => performFill(needs, effect),
    "worktree.mend": (effect) => performMend(needs, effect),
    "worktree.set-up": (effect) => performSetUp(needs, effect),
    "worktree.undo": (effect) => performUndo(needs, effect),
    "agent.launch": (effect) => performLaunch(needs, effect),
    "agent.end": (effect) => performEnd(needs, effect),
    "agent.dismiss": (effect) => performDismiss(needs, effect),
    "agent.brief": (effect) => performBrief(needs, effect),
    "agent.tell": (effect) => performTell(needs, effect),
    "agent.answer": (effect) => performAnswer(needs, effect),
    "work.save": (effect) => performSave(needs, effect),
    "worktree.remove": (effect) => performRemove(needs, effect),
    "branch.delete": (effect) => performDelete(needs, effect),
  },
  // Only once it is stored that it was heard.
  stored: ({ agent }, { events, exit }) => needs.processes.fold(agent, events, exit),
});
