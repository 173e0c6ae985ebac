import { Failed } from "../../core/failure/failed.ts";
import type { Io } from "../command.ts";

/**
 * Asks "Remove 2 agents?" on a terminal; elsewhere the flag has to say it. No is the default, and so is walking away.
 * `what` begins with a verb.
 */
export async function confirm(io: Io, what: string, flag: string): Promise<void> {
  if (!io.interactive) throw new Failed({ kind: "needs-confirmation", what, flag });
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: `${what}?`, initialValue: false });
  if (answer !== true) throw new Failed({ kind: "cancelled" });
}
