import * as z from "zod/mini";
import { KINDS, kindNamed } from "../../core/clis/kinds.ts";
import { lessIsNarrower, type Row, text, texts, whole, widens } from "./row.ts";

/** How coding CLIs are started. */
export const CLIS_ROWS = [
  {
    key: "clis.*.command",
    type: z.union([text, texts.check(z.minLength(1))]),
    example: ["my-agent", "--headless"],
    help: "The program and its arguments, as a list or as one text split at spaces. Not run by a shell.",
    guarded: widens,
  },
  {
    key: "clis.*.display_name",
    type: text,
    example: "My agent",
    help: "The name shown to people.",
    guarded: "harmless",
  },
  {
    key: "clis.*.protocol",
    type: z.enum(["plain", "events", ...KINDS.map(({ name }) => name)]),
    default: "plain",
    help: "plain: reads its brief from standard input and ends by itself. events: speaks JSON lines (docs/guides/agents.md). A known CLI's name: runs like that CLI. Default: the CLI's own name if it is a known one, else plain.",
    guarded: widens,
    defaultOf: (key) => kindNamed(key.split(".")[1] ?? "")?.name ?? "plain",
  },
  {
    key: "clis.*.channel",
    type: z.enum(["acp", "control", "rpc", "json"]),
    example: "json",
    help: "How to run a known CLI headless. Default: the best channel it has.",
    guarded: widens,
  },
  {
    key: "clis.*.idle_timeout_seconds",
    type: whole(1, 86_400),
    default: 600,
    help: "Seconds without output, while no tool runs and no question is open, after which the CLI is ended.",
    guarded: lessIsNarrower,
  },
  {
    key: "clis.*.env",
    type: texts,
    default: [],
    example: ["MY_API_KEY"],
    help: "Variables of your environment that this CLI gets, besides the common ones.",
    guarded: widens,
  },
  {
    key: "clis.*.resume_args",
    type: texts,
    default: [],
    example: ["--resume", "{session}"],
    help: "Arguments added when an agent continues; {session} is the CLI's conversation id.",
    guarded: widens,
  },
] as const satisfies readonly Row[];
