import type { Connection } from "../../broker/client.ts";
import type { ConsoleInput } from "../../core/actions/console-input.ts";
import { type Hears, sayWhenHears } from "../../core/agents/when-hears.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { Answered } from "../../modes/session/talk.ts";
import { sayAnswered } from "../show/say-answered.ts";
import { act } from "../supervisor/connect.ts";

/** Does what a person typed in the console or the dashboard, and says in a sentence what came of it. */
export async function carryOut(
  connection: Connection,
  input: Extract<ConsoleInput, { kind: "directive" | "answer" }>,
  { needsYou }: Pick<Snapshot, "needsYou">,
): Promise<string> {
  if (input.kind === "directive") {
    const { agent, text } = input;
    const { seq, hears } = await act<{ seq: number; hears: Hears }>(connection, { type: "tell", agent, text });
    return `Told ${agent} (message ${seq}). ${sayWhenHears(hears, agent)}`;
  }
  const requests = needsYou.filter(({ kind }) => kind === "approval").map(({ id }) => id);
  const question = input.question ?? (requests.length === 1 ? requests[0] : undefined);
  if (question === undefined)
    return requests.length === 0
      ? "No permission request is open."
      : `Which one? Open: ${requests.join(", ")}. Say \`allow ${requests[0]}\`.`;
  const action = { type: "answer", question, answer: input.text, session: false } as const;
  return sayAnswered(await act<Answered>(connection, action));
}
