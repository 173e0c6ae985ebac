import type { Action, ActionType } from "../../core/actions.ts";
import type { Identity } from "../../core/roles.ts";
import type { House } from "../../engine/house.ts";
import { isIdle } from "../../engine/look.ts";
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
export function sessionActions(house: House, leave: () => void): SessionActions {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn =
    <A>(work: (house: House, action: A) => Promise<unknown>) =>
    (action: A): Promise<unknown> => {
      const mine = last.then(() => work(house, action));
      last = mine.catch(() => undefined);
      return mine;
    };
  return {
    start: inTurn(start),
    add: inTurn(add),
    stop: inTurn(stop),
    pause: inTurn(pause),
    resume: inTurn(pause),
    remove: inTurn(remove),
    purge: inTurn(purge),
    restore: inTurn(restore),
    tell: (action) => tell(house, action),
    answer: (action, by) => answer(house, action, by),
    retract: (action) => retract(house, action),
    // In turn with what changes the session: a start that came before it counts.
    shutdown: inTurn(async (_, { idle }: Extract<Action, { type: "shutdown" }>) => {
      const leaves = !idle || isIdle(house);
      if (leaves) leave();
      return { leaves };
    }),
  };
}
