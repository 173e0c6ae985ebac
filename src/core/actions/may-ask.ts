import type { Role } from "../messages/roles.ts";
import type { ActionType } from "./actions.ts";

const SUPERVISOR_ASKS: readonly ActionType[] = ["tell", "answer", "verify"];

/** What `[supervisor] may` can allow besides, each with its actions. */
const ALLOWED: Readonly<Record<string, readonly ActionType[]>> = { land: ["land", "land-cancel", "land-undo"] };

/** Whether a role may ask for an action. Agents act through messages alone. `may`: what a person has allowed pane 0. */
export function mayAsk(role: Role, action: ActionType, may: readonly string[] = []): boolean {
  if (role === "operator") return true;
  if (role !== "supervisor") return false;
  return SUPERVISOR_ASKS.includes(action) || may.some((each) => ALLOWED[each]?.includes(action) === true);
}
