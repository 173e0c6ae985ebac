import * as z from "zod/mini";
import { KINDS } from "../core/clis/kinds.ts";
import { EPIC_ROWS } from "./epic-rows.ts";

/**
 * Every setting there is: key, type, default, help. Validation, JSON Schema, the reference page and `init`'s commented
 * file all come from this table; there is no second place to keep true. `*` stands for a name the user chooses.
 */
export interface Row {
  readonly key: string;
  readonly type: z.ZodMiniType;
  /** Shown, and used where nothing is set; undefined where there is no default. */
  readonly default?: unknown;
  readonly help: string;
  /** What a value in `init`'s file looks like, where the default does not show it. */
  readonly example?: unknown;
  /**
   * Set for keys that could run commands, hand out files or loosen limits: a repository's value counts only once its
   * user trusts it, unless it narrows what holds without it.
   */
  readonly guarded?: (value: unknown, without: unknown) => "widens" | "narrows";
}

const text = z.string().check(z.minLength(1));
const texts = z.array(text);
const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));
const widens = () => "widens" as const;
/** No limit is the widest. */
const lessIsNarrower = (value: unknown, without: unknown) =>
  without === undefined || Number(value) <= Number(without) ? "narrows" : "widens";
const fewerIsNarrower = (value: unknown, without: unknown) => {
  const allowed = new Set(Array.isArray(without) ? without : []);
  return Array.isArray(value) && value.every((each) => allowed.has(each)) ? "narrows" : "widens";
};

/** From asking most to asking least. */
const LEVELS = ["manual", "auto", "full-auto"];

