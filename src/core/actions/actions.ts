import type { Failure } from "../failure/failure.ts";
import type { AgentId } from "../text/ids.ts";
import { asFields } from "../text/json-fields.ts";
import { JsonReader } from "../text/json-reader.ts";
import { ActionFields } from "./action-fields.ts";
import { LANDING_ACTIONS, type LandingAction } from "./landing-actions.ts";
import { SESSION_ACTIONS, type SessionAction } from "./session-actions.ts";

/**
 * Everything a person or a program may ask of the supervisor. CLI, console, dashboards and MCP all send one of these
 * to `POST /act`; modes export what performs them. Who may ask is in may-ask.ts.
 */
export type Action = SessionAction | LandingAction;

export type ActionType = Action["type"];

const READERS: Readonly<Record<ActionType, (fields: ActionFields) => object>> = {
  ...SESSION_ACTIONS,
  ...LANDING_ACTIONS,
};

export const ACTION_TYPES = Object.keys(READERS) as readonly ActionType[];

/** Reads an action from a request's JSON. Unknown fields are refused: a misspelt `force` must not be ignored. */
export function parseAction(body: unknown): Action | Failure {
  const read = new JsonReader();
  const fields = asFields(body);
  if (fields === null) return refused("An action must be a JSON object");
  const type = read.oneOf(fields.type, "type", ACTION_TYPES);
  if (type === null) return refused(read.problem?.why ?? "");
  const { type: _, ...rest } = fields;
  const inside = new ActionFields(read, rest);
  const action = { type, ...READERS[type](inside) } as Action;
  inside.nothingElse();
  return read.problem === null ? action : refused(read.problem.why);
}

const refused = (why: string): Failure => ({
  kind: "usage",
  message: `${why}.`,
  hint: "See `banksman --help`.",
});

/** Someone an action names: an agent's id, or its branch. */
export function findAgent<T extends { readonly agent: AgentId; readonly branch: string }>(
  runs: readonly T[],
  name: string,
): T | null {
  return runs.find((run) => run.agent === name) ?? runs.find((run) => run.branch === name) ?? null;
}
