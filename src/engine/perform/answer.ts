import type { Performer } from "./perform.ts";

export const performAnswer: Performer<"agent.answer"> = async ({ living }, { run, request, answer }) => {
  const allow = answer === "allow";
  await living.running(run).answer(request, allow, allow || answer === "deny" ? "" : answer);
  return { ok: true };
};
