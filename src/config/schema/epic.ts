import * as z from "zod/mini";
import { lessIsNarrower, moreIsNarrower, narrows, ofKnownWorker, type Row, texts, whole, widens } from "./row.ts";

/** The brake sees more, and ticks cost less. */
const MORE_IS_NARROWER: ReadonlySet<string> = new Set(["epic.window", "epic.rows", "epic.loop_minutes"]);

/** The three roles of an epic, what the seed calls two of them, and who reviews work before it lands. */
const ROLES = ["planner", "verifier", "critic", "pauli", "marsha", "reviewer"];

/** The settings of epics: their brake and limits, who answers and who works. */
export const EPIC_ROWS: readonly Row[] = [
  ...Object.entries({
    "epic.window": [2, 16, 8, "How many rows of an epic's pattern memory the brake reads."],
    "epic.recurring": [2, 16, 3, "How often one failure may be in these rows before the epic halts."],
    "epic.stalled_workers": [1, 100, 2, "How many workers may be silent before the epic halts."],
    "epic.stalled_hours": [
      1,
      1_000,
      4,
      "After how many hours a worker counts as silent, for the brake and for `stale-check`.",
    ],
    "epic.react_halts": [1, 16, 2, "How often the planner may halt on a failure before a person has to look twice."],
    "epic.attempts": [1, 100, 3, "Attempts at one item, fixes included, before you are asked."],
    "epic.rows": [8, 200, 16, "How many rows of the pattern memory are kept."],
    "epic.children": [1, 100, 7, "How many items a decomposition may have."],
    "epic.hours": [1, 100, 4, "Hours one item may take, by the planner's estimate."],
    "epic.files": [1, 1_000, 10, "Files one item may touch, by the planner's estimate."],
    "epic.loop_minutes": [
      1,
      10_000,
      30,
      "Minutes between two ticks of `epic loop`; a worker that ends causes a tick at once.",
    ],
  } as const).map(([key, [least, most, standard, help]]) => ({
    key,
    type: whole(least, most),
    default: standard,
    help,
    guarded: MORE_IS_NARROWER.has(key) ? moreIsNarrower : lessIsNarrower,
  })),
  {
    key: "workers.*.mode",
    type: z.enum(["session", "command"]),
    default: "session",
    help: "How a worker does an item: as an agent of the session with the CLI of that name, or as a command.",
    guarded: widens,
  },
  {
    key: "workers.*.command",
    type: texts.check(z.minLength(1)),
    example: ["my-worker", "{item}"],
    help: "For a command: argv, with {epic}, {item}, {title}, {key} and {branch} in it. Its task is on standard input; a line `pr: <url>` it prints is where the item is reviewed.",
    guarded: widens,
  },
  {
    key: "workers.*.capacity",
    type: whole(0, 100),
    default: 2,
    help: "How many items of an epic it may work on at a time; 0 for none.",
    guarded: ofKnownWorker(lessIsNarrower),
  },
  {
    key: "workers.*.capabilities",
    type: texts,
    default: [],
    example: ["code", "docs"],
    help: "What it can do; the planner is told.",
    guarded: ofKnownWorker(narrows),
  },
  {
    key: "roles.*.command",
    names: ROLES,
    type: texts.check(z.minLength(1)),
    example: ["my-planner", "--json"],
    help: "The program (argv) that answers as planner, verifier, critic or reviewer. It reads prompt and brief from standard input and prints a JSON answer.",
    guarded: widens,
  },
  {
    key: "roles.*.cli",
    names: ROLES,
    type: z.string().check(z.minLength(1)),
    example: "claude",
    help: "The coding CLI that answers as this role, headless, in one turn. It may read files; everything else is refused.",
    guarded: widens,
  },
  {
    key: "roles.*.timeout_seconds",
    names: ROLES,
    type: whole(1, 1_000),
    default: 600,
    help: "Seconds an answer may take.",
    guarded: lessIsNarrower,
  },
  {
    key: "notify.command",
    type: texts.check(z.minLength(1)),
    example: ["notify-send", "banksman"],
    help: "A program that is run when an epic needs you, with the text as its last argument.",
    guarded: widens,
  },
];
