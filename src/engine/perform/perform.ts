import type { Effect, EffectType, Outcome } from "../../core/effects.ts";
import { Failed } from "../../core/failure.ts";
import type { House } from "../house.ts";
import type { Perform } from "../tick-run.ts";
import { performAnswer } from "./answer.ts";
import { performDelete } from "./branch-delete.ts";
import { performBrief } from "./brief.ts";
import { performDismiss } from "./dismiss.ts";
import { performEnd } from "./end.ts";
import { performLaunch } from "./launch.ts";
import { performSave } from "./save.ts";
import { performSetUp } from "./set-up.ts";
import { performTell } from "./tell.ts";
import { performAdd } from "./worktree-add.ts";
import { performFill } from "./worktree-fill.ts";
import { performRemove } from "./worktree-remove.ts";
import { performUndo } from "./worktree-undo.ts";

export type Performer<Type extends EffectType> = (
  house: House,
  effect: Extract<Effect, { type: Type }>,
) => Promise<Outcome>;

const PERFORMERS: { readonly [Type in EffectType]: Performer<Type> } = {
  "worktree.add": performAdd,
  "worktree.fill": performFill,
  "worktree.set-up": performSetUp,
  "worktree.undo": performUndo,
  "agent.launch": performLaunch,
  "agent.end": performEnd,
  "agent.dismiss": performDismiss,
  "agent.brief": performBrief,
  "agent.tell": performTell,
  "agent.answer": performAnswer,
  "work.save": performSave,
  "worktree.remove": performRemove,
  "branch.delete": performDelete,
};

/** Carries an effect out. It never rejects: what went wrong is part of the outcome, and is decided upon. */
export function createPerform(house: House): Perform {
  return async (effect) => {
    try {
      return await (PERFORMERS[effect.type] as Performer<EffectType>)(house, effect);
    } catch (error) {
      if (error instanceof Failed) return { ok: false, failure: error.failure };
      return {
        ok: false,
        failure: { kind: "internal", detail: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      };
    }
  };
}
