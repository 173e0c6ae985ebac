import * as z from "zod/mini";
import { fewerIsNarrower, lessIsNarrower, offIsNarrower, onIsNarrower, type Row, text, whole, widens } from "./row.ts";

/** From asking most to asking least. */
const LEVELS = ["manual", "auto", "full-auto"];

/** What the supervisor does, and what agents may spend. */
export const SUPERVISOR_ROWS = [
  {
    key: "supervisor.agent_approval",
    type: z.enum(["manual", "auto", "full-auto"]),
    default: "manual",
    help: "What known CLIs may do without asking. manual: only read. auto: edit files. full-auto: everything.",
    guarded: (value, without) =>
      LEVELS.indexOf(String(value)) <= LEVELS.indexOf(String(without)) ? "narrows" : "widens",
  },
  {
    key: "budget.tokens_per_run",
    type: whole(1, 1_000_000_000),
    example: 2_000_000,
    help: "Tokens (cached ones included) after which an agent is stopped.",
    guarded: lessIsNarrower,
  },
  {
    key: "budget.cost_per_run",
    type: z.number().check(z.gt(0)),
    example: 5,
    help: "US dollars after which an agent is stopped, for CLIs that report a cost.",
    guarded: lessIsNarrower,
  },
  {
    key: "budget.minutes_per_run",
    type: whole(1, 100_000),
    default: 480,
    help: "Minutes of work after which a headless agent is stopped; time spent waiting for you does not count.",
    guarded: lessIsNarrower,
  },
  {
    key: "supervisor.enabled",
    type: z.boolean(),
    example: true,
    help: "Whether new sessions in tmux have a console in pane 0. --supervisor and --no-supervisor override it. Unset: asks on a terminal; elsewhere no console.",
    guarded: onIsNarrower,
  },
  {
    key: "supervisor.conflict.window_seconds",
    type: whole(1, 86_400),
    default: 120,
    help: "Seconds two agents may edit the same file before you are asked, in a session with a console (`--supervisor`).",
    guarded: lessIsNarrower,
  },
  {
    key: "supervisor.conflict.warn_on_intent_overlap",
    type: z.boolean(),
    default: true,
    help: "Whether agents are told when they plan to edit the same files.",
    guarded: onIsNarrower,
  },
  {
    key: "supervisor.conflict.escalate_on_violation",
    type: z.boolean(),
    default: true,
    help: "Whether you are asked when an agent edits a file that belongs to another agent.",
    guarded: onIsNarrower,
  },
  {
    key: "supervisor.conflict.settle_by_trial_merge",
    type: z.boolean(),
    default: true,
    help: "Whether a conflict over one file stays settled as long as the work of both agents, uncommitted changes included, merges.",
    guarded: offIsNarrower,
  },
  {
    key: "supervisor.verify_on_commit_nudge",
    type: z.boolean(),
    default: true,
    help: "Whether each commit of an agent sends a supervisor.verify-now to the console's inbox.",
    guarded: onIsNarrower,
  },
  {
    key: "supervisor.learnings.enabled",
    type: z.boolean(),
    default: false,
    help: "Whether banksman writes .banksman/learnings.md: conflicts, where agents got stuck, how often they were sent back. Nothing leaves the machine.",
    guarded: "harmless",
  },
  {
    key: "supervisor.cli",
    type: text,
    example: "scripted",
    help: "The CLI that runs in pane 0 as a supervising model: it sees everything, directs agents and answers their questions. Default: banksman's own console, without a model.",
    guarded: widens,
  },
  {
    key: "supervisor.may",
    type: z.array(z.enum(["land"])),
    default: [] as readonly string[],
    example: ["land"],
    help: "What a supervising model may do besides telling, answering and verifying. land: it may land verified work.",
    guarded: fewerIsNarrower,
  },
] as const satisfies readonly Row[];
