import type { Action } from "../../core/actions.ts";
import { Failed } from "../../core/failure.ts";
import { SUPERVISOR } from "../../core/ids.ts";
import { claimedPaths } from "../../core/intents.ts";
import { directive, takenBack } from "../../core/wording.ts";
import type { House } from "../../engine/house.ts";
import { runsOf } from "../../engine/look.ts";
import { publish } from "../../engine/publish.ts";
import { named } from "./named.ts";

/** A person takes back what an agent claims: everybody hears it, and the agent is told, in one go. */
export async function retract(
  house: House,
  { agent: name, paths }: Extract<Action, { type: "retract" }>,
): Promise<{ agent: string; paths: readonly string[]; seq: number }> {
  const [run] = named(runsOf(house.journal), [name]);
  if (run === undefined) throw new Failed({ kind: "session.none" });
  const { agent } = run;
  const intent = house.journal.intent(agent);
  const standing = intent !== null && intent.expiresAt > house.clock.now() ? claimedPaths(intent, null) : [];
  const taken = intent !== null && standing.length > 0 ? claimedPaths(intent, paths.length === 0 ? null : paths) : [];
  if (taken.length === 0) throw new Failed({ kind: "claim.none", agent, paths, claimed: standing });
  const [seq = 0] = await publish(house, [
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
