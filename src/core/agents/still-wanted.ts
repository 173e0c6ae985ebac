import type { Assignment } from "./assignment.ts";
import type { AssignmentEffect, AssignmentEffectType } from "./effects.ts";

const BRINGS_UP: ReadonlySet<AssignmentEffectType> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.mend",
  "worktree.set-up",
  "agent.launch",
  "agent.brief",
  "agent.tell",
  "agent.answer",
]);
const TAKES_AWAY: ReadonlySet<AssignmentEffectType> = new Set(["work.save", "worktree.remove", "branch.delete"]);

/** What needs a worktree that is whole. */
const BUILDS_ON: ReadonlySet<AssignmentEffectType> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.set-up",
  "agent.launch",
]);

/**
 * Whether an effect that was recorded earlier is still worth performing. In between there may have been a crash and a
 * person who changed their mind: nobody is launched only to be ended, and nothing removed that is to be used again.
 */
export function stillWanted({ type }: AssignmentEffect, assignment: Assignment | null): boolean {
  if (assignment === null) return true;
  // Recorded before its supervisor died: decided anew, once its worktree was looked at.
  if (assignment.unchecked && BUILDS_ON.has(type)) return false;
  return assignment.wanted === "up" ? !TAKES_AWAY.has(type) : !BRINGS_UP.has(type);
}
