import { applyAnswer, type Moment } from "./apply.ts";
import type { Decided } from "./decided.ts";
import type { Epic } from "./epic.ts";
import { planTick } from "./plan.ts";
import { renderEpic } from "./render.ts";
import type { Signal } from "./signals.ts";

/** A whole tick with the answer at hand; without one, a role that is needed is what comes out. */
export function tick(epic: Epic, signals: readonly Signal[], answer: string | null, moment: Moment): Decided {
  const planned = planTick(epic, moment.now, signals, moment.policy);
  if (planned.request === undefined || answer === null) return planned;
  return applyAnswer(planned.epic, planned.request, answer, moment);
}

/** The file to save before any other effect, and the file once they are done. */
export function textsOf(decided: Decided): { readonly intent: string; readonly body: string } {
  const intent = renderEpic(decided.epic);
  return { intent, body: decided.settled === undefined ? intent : renderEpic(decided.settled) };
}
