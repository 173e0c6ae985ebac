import { countAt, parseObject, textAt } from "../text/json-fields.ts";
import { streamDialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import { type Approval, type CliKind, OWN_COMMAND } from "./kind.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

const MODES: Readonly<Record<Approval, string>> = { manual: "default", auto: "auto_edit", "full-auto": "yolo" };

/** A rule of its policy engine; `--allowed-tools` is deprecated, and in yolo mode allows nothing else (0.61.0). */
const POLICY = `[[rule]]
toolName = "run_shell_command"
commandPrefix = "${OWN_COMMAND}"
decision = "allow"
priority = 200
`;
/** Its session's file is named after the minute it began in, and written over when it is opened in that minute. */
const AFTER_ITS_MINUTE = "after-its-minute" as const;

const policy = (folder: string) => ["--policy", `${folder}/policy.toml`];

export const gemini: CliKind = {
  name: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  env: ["GEMINI_*", "GOOGLE_*"],
  channels: [
    {
      name: "acp",
      prepare: ({ folder }) => ({ args: ["--acp", ...policy(folder)], files: { "policy.toml": POLICY } }),
      acp: {
        mode: { manual: "default", auto: "autoEdit", "full-auto": "yolo" },
        usage: "turn",
        resumes: AFTER_ITS_MINUTE,
      },
    },
    {
      name: "json",
      prepare: ({ approval, conversation, prompt, folder }) => ({
        args: [
          ...["-p", prompt, "-o", "stream-json", "--approval-mode", MODES[approval]],
          ...policy(folder),
          ...(conversation === null ? [] : ["--resume", conversation]),
        ],
        files: { "policy.toml": POLICY },
      }),
      dialect: () => streamDialect(geminiReader()),
    },
  ],
  // No hooks: it takes them from root's files, the user's own, or the project's, and none of those is ours to write.
  resumes: AFTER_ITS_MINUTE,
  terminal: ({ approval, conversation, fresh, folder }) => ({
    args: [
      ...["--approval-mode", MODES[approval]],
      ...policy(folder),
      ...(conversation === null ? ["--session-id", fresh] : ["--resume", conversation]),
    ],
    files: { "policy.toml": POLICY },
    ...(conversation === null && { begins: fresh }),
  }),
};

/** The lines of `-o stream-json`. */
export function geminiReader(): (line: string) => AgentEvent[] {
  let last = "";
  return (text) => {
    const fields = parseObject(text);
    switch (fields?.type) {
      case "init":
        return [{ type: "session", id: (textAt(fields, "session_id") ?? "").slice(0, 200) }];
      case "message": {
        if (fields.role !== "assistant") return [];
        const said = textAt(fields, "content") ?? "";
        last = (last + said).slice(-2_000);
        return [{ type: "text", text: said }];
      }
      case "tool_use": {
        last = "";
        const name = textAt(fields, "tool_name") ?? "tool";
        const input = requestText(name, fields.parameters).text;
        return [{ type: "tool.start", id: textAt(fields, "tool_id") ?? "", name, input }];
      }
      case "tool_result":
        return [
          {
            type: "tool.end",
            id: textAt(fields, "tool_id") ?? "",
            ok: fields.status === "success",
            ...resultText(fields.output),
          },
        ];
      case "result": {
        const usage = {
          input: countAt(fields, "stats", "input"),
          output: countAt(fields, "stats", "output_tokens"),
          cached: countAt(fields, "stats", "cached"),
          cost: null,
        };
        const message = textAt(fields, "error", "message") ?? last;
        return [
          { type: "usage", usage },
          { type: "end", how: fields.status === "success" ? "ok" : "error", message },
        ];
      }
      default:
        return [];
    }
  };
}
