import { parsePermission } from "../../../core/messages/permission.ts";
import type { AgentProcesses } from "../agent-processes.ts";
import type { Performer } from "./performer.ts";

export const performAnswer: Performer<"agent.answer", { readonly processes: AgentProcesses }> = async (
  { processes },
  { run, request, answer },
) => {
  const { allow, note } = parsePermission(answer) ?? { allow: false, note: "" };
  await processes.running(run).answer(request, allow, note);
  return { ok: true };
};
