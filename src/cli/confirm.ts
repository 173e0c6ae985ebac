import { Failed } from "../core/failure.ts";
import type { Io } from "./command.ts";

/** Asks on a terminal; elsewhere the flag has to say it. No is the default, and so is walking away. */
export async function confirm(io: Io, question: string, flag: string): Promise<void> {
  if (!io.interactive) throw new Failed({ kind: "needs-confirmation", what: question.replace(/\?$/, ""), flag });
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: question, initialValue: false });
  if (answer !== true) throw new Failed({ kind: "cancelled" });
}
