import type { AgentEvent } from "../../clis/events.ts";
import { parseObject } from "../../text/json-fields.ts";

/**
 * A CLI's answer among all it said in its turn: what it said after its last tool, whether its channel sends that whole
 * or in pieces. Nothing is cut out of prose: an answer with words around it is none.
 */
export function pickAnswer(events: readonly AgentEvent[]): string {
  const after = events.slice(events.findLastIndex(({ type }) => type === "tool.end") + 1);
  const texts = after.flatMap((event) => (event.type === "text" ? [event.text] : []));
  const joined = texts.join("");
  const last = texts.at(-1) ?? "";
  return [last, joined].find((text) => parseObject(text.trim()) !== null) ?? joined;
}
