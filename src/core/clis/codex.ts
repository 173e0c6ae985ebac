import { at, countAt, parseObject, textAt } from "../text/json-fields.ts";
import { streamDialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import type { Approval, CliKind, StartOrder } from "./kind.ts";
import { resultText } from "./result-text.ts";

const EXEC_SANDBOX: Readonly<Record<Approval, readonly string[]>> = {
  manual: ["-s", "workspace-write"],
  auto: ["-s", "workspace-write"],
  "full-auto": ["--dangerously-bypass-approvals-and-sandbox"],
};

/** It asks when the model wants to leave the sandbox; a policy that asks for everything is gone (0.166). */
const TERMINAL_MODE: Readonly<Record<Approval, readonly string[]>> = {
  manual: ["-a", "on-request", "-s", "read-only"],
  auto: ["-a", "on-request", "-s", "workspace-write"],
  "full-auto": ["--dangerously-bypass-approvals-and-sandbox"],
};

/** A login shell sets PATH anew, as /etc/profile has it: the agent would not find `banksman` (0.166). */
const OUR_PATH = ["-c", "allow_login_shell=false"];
const QUIET = ["-c", "check_for_update_on_startup=false", ...OUR_PATH];

export const codex: CliKind = {
  name: "codex",
  title: "Codex",
  program: "codex",
  env: ["OPENAI_*", "CODEX_*", "AZURE_OPENAI_*"],
  channels: [
    {
      name: "acp",
      program: "codex-acp",
      prepare: () => ({ args: OUR_PATH }),
      acp: { mode: { manual: "read-only", auto: "workspace-write", "full-auto": "agent-full-access" }, usage: "turn" },
    },
    {
      name: "json",
      prepare: ({ approval, conversation, prompt, git }) => ({
        args: [
          "exec",
          "--json",
          ...QUIET,
          ...writable(git),
          ...EXEC_SANDBOX[approval],
          ...(conversation === null ? [prompt] : ["resume", conversation, prompt]),
        ],
      }),
      dialect: () => streamDialect(codexReader()),
    },
  ],
  terminal: (order) => ({
    args: [
      ...(order.conversation === null ? [] : ["resume", order.conversation]),
      ...QUIET,
      ...writable(order.git),
      ...TERMINAL_MODE[order.approval],
      ...hooks(order),
    ],
  }),
};

/** Its sandbox keeps `.git` from being written, in a linked worktree too: nothing could be committed. */
const writable = (folders: readonly string[]): string[] => [
  "-c",
  `sandbox_workspace_write.writable_roots=${JSON.stringify(folders)}`,
];

const HOOKS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/** Given on the command line, hooks count as untrusted; ours are our own. */
const hooks = ({ hook }: StartOrder): string[] => [
  "--dangerously-bypass-hook-trust",
  ...HOOKS.flatMap((event) => ["-c", `hooks.${event}=[{hooks=[{type="command",command=${JSON.stringify(hook)}}]}]`]),
];

/**
 * The lines of `codex exec --json`. An `error` line, or an item of that type, is not the end: it reconnects, or warns
 * that it does not know a model; only `turn.failed` is final.
 */
export function codexReader(): (line: string) => AgentEvent[] {
  let retries = 0;
  let last = "";
  return (text) => {
    const fields = parseObject(text);
    const item = textAt(fields, "item", "type");
    const id = textAt(fields, "item", "id") ?? "";
    switch (fields?.type) {
      case "thread.started":
        return [{ type: "session", id: (textAt(fields, "thread_id") ?? "").slice(0, 200) }];
      case "error":
        return [{ type: "retry", attempt: ++retries, reason: textAt(fields, "message") ?? "" }];
      case "item.started":
        if (item !== "command_execution") return [];
        return [{ type: "tool.start", id, name: "shell", input: textAt(fields, "item", "command") ?? "" }];
      case "item.completed":
        if (item === "command_execution" || item === "file_change")
          return [
            {
              type: "tool.end",
              id,
              ok: textAt(fields, "item", "status") === "completed",
              ...resultText(at(fields, "item", "aggregated_output")),
            },
          ];
        if (item === "reasoning") return [{ type: "thinking", text: textAt(fields, "item", "text") ?? "" }];
        if (item !== "agent_message") return [];
        last = textAt(fields, "item", "text") ?? "";
        return [{ type: "text", text: last }];
      case "turn.completed": {
        const cached = countAt(fields, "usage", "cached_input_tokens");
        const usage = {
          // What was cached is part of what went in.
          input: Math.max(0, countAt(fields, "usage", "input_tokens") - cached),
          output: countAt(fields, "usage", "output_tokens"),
          cached,
          cost: null,
        };
        return [
          { type: "usage", usage },
          { type: "end", how: "ok", message: last },
        ];
      }
      case "turn.failed":
        return [{ type: "end", how: "error", message: textAt(fields, "error", "message") ?? "the turn failed" }];
      default:
        return [];
    }
  };
}
