import { parsePermission } from "../../core/permission.ts";
import type { Performer } from "./perform.ts";

export const performAnswer: Performer<"agent.answer"> = async ({ living }, { run, request, answer }) => {
  const { allow, note } = parsePermission(answer) ?? { allow: false, note: "" };
  await living.running(run).answer(request, allow, note);
  return { ok: true };
};
