import type { AgentView } from "../../views/snapshot.ts";
import { readStamp } from "../file/stamp.ts";
import type { Signal } from "./signals.ts";

const CODES: Readonly<Record<string, number>> = { done: 0, verified: 0, landed: 0, failed: 1, stopped: 130 };

/**
 * What an agent of the session says of the item it was sent for. One that has committed and still runs may have more to
 * do: its commit is a sign of life. On a terminal it never leaves, and there is nothing else to go by.
 */
export function agentSignal(
  item: string,
  { state, lastSeen, pid, pane }: Pick<AgentView, "state" | "lastSeen" | "pid" | "pane">,
  surface: string | null,
): Signal | null {
  const rests = state === "committed" && (pid === null || pane !== null);
  const code = rests ? 0 : CODES[state];
  if (code !== undefined) return { item, kind: "exit", code, pr: surface };
  const at = lastSeen === null ? null : readStamp(lastSeen);
  return at === null ? null : { item, kind: "activity", at };
}
