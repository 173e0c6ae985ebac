import type { Effect, EffectType } from "./effects.ts";
import type { Run } from "./run.ts";

const BRINGS_UP: ReadonlySet<EffectType> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.set-up",
  "agent.launch",
  "agent.brief",
  "agent.tell",
  "agent.answer",
]);
const TAKES_AWAY: ReadonlySet<EffectType> = new Set(["work.save", "worktree.remove", "branch.delete"]);

/**
 * Whether an effect that was recorded earlier is still worth performing. In between there may have been a crash and a
 * person who changed their mind: nobody is launched only to be ended, and nothing removed that is to be used again.
 */
export function stillWanted({ type }: Effect, run: Run | null): boolean {
  if (run === null) return true;
  return run.wanted === "up" ? !TAKES_AWAY.has(type) : !BRINGS_UP.has(type);
}