export const SCHEMA: readonly Row[] = [
  {
    key: "default_cli",
    type: text,
    example: "scripted",
    help: "The CLI of agents for which none is named with --cli.",
  },
  {
    key: "clis.*.command",
    type: z.union([text, texts.check(z.minLength(1))]),
    example: ["my-agent", "--headless"],
    help: "The program and its arguments, as a list or as one text split at spaces. Not run by a shell.",
    guarded: widens,
  },
  { key: "clis.*.display_name", type: text, example: "My agent", help: "The name shown to people." },
  {
    key: "clis.*.protocol",
    type: z.enum(["plain", "events", ...KINDS.map(({ name }) => name)]),
    default: "plain",
    help: "plain: gets its brief on standard input and ends by itself. events: speaks JSON lines (docs/guides/agents.md). The name of a CLI that is known: is run as that one. A CLI that has such a name is one without saying so.",
  },
  {
    key: "clis.*.channel",
    type: z.enum(["acp", "control", "rpc", "json"]),
    example: "json",
    help: "How a known CLI is run headless, instead of the best way it has.",
  },
  {
    key: "clis.*.idle_timeout_seconds",
    type: whole(1, 86_400),
    default: 600,
    help: "How long it may be silent while no tool of its runs and nobody is asked; then it is ended.",
  },
  {
    key: "clis.*.env",
    type: texts,
    default: [],
    example: ["MY_API_KEY"],
    help: "Variables of your environment that this CLI gets besides the common ones.",
    guarded: widens,
  },
  {
    key: "clis.*.resume_args",
    type: texts,
    default: [],
    example: ["--resume", "{session}"],
    help: "Added when an agent is brought back; {session} is the CLI's own conversation id.",
    guarded: widens,
  },
  {
    key: "supervisor.agent_approval",
    type: z.enum(["manual", "auto", "full-auto"]),
    default: "manual",
    help: "What known CLIs do without asking. manual: nothing that changes something. auto: edits of files. full-auto: everything.",
    guarded: (value, without) =>
      LEVELS.indexOf(String(value)) <= LEVELS.indexOf(String(without)) ? "narrows" : "widens",
  },
  {
    key: "budget.tokens_per_run",
    type: whole(1, 1_000_000_000),
    example: 2_000_000,
    help: "Tokens, cached ones included, after which an agent is stopped.",
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
    help: "Minutes at work, waiting for a person not counted, after which a headless agent is stopped.",
    guarded: lessIsNarrower,
  },
  {
    key: "default_spec_cli",
    type: text,
    example: "scripted",
    help: "The CLI of agents that work on a spec which names none.",
  },
  {
    key: "branch_prefix",
    type: text,
    default: "spec/",
    help: "What the branches of specs begin with, where their format does not say.",
  },
  {
    key: "issue_branch_prefix",
    type: text,
    default: "issue/",
    help: "What the branches of issues begin with (`start --issues`); their number follows.",
  },
  {
    key: "specs.type",
    type: z.enum(["openspec", "markdown", "speckit", "superpowers"]),
    example: "openspec",
    help: "The kind of specs; without it the only kind on disk.",
  },
  { key: "specs.dir", type: text, example: "specs", help: "Where they are, if not where their kind usually is." },
  {
    key: "governance.constitution",
    type: z.string(),
    example: "docs/principles.md",
    help: "The document with the project's principles, which every agent gets with its brief. Unset, it is Spec Kit's (.specify/memory/constitution.md), if there is one. Empty: none.",
  },
  {
    key: "governance.adr",
    type: text,
    example: "docs/decisions",
    help: "The folder with the records of architectural decisions, which `banksman mcp` reads.",
  },
  {
    key: "governance.test_strategy",
    type: text,
    example: "docs/testing.md",
    help: "The document on how it is tested.",
  },
  { key: "governance.security", type: text, example: "SECURITY.md", help: "The document with the security checklist." },
  {
    key: "governance.dod",
    type: text,
    example: "docs/done.md",
    help: "The document that says when something is done.",
  },
  { key: "governance.readme", type: text, example: "README.md", help: "The project's readme, if it is not README.md." },
  { key: "governance.docs", type: text, default: "docs", help: "The folder with the project's documents." },
  {
    key: "mcp.actions",
    type: z.boolean(),
    default: false,
    help: "Whether `banksman mcp` also has tools that act: tell, answer what agents ask, retract, pause, resume. Without it, it only reads.",
    guarded: (value) => (value === true ? "widens" : "narrows"),
  },
  {
    key: "presets.*.branches",
    type: texts,
    example: ["feat/a", "feat/b"],
    help: "The branches that `start --preset <name>` stands for.",
  },
  { key: "presets.*.cli", type: text, example: "scripted", help: "The CLI that goes with them." },
  {
    key: "worktree.placement",
    type: z.enum(["child", "sibling"]),
    default: "child",
    help: "child: .banksman/worktrees/<agent>. sibling: ../<project>-<agent>.",
  },
  {
    key: "worktree.copy",
    type: texts,
    default: [],
    example: [".env"],
    help: "Files or folders of the main checkout that every new worktree gets a copy of. Kept out of git.",
    guarded: fewerIsNarrower,
  },
  {
    key: "worktree.symlink",
    type: texts,
    default: [],
    example: ["node_modules"],
    help: "The same, as links to the main checkout's.",
    guarded: fewerIsNarrower,
  },
  {
    key: "worktree.setup",
    type: z.string(),
    default: "auto",
    example: "npm ci",
    help: "A shell command run once in every new worktree. auto: the lock file's own (npm ci, pnpm, yarn), without the packages' scripts. Empty: none.",
    guarded: (value) => (value === "" ? "narrows" : "widens"),
  },
  {
    key: "worktree.setup_timeout_seconds",
    type: whole(1, 86_400),
    default: 900,
    help: "How long set-up may take; it is tried twice, then the agent starts with a warning.",
  },
  {
    key: "worktree.port_base",
    type: whole(1_024, 65_000),
    example: 4000,
    help: "The first agent gets this PORT, the next ones the numbers after it.",
  },
  {
    key: "mouse",
    type: z.boolean(),
    default: true,
    help: "Whether the mouse works in the tmux session.",
  },
  {
    key: "layout.border_affordances",
    type: z.boolean(),
    default: true,
    help: "Whether each pane's border says which agent is in it.",
  },
  {
    key: "supervisor.enabled",
    type: z.boolean(),
    example: true,
    help: "Whether new sessions in tmux have a supervisor in pane 0. --supervisor and --no-supervisor win; unset, you are asked on a terminal, and elsewhere there is none.",
  },
  {
    key: "supervisor.conflict.window_seconds",
    type: whole(1, 86_400),
    default: 120,
    help: "How long two agents may be at one file before a person is asked, in a session with a supervisor.",
  },
  {
    key: "supervisor.conflict.warn_on_intent_overlap",
    type: z.boolean(),
    default: true,
    help: "Whether agents hear that they plan to modify the same files.",
  },
  {
    key: "supervisor.conflict.escalate_on_violation",
    type: z.boolean(),
    default: true,
    help: "Whether a person is asked when an agent edits what belongs to another.",
  },
  {
    key: "supervisor.conflict.settle_by_trial_merge",
    type: z.boolean(),
    default: true,
    help: "Whether two agents at one file are left alone as long as their work, uncommitted changes included, merges without a conflict.",
  },
  {
    key: "supervisor.verify_on_commit_nudge",
    type: z.boolean(),
    default: true,
    help: "Whether each commit of an agent puts a supervisor.verify-now into the supervisor's inbox.",
  },
  {
    key: "supervisor.learnings.enabled",
    type: z.boolean(),
    default: false,
    help: "Whether .banksman/learnings.md says what sessions show: conflicts, where agents got stuck, how often they were sent back. Nothing leaves the machine.",
  },
  {
    key: "supervisor.cli",
    type: text,
    example: "scripted",
    help: "The CLI that is the supervisor in pane 0: a model that sees everything, may direct agents and answer their questions. Unset, it is banksman's own console, which costs nothing.",
    guarded: widens,
  },
  {
    key: "broker.enabled",
    type: z.boolean(),
    default: true,
    help: "Whether a tmux session has a dashboard pane.",
  },
  {
    key: "broker.port",
    type: whole(1_024, 65_535),
    help: "The port of the supervisor on 127.0.0.1. Without it a free one is picked once and kept.",
    example: 9119,
  },
  {
    key: "broker.watcher.republish_working_ttl_seconds",
    type: whole(0, 86_400),
    default: 60,
    help: "How long after its commit an agent's word that it is working is believed; later it stays committed until files change, or it says more. 0: at once.",
  },
  {
    key: "broker.rate_per_second",
    type: whole(1, 100_000),
    default: 20,
    help: "Messages per second each agent may publish in the long run.",
    guarded: lessIsNarrower,
  },
  {
    key: "broker.rate_burst",
    type: whole(1, 1_000_000),
    default: 100,
    help: "Messages an agent may publish at once.",
    guarded: lessIsNarrower,
  },
  {
    key: "broker.keep_messages",
    type: whole(1_000, 1_000_000_000),
    default: 1_000_000,
    help: "How many of the newest messages the log keeps. What an agent of the session has still to read is kept in any case.",
    guarded: widens,
  },
  {
    key: "broker.keep_days",
    type: whole(1, 36_500),
    default: 90,
    help: "How many days a message is kept. What an agent of the session has still to read is kept in any case.",
    guarded: widens,
  },
  ...EPIC_ROWS,
];

