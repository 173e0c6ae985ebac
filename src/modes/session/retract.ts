import type { Action } from "../../core/actions/actions.ts";
import { claimedPaths } from "../../core/claims/intents.ts";
import { Failed } from "../../core/failure/failed.ts";
import { directive, takenBack } from "../../core/messages/wording.ts";
import { assignmentsOf } from "../../core/session/read-session.ts";
import { SUPERVISOR } from "../../core/text/ids.ts";
import type { Recording } from "../../engine/journal/recording.ts";
import { publish } from "../../engine/messages/publish.ts";
import { named } from "./named.ts";

/** A person takes back what an agent claims: everybody hears it, and the agent is told, in one go. */
export async function retract(
  context: Recording,
  { agent: name, paths }: Extract<Action, { type: "retract" }>,
): Promise<{ agent: string; paths: readonly string[]; seq: number }> {
  const [run] = named(assignmentsOf(context.journal), [name]);
  if (run === undefined) throw new Failed({ kind: "session.none" });
  const { agent } = run;
  const intent = context.journal.intent(agent);
  const standing = intent !== null && intent.expiresAt > context.clock.now() ? claimedPaths(intent, null) : [];
  const taken = intent !== null && standing.length > 0 ? claimedPaths(intent, paths.length === 0 ? null : paths) : [];
  if (taken.length === 0) throw new Failed({ kind: "claim.none", agent, paths, claimed: standing });
  const [seq = 0] = await publish(context, [
    envelope({ type: "agent.retract", agent_id: agent, payload: { files: taken, by: SUPERVISOR } }),
    envelope({
      type: "agent.feedback",
      agent_id: agent,
      payload: { from: SUPERVISOR, errors: [directive(takenBack(taken))] },
    }),
  ]);
  return { agent, paths: taken, seq };
}

const envelope = <M>(message: M) => ({ message, key: null, re: null });
