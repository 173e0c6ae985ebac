import type { Answered } from "../../modes/session/talk.ts";

/** Who hears an answer, in a sentence. */
export function sayAnswered({ id, kind, answer, agents }: Answered): string {
  const all = agents.join(" and ");
  if (kind === "approval") return `${id}: ${answer.startsWith("allow") ? "allowed" : "denied"}. ${all} continues.`;
  return agents.length === 0
    ? `${id} answered.`
    : `${id} answered. ${all} ${agents.length === 1 ? "gets" : "get"} the answer.`;
}
