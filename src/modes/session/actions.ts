import { createTurns } from "../../async/turns.ts";
import type { Action, ActionType } from "../../core/actions/actions.ts";
import type { Identity } from "../../core/messages/roles.ts";
import { isBusy } from "../../core/session/is-busy.ts";
import { isIdle } from "../../core/session/read-session.ts";
import type { EngineContext } from "../../engine/context.ts";
import { pause } from "./pause.ts";
import { purge, remove } from "./remove.ts";
import { restore } from "./restore.ts";
import { retract } from "./retract.ts";
import { add, start } from "./start.ts";
import { stop } from "./stop.ts";
import { answer, tell } from "./talk.ts";

type Performers<Types extends ActionType> = {
  readonly [Type in Types]: (action: Extract<Action, { type: Type }>, by: Identity) => Promise<unknown>;
};

type SessionActions = Performers<
  | "start"
  | "add"
  | "stop"
  | "pause"
  | "resume"
  | "remove"
  | "purge"
  | "restore"
  | "tell"
  | "answer"
  | "retract"
  | "shutdown"
>;

/** What the session mode does when asked. What changes the set of agents happens one at a time. */
export function sessionActions(context: EngineContext, leave: () => void): SessionActions {
  const turns = createTurns();
  const inTurn =
    <A>(work: (context: EngineContext, action: A) => Promise<unknown>) =>
    (action: A): Promise<unknown> =>
      turns(() => work(context, action));
  return {
    start: inTurn(start),
    add: inTurn(add),
    stop: inTurn(stop),
    pause: inTurn(pause),
    resume: inTurn(pause),
    remove: inTurn(remove),
    purge: inTurn(purge),
    restore: inTurn(restore),
    tell: (action, by) => tell(context, action, by),
    answer: (action, by) => answer(context, action, by),
    retract: (action) => retract(context, action),
    // In turn with what changes the session: a start that came before it counts.
    shutdown: inTurn(async (_, { idle }: Extract<Action, { type: "shutdown" }>) => {
      const leaves = !idle || (context.held && !isBusy(context.journal)) || isIdle(context.journal);
      if (leaves) leave();
      return { leaves };
    }),
  };
}
