import * as z from "zod/mini";
import type { Gate } from "../../core/gates/gates.ts";
import { fewerIsNarrower, lessIsNarrower, onIsNarrower, type Row, text, texts, whole, widens } from "./row.ts";

const command = z.string();
const gate = z.enum(["fmt_check", "lint", "build", "test", "spec_validate", "doc_build", "security_audit"]);

/** A gate that a branch does not need which changes only such files. */
const skippedFor = <Name extends Gate>(name: Name) =>
  ({
    key: `verify.paths.${name}` as const,
    type: texts,
    example: ["docs/**", "*.md"],
    help: `A branch that changes only files like these, as globs, does not need ${name}_command. It is shown as skipped.`,
    guarded: widens,
  }) as const;

/** How work is verified. Gates are taken from the config of the commit that the work is to land on. */
export const VERIFY_ROWS = [
  {
    key: "supervisor.test_command",
    type: command,
    example: "npm test",
    help: "The command that runs the tests. Run by `sh -c` in a checkout of its own; exit code 0 is a pass.",
    guarded: widens,
  },
  {
    key: "supervisor.lint_command",
    type: command,
    example: "npm run lint",
    help: "The command that runs the linter.",
    guarded: widens,
  },
  {
    key: "supervisor.build_command",
    type: command,
    example: "npm run build",
    help: "The command that builds the project.",
    guarded: widens,
  },
  {
    key: "supervisor.fmt_check_command",
    type: command,
    example: "npm run format:check",
    help: "The command that checks the formatting, without changing files.",
    guarded: widens,
  },
  {
    key: "supervisor.spec_validate_command",
    type: command,
    example: "npx openspec validate --all",
    help: "The command that validates the specs.",
    guarded: widens,
  },
  {
    key: "supervisor.doc_build_command",
    type: command,
    example: "mdbook build",
    help: "The command that builds the documentation.",
    guarded: widens,
  },
  {
    key: "supervisor.security_audit_command",
    type: command,
    example: "npm audit --audit-level=high",
    help: "The command that audits the security of the project.",
    guarded: widens,
  },
  {
    key: "supervisor.gates",
    type: z.enum(["none"]),
    example: "none",
    help: "Set to none to land work without any gate. Without it, a project without gate commands cannot land.",
    guarded: widens,
  },
  {
    key: "supervisor.gate_inputs",
    type: texts,
    example: ["package.json", "scripts/**"],
    help: "Files that decide what the gates run, as globs. A branch that changes one of them waits for a person. Default: package.json scripts, Makefiles, test and linter config, CI files.",
    guarded: widens,
  },
  {
    key: "verify.on_commit",
    type: z.boolean(),
    default: true,
    help: "Whether each commit of an agent is verified at once. The newest commit wins.",
    guarded: "harmless",
  },
  {
    key: "verify.jobs",
    type: whole(1, 64),
    example: 2,
    help: "How many checkouts run gates at the same time. Default: a quarter of the cores, from 1 to 8.",
    guarded: lessIsNarrower,
  },
  {
    key: "verify.timeout_seconds",
    type: whole(1, 86_400),
    default: 1_800,
    help: "Seconds after which a gate is ended, and counts as failed.",
    guarded: lessIsNarrower,
  },
  {
    key: "verify.retry",
    type: whole(0, 3),
    default: 1,
    help: "How often a gate that would send a branch back is run again first. If it passes then, the branch lands and the gate is recorded as flaky.",
    guarded: lessIsNarrower,
  },
  {
    key: "verify.env",
    type: texts,
    default: [] as readonly string[],
    example: ["DATABASE_URL"],
    help: "Names of environment variables that gates get besides the usual ones.",
    guarded: fewerIsNarrower,
  },
  {
    key: "verify.exclusive",
    type: z.array(gate),
    default: [] as readonly string[],
    example: ["test"],
    help: "Gates that run while no other gate runs: for tests that need a fixed port or a shared database.",
    guarded: "harmless",
  },
  skippedFor("fmt_check"),
  skippedFor("lint"),
  skippedFor("build"),
  skippedFor("test"),
  skippedFor("spec_validate"),
  skippedFor("doc_build"),
  skippedFor("security_audit"),
  {
    key: "supervisor.governance.docs",
    type: texts,
    default: [] as readonly string[],
    example: ["docs/definition-of-done.md", "docs/adr"],
    help: "Documents, files or folders, that every branch is held against, as the commit has them that it lands on: definition of done, decision records, security, test strategy, constitution, or any checklist.",
    guarded: widens,
  },
  {
    key: "supervisor.require_review",
    type: z.boolean(),
    default: false,
    help: "Whether a branch waits for you where no reviewer ([roles.reviewer]) has reviewed it.",
    guarded: onIsNarrower,
  },
  {
    key: "verify.combinations",
    type: z.boolean(),
    default: true,
    help: "Whether idle gate slots test the present work of two agents together, uncommitted changes included.",
    guarded: onIsNarrower,
  },
] as const satisfies readonly Row[];

/** How verified work lands. */
export const LAND_ROWS = [
  {
    key: "land.mode",
    type: z.enum(["manual", "auto", "pr"]),
    default: "manual",
    help: "manual: you are asked once all agents are verified. auto: each branch lands when it is verified. pr: a pull request for each branch (comes with the pipeline).",
    guarded: (value: unknown) => (value === "manual" ? "narrows" : "widens"),
  },
  {
    key: "land.strategy",
    type: z.enum(["train", "ff-only"]),
    default: "train",
    help: "train: branches are rebased onto each other in memory, tested together and landed in batches. ff-only: only a branch that contains the target is taken.",
    guarded: "harmless",
  },
  {
    key: "land.target",
    type: text,
    example: "main",
    help: "The branch that work lands on. Default: the branch the session was started from, or the one you have checked out.",
    guarded: widens,
  },
  {
    key: "land.batch",
    type: whole(1, 64),
    default: 16,
    help: "How many branches share one test run at most. 1 tests and lands them one by one.",
    guarded: "harmless",
  },
  {
    key: "land.push",
    type: z.boolean(),
    default: false,
    help: "Whether a landing is pushed to the target's upstream, without force. The push decides: if it is refused, nothing lands.",
    guarded: widens,
  },
  {
    key: "land.regenerate",
    type: z.record(text, text),
    default: {} as Readonly<Record<string, string>>,
    example: { "package-lock.json": "npm install --package-lock-only --ignore-scripts" },
    help: "Files, as globs, that a command can make again. Where only such files conflict, the target's copy is taken, the command is run in a slot, and what it wrote lands with the branch, tested like everything else.",
    guarded: widens,
  },
] as const satisfies readonly Row[];
