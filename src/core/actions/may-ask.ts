import type { Role } from "../messages/roles.ts";
import type { ActionType } from "./actions.ts";

const SUPERVISOR_ASKS: readonly ActionType[] = ["tell", "answer", "verify"];

/** Whether a role may ask for an action. Agents act through messages alone. */
export function mayAsk(role: Role, action: ActionType): boolean {
  if (role === "operator") return true;
  return role === "supervisor" && SUPERVISOR_ASKS.includes(action);
}
