import { at, parseObject, textAt } from "../text/json-fields.ts";
import { streamDialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import { type Approval, type CliKind, OWN_COMMAND } from "./kind.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

const ALLOWED: Readonly<Record<Approval, readonly string[]>> = {
  manual: ["--allow-tool", `shell(${OWN_COMMAND}:*)`],
  auto: ["--allow-tool", "write", "--allow-tool", `shell(${OWN_COMMAND}:*)`],
  "full-auto": ["--allow-all-tools", "--allow-all-paths"],
};

export const copilot: CliKind = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  program: "copilot",
  env: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
  channels: [
    {
      name: "acp",
      prepare: ({ approval }) => ({ args: ["--acp", ...ALLOWED[approval]], env: QUIET }),
      acp: { mode: { manual: null, auto: null, "full-auto": null }, usage: "session", saysErrors: true },
    },
    {
      name: "json",
      prepare: ({ approval, conversation, prompt }) => ({
        args: [
          ...["-p", prompt, "--output-format", "json"],
          ...ALLOWED[approval],
          ...(conversation === null ? [] : [`--resume=${conversation}`]),
        ],
        env: QUIET,
      }),
      dialect: () => streamDialect(copilotReader()),
    },
  ],
  terminal: ({ approval, conversation }) => ({
    args: [...ALLOWED[approval], ...(conversation === null ? [] : [`--resume=${conversation}`])],
    env: QUIET,
  }),
};

const QUIET = { COPILOT_AUTO_UPDATE: "false" };

/** The lines of `--output-format json`. Tokens are not among them; the conversation's id comes with the last one. */
export function copilotReader(): (line: string) => AgentEvent[] {
  let last = "";
  let failure = "";
  return (text) => {
    const fields = parseObject(text);
    const call = textAt(fields, "data", "toolCallId") ?? "";
    switch (fields?.type) {
      case "assistant.message":
        last = textAt(fields, "data", "content") ?? "";
        return [{ type: "text", text: last }];
      case "tool.execution_start": {
        const name = textAt(fields, "data", "toolName") ?? "tool";
        const input = requestText(name, (fields.data as { arguments?: unknown }).arguments).text;
        return [{ type: "tool.start", id: call, name, input }];
      }
      case "tool.execution_complete":
        return [
          {
            type: "tool.end",
            id: call,
            ok: at(fields, "data", "success") === true,
            ...resultText(at(fields, "data", "result", "content")),
          },
        ];
      case "session.error":
        failure = textAt(fields, "data", "message") ?? "";
        return [];
      case "result": {
        const id = textAt(fields, "sessionId");
        const events: AgentEvent[] = id === null ? [] : [{ type: "session", id: id.slice(0, 200) }];
        const ok = fields.exitCode === 0;
        events.push({ type: "end", how: ok ? "ok" : "error", message: ok ? last : failure || "it failed" });
        return events;
      }
      default:
        return [];
    }
  };
}