/**
 * Sections of parts that are not built yet. They are taken without complaint, so that one config serves several
 * versions, and said aloud, so that nobody believes they work.
 */
export const LATER: readonly { readonly prefix: string; readonly part: string }[] = [
  ...["logging"].map((prefix) => ({
    prefix,
    part: "sessions in tmux",
  })),
  ...["clis.*.approval_args", "clis.*.submit_delay_ms", "clis.*.settings_path"].map((prefix) => ({
    prefix,
    part: "sessions in tmux",
  })),
  { prefix: "supervisor", part: "the supervisor's gates, approvals and conflicts" },
  { prefix: "governance", part: "verifying" },
  { prefix: "verify", part: "verifying" },
  { prefix: "land", part: "landing" },
  { prefix: "sandbox", part: "the sandbox" },
  { prefix: "budget", part: "budgets" },
  { prefix: "pipeline", part: "the pipeline" },
  { prefix: "store", part: "PostgreSQL" },
];

/** The table's row for a concrete key (`clis.x.command`), or null. */
export function rowFor(key: string): Row | null {
  return SCHEMA.find((row) => matches(row.key, key)) ?? null;
}

/** Whether `pattern` (with `*` for one name) is `key` or a section above it. */
export function laterPart(key: string): string | null {
  return (
    LATER.find(({ prefix }) => matches(prefix, key.split(".").slice(0, prefix.split(".").length).join(".")))?.part ??
    null
  );
}

function matches(pattern: string, key: string): boolean {
  const [a, b] = [pattern.split("."), key.split(".")];
  return a.length === b.length && a.every((part, i) => part === "*" || part === b[i]);
}

/** What a row takes, in words: for problems and for the reference page. */
export function expectation(row: Row): string {
  return inWords(z.toJSONSchema(row.type) as TypeSchema);
}

interface TypeSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly TypeSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function inWords({ type, enum: values, anyOf, minimum, maximum }: TypeSchema): string {
  if (anyOf !== undefined) return anyOf.map(inWords).join(" or ");
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "number") return "a number above 0";
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  return type === "array" ? "a list of texts" : "a text";
}
