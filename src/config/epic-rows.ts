import * as z from "zod/mini";
import type { Row } from "./schema.ts";

const texts = z.array(z.string().check(z.minLength(1)));
const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const widens = () => "widens" as const;

/** The settings of epics: their brake and limits, who answers and who works. */
export const EPIC_ROWS: readonly Row[] = [
  ...Object.entries({
    "epic.window": [2, 16, 8, "How many rows of an epic's pattern memory the brake looks at."],
    "epic.recurring": [2, 16, 3, "How often one failure may stand in them before the epic is halted."],
    "epic.stalled_workers": [1, 100, 2, "How many workers may be silent before the epic is halted."],
    "epic.stalled_hours": [
      1,
      1_000,
      4,
      "After how many hours a worker counts as silent, for the brake and for `stale-check`.",
    ],
    "epic.react_halts": [1, 16, 2, "How often the planner may halt on a failure before a person has to look twice."],
    "epic.attempts": [1, 100, 3, "Tries at one work item, fixes included, before a person is asked."],
    "epic.rows": [8, 200, 16, "Rows of the pattern memory that are kept."],
    "epic.children": [1, 100, 7, "Items a decomposition may have."],
    "epic.hours": [1, 100, 4, "Hours one of them may take, as the planner estimates it."],
    "epic.files": [1, 1_000, 10, "Files one of them may touch, as the planner estimates it."],
    "epic.loop_minutes": [1, 10_000, 30, "Minutes between two ticks of `epic loop`; a worker's end makes it sooner."],
  } as const).map(([key, [least, most, standard, help]]) => ({
    key,
    type: whole(least, most),
    default: standard,
    help,
  })),
  {
    key: "workers.*.mode",
    type: z.enum(["session", "command"]),
    default: "session",
    help: "How a worker does an item: as an agent of the session with the CLI of that name, or as a command.",
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
    help: "How many items of an epic it has at a time; 0 is none.",
  },
  {
    key: "workers.*.capabilities",
    type: texts,
    default: [],
    example: ["code", "docs"],
    help: "What it can do, for the planner to read.",
  },
  {
    key: "roles.*.command",
    type: texts.check(z.minLength(1)),
    example: ["my-planner", "--json"],
    help: "Who answers for planner, verifier or critic: argv. Prompt and brief are on standard input, the JSON answer on standard output.",
    guarded: widens,
  },
  {
    key: "roles.*.cli",
    type: z.string().check(z.minLength(1)),
    example: "claude",
    help: "The same by a coding CLI, headless, in one turn. It may read; whatever it asks to do is refused.",
    guarded: widens,
  },
  {
    key: "roles.*.timeout_seconds",
    type: whole(1, 1_000),
    default: 600,
    help: "How long an answer may take.",
  },
  {
    key: "notify.command",
    type: texts.check(z.minLength(1)),
    example: ["notify-send", "banksman"],
    help: "Run once for what an epic needs you for, with the text as its last argument.",
    guarded: widens,
  },
];
