import { at, costAt, countAt, listAt, textAt } from "../text/json-fields.ts";
import type { AgentEvent, Usage } from "./events.ts";
import { shortTexts } from "./parse-event.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

/** One `session/update` of the Agent Client Protocol, in our words. Kinds we do not use are signs of life. */
export function readUpdate(update: unknown): AgentEvent[] {
  const id = textAt(update, "toolCallId") ?? "";
  switch (at(update, "sessionUpdate")) {
    case "agent_message_chunk": {
      // Qwen counts here, and not with the turn's end.
      const usage = at(update, "_meta", "usage") === null ? null : readUsage(at(update, "_meta"));
      const said: AgentEvent = { type: "text", text: textAt(update, "content", "text") ?? "" };
      return usage === null ? [said] : [said, { type: "usage", usage }];
    }
    case "agent_thought_chunk":
      return [{ type: "thinking", text: textAt(update, "content", "text") ?? "" }];
    case "tool_call": {
      const name = textAt(update, "kind") ?? "tool";
      return [{ type: "tool.start", id, name, input: textAt(update, "title") ?? "" }, ...finished(update, id)];
    }
    case "tool_call_update":
      return finished(update, id);
    case "plan":
      return [{ type: "plan", entries: shortTexts(listAt(update, "entries").map((each) => at(each, "content"))) }];
    default:
      return [];
  }
}

function finished(update: unknown, id: string): AgentEvent[] {
  const status = at(update, "status");
  return status === "completed" || status === "failed"
    ? [{ type: "tool.end", id, ok: status === "completed", ...resultText(at(update, "content")) }]
    : [];
}

/** What is asked, for a person to decide on: its command where the request names one, else its title and its files. */
export function readPermission(request: string, params: unknown): Extract<AgentEvent, { type: "permission" }> {
  const call = at(params, "toolCall");
  const title = textAt(call, "title") ?? textAt(call, "kind") ?? "a tool";
  const { command } = requestText(title, at(call, "rawInput"));
  const runs = textAt(call, "kind") === "execute";
  const files = listAt(call, "locations").flatMap((each) => textAt(each, "path") ?? []);
  const where = files.filter((file) => !title.includes(file));
  const text = where.length === 0 ? title : `${title} (${where.join(", ")})`;
  return {
    type: "permission",
    request,
    text: command === null ? text : `${title}: ${command}`,
    command: command ?? (runs ? title : null),
  };
}

/** By what an option grants, never by its name: ids differ from agent to agent. Only once, never for always. */
export function pickOption(params: unknown, allow: boolean): string | null {
  const kinds = allow ? ["allow_once"] : ["reject_once", "reject_always"];
  for (const kind of kinds) {
    const option = listAt(params, "options").find((each) => at(each, "kind") === kind);
    const id = textAt(option, "optionId");
    if (id !== null) return id;
  }
  return null;
}

/** What a prompt's answer, or an agent's own field beside it, says was used. */
export function readUsage(response: unknown): Usage | null {
  const usage = at(response, "usage");
  if (usage !== null) {
    const cached = countAt(usage, "cachedReadTokens");
    return {
      input: countAt(usage, "inputTokens"),
      output: countAt(usage, "outputTokens"),
      cached,
      cost: costAt(usage, "cost", "amount"),
    };
  }
  const quota = at(response, "_meta", "quota", "token_count");
  if (quota === null) return null;
  return { input: countAt(quota, "input_tokens"), output: countAt(quota, "output_tokens"), cached: 0, cost: null };
}

/** What the session has cost so far, where an update says it. */
export const readCost = (update: unknown): number | null =>
  at(update, "sessionUpdate") === "usage_update" ? costAt(update, "cost", "amount") : null;

/** Codex ends its turn as if all were well when its model refuses for good, and says otherwise beside it. */
export const readFailure = (update: unknown): string | null =>
  at(update, "_meta", "codex", "threadStatus", "type") === "systemError" ? "its model refused for good" : null;

/** What one is told whose turn ended at a refusal. */
export const afterRefusal = (note: string): string =>
  `Your request was refused${note === "" ? "" : `: ${note}`}. Go on without it, or in another way. If your task cannot ` +
  "be done without it, say so and stop.";
