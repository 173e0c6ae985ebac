import * as z from "zod/mini";
import { LEVELS, STACKS } from "../../core/policy/context.ts";
import { fewerIsNarrower, type Guard, offIsNarrower, type Row, texts } from "./row.ts";

const NO_TEXTS: readonly string[] = [];

/** A repository can bring any manifest with it, so a list never finds more than `auto` would. */
const stacksNarrower: Guard = (value, without, beside) =>
  without === "auto" ? "narrows" : fewerIsNarrower(value, without, beside);

/** What is said of agents' commands. */
export const APPROVAL_ROWS = [
  {
    key: "supervisor.auto_approve.enabled",
    type: z.boolean(),
    default: true,
    help: "Whether the policy approves and denies commands of agents. If not, every one of them is asked about.",
    guarded: offIsNarrower,
  },
  {
    key: "supervisor.auto_approve.approval_level",
    type: z.enum(LEVELS),
    default: "safe",
    help: "How much is approved. off: nothing. conservative: what only reads, and tests. safe: also commits, edits in the worktree and a push of the agent's own branch.",
    guarded: (value, without) =>
      LEVELS.indexOf(value as (typeof LEVELS)[number]) <= LEVELS.indexOf(without as (typeof LEVELS)[number])
        ? "narrows"
        : "widens",
  },
  {
    key: "supervisor.auto_approve.safe_commands",
    type: texts,
    default: NO_TEXTS,
    example: ["just smoke"],
    help: "Further commands that are approved, each by the words it begins with. What the policy denies stays denied.",
    guarded: fewerIsNarrower,
  },
  {
    key: "supervisor.common_dev_allowlist.enabled",
    type: z.boolean(),
    default: true,
    help: "Whether usual commands of developers are approved. If not, only those under extra and safe_commands are.",
    guarded: offIsNarrower,
  },
  {
    key: "supervisor.common_dev_allowlist.stacks",
    type: z.union([z.enum(["auto"]), z.array(z.enum(STACKS))]),
    default: "auto",
    example: ["rust", "node"],
    help: "The languages whose usual commands are approved. auto: those that have a manifest (Cargo.toml, package.json, …) in the project.",
    guarded: stacksNarrower,
  },
  {
    key: "supervisor.common_dev_allowlist.extra",
    type: texts,
    default: NO_TEXTS,
    example: ["just check", "nox -s tests"],
    help: "Further commands of this project, as under safe_commands: `just check` also approves `just check --quiet`, but not `just checkout`.",
    guarded: fewerIsNarrower,
  },
] as const satisfies readonly Row[];
