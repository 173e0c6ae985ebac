import { at, costAt, countAt, parseObject, textAt } from "../text/json-fields.ts";
import { streamDialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import { type Approval, type CliKind, OWN_COMMAND } from "./kind.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

/** By itself it edits and runs commands without asking. Rules of later patterns win over earlier ones. */
const PERMISSION: Readonly<Record<Approval, object>> = {
  manual: { edit: "ask", bash: { "*": "ask", [`${OWN_COMMAND} *`]: "allow" }, webfetch: "ask" },
  auto: { edit: "allow", bash: { "*": "ask", [`${OWN_COMMAND} *`]: "allow" }, webfetch: "ask" },
  "full-auto": { edit: "allow", bash: "allow", webfetch: "allow" },
};

const permissions = (approval: Approval) => ({
  OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: PERMISSION[approval] }),
  OPENCODE_DISABLE_AUTOUPDATE: "1",
});

export const opencode: CliKind = {
  name: "opencode",
  title: "opencode",
  program: "opencode",
  env: ["OPENCODE_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  channels: [
    {
      name: "acp",
      prepare: ({ approval }) => ({ args: ["acp"], env: permissions(approval) }),
      acp: { mode: { manual: null, auto: null, "full-auto": null }, usage: "turn" },
    },
    {
      name: "json",
      prepare: ({ approval, conversation, prompt }) => ({
        args: ["run", "--format", "json", ...(conversation === null ? [] : ["-s", conversation]), prompt],
        env: permissions(approval),
      }),
      dialect: () => streamDialect(opencodeReader()),
    },
  ],
  terminal: ({ approval, conversation }) => ({
    args: conversation === null ? [] : ["-s", conversation],
    env: permissions(approval),
  }),
};

/** The lines of `opencode run --format json`. It has no last line: the end is the step that finishes with `stop`. */
export function opencodeReader(): (line: string) => AgentEvent[] {
  let session: string | null = null;
  let last = "";
  return (text) => {
    const fields = parseObject(text);
    if (fields === null) return [];
    const events: AgentEvent[] = [];
    const id = textAt(fields, "sessionID");
    if (id !== null && id !== session) {
      session = id;
      events.push({ type: "session", id: id.slice(0, 200) });
    }
    if (fields.type === "text") {
      last = textAt(fields, "part", "text") ?? "";
      events.push({ type: "text", text: last });
    }
    if (fields.type === "tool_use") {
      const name = textAt(fields, "part", "tool") ?? "tool";
      const call = textAt(fields, "part", "callID") ?? "";
      const state = (fields.part as { state?: { input?: unknown } } | null)?.state;
      events.push(
        { type: "tool.start", id: call, name, input: requestText(name, state?.input).text },
        {
          type: "tool.end",
          id: call,
          ok: textAt(fields, "part", "state", "status") === "completed",
          ...resultText(at(fields, "part", "state", "output")),
        },
      );
    }
    if (fields.type === "step_finish") {
      const usage = {
        input: countAt(fields, "part", "tokens", "input"),
        output: countAt(fields, "part", "tokens", "output"),
        cached: countAt(fields, "part", "tokens", "cache", "read"),
        cost: costAt(fields, "part", "cost"),
      };
      events.push({ type: "usage", usage });
      if (textAt(fields, "part", "reason") === "stop") events.push({ type: "end", how: "ok", message: last });
    }
    if (fields.type === "error") {
      const message = textAt(fields, "error", "data", "message") ?? textAt(fields, "error", "name") ?? "error";
      events.push({ type: "end", how: "error", message });
    }
    return events;
  };
}
