import type { Answered } from "../../modes/session/talk.ts";

/** Who hears an answer, in a sentence. */
export function sayAnswered({ id, kind, answer, agents }: Answered): string {
  const all = agents.join(" and ");
  if (kind === "approval")
    return answer.startsWith("allow") ? `${id}: allowed. ${all} continues.` : sayDenied(id, answer, all);
  return agents.length === 0
    ? `${id} answered.`
    : `${id} answered. ${all} ${agents.length === 1 ? "gets" : "get"} the answer.`;
}

function sayDenied(id: string, answer: string, agent: string): string {
  const isExplained = answer.replace(/^deny[\s:,]*/, "").trim() !== "";
  return isExplained
    ? `${id}: denied. ${agent} gets your reason.`
    : `${id}: denied. ${agent} hears only that; \`banksman tell ${agent} …\` says what to do instead.`;
}
