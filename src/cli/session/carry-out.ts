import type { Connection } from "../../broker/client.ts";
import type { ConsoleInput } from "../../core/actions/console-input.ts";
import { pickRequest } from "../../core/actions/pick-request.ts";
import { type Hears, sayWhenHears } from "../../core/agents/when-hears.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { Answered } from "../../modes/session/talk.ts";
import { sayAnswered } from "../show/say-answered.ts";
import { act } from "../supervisor/connect.ts";

/** Does what a person typed in the console or the dashboard, and says in a sentence what came of it. */
export async function carryOut(
  connection: Connection,
  input: Extract<ConsoleInput, { kind: "directive" | "answer" | "permission" }>,
  { needsYou }: Pick<Snapshot, "needsYou">,
): Promise<string> {
  if (input.kind === "directive") {
    const { agent, text } = input;
    const { seq, hears } = await act<{ seq: number; hears: Hears }>(connection, { type: "tell", agent, text });
    return `Told ${agent} (message ${seq}). ${sayWhenHears(hears, agent)}`;
  }
  const picked = input.kind === "answer" ? { request: input.question } : pickRequest(input.request, needsYou);
  if ("hint" in picked) return picked.hint;
  const action = { type: "answer", question: picked.request, answer: input.text, session: false } as const;
  return sayAnswered(await act<Answered>(connection, action));
}
