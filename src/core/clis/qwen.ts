import { claudeReader } from "./claude.ts";
import { streamDialect } from "./dialect.ts";
import { type Approval, type CliKind, OWN_COMMAND } from "./kind.ts";

const MODES: Readonly<Record<Approval, string>> = { manual: "default", auto: "auto-edit", "full-auto": "yolo" };
const ALLOWED = ["--allowed-tools", `run_shell_command(${OWN_COMMAND})`];

export const qwen: CliKind = {
  name: "qwen",
  title: "Qwen Code",
  program: "qwen",
  env: ["OPENAI_*", "QWEN_*", "DASHSCOPE_API_KEY"],
  channels: [
    {
      name: "acp",
      prepare: ({ approval }) => ({ args: ["--acp", "--approval-mode", MODES[approval]] }),
      acp: { mode: { manual: "default", auto: "auto-edit", "full-auto": "yolo" }, usage: "turn" },
    },
    {
      name: "json",
      prepare: ({ approval, conversation, prompt }) => ({
        args: [
          ...["-p", prompt, "-o", "stream-json", "--approval-mode", MODES[approval]],
          ...ALLOWED,
          ...(conversation === null ? [] : ["--resume", conversation]),
        ],
      }),
      dialect: () => streamDialect(claudeReader()),
    },
  ],
  terminal: ({ approval, conversation }) => ({
    args: [
      ...["--approval-mode", MODES[approval]],
      ...ALLOWED,
      ...(conversation === null ? [] : ["--resume", conversation]),
    ],
  }),
};
