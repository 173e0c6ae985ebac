import type { Epic } from "../file/epic.ts";
import { renderEpic } from "../file/render.ts";
import { applyAnswer, applySilence } from "./apply.ts";
import type { Decided, Moment, RoleRequest } from "./decided.ts";
import { planTick } from "./plan.ts";
import type { Signal } from "./signals.ts";

/** What a role has answered: a text, or that only a person answers for it, or why it could not. */
export type RoleAnswer = { readonly said: string } | { readonly person: true } | { readonly failed: string };

/** A whole tick with the answer at hand; without one, a role that is needed is what comes out. */
export function tick(epic: Epic, signals: readonly Signal[], answer: RoleAnswer | null, moment: Moment): Decided {
  const planned = planTick(epic, moment.now, signals, moment.policy);
  if (planned.request === undefined || answer === null) return planned;
  return answerTick({ ...planned, request: planned.request }, answer, moment);
}

/** The rest of a tick that had to ask a role. `planned` has the file as it is when the answer comes. */
export function answerTick(
  planned: Decided & { readonly request: RoleRequest },
  answer: RoleAnswer,
  moment: Moment,
): Decided {
  const { epic, request } = planned;
  if ("person" in answer) return planned;
  if ("failed" in answer) return applySilence(epic, request, answer.failed, moment);
  return applyAnswer(epic, request, answer.said, moment);
}

/** The file to save before any other effect, and the file once they are done. */
export function textsOf(decided: Decided): { readonly intent: string; readonly body: string } {
  const intent = renderEpic(decided.epic);
  return { intent, body: decided.settled === undefined ? intent : renderEpic(decided.settled) };
}
