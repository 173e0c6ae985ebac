import { existsSync } from "node:fs";
import { join } from "node:path";
import { KINDS, kindNamed } from "../core/clis/kinds.ts";
import type { CliSettings, SessionSettings } from "../core/session/settings.ts";
import { splitWords } from "../core/text/words.ts";
import { INSTALLERS, type Installer, type ObeyedFiles } from "../core/worktrees/set-up-files.ts";
import type { ConfigValues } from "./values.ts";

interface SettingsPlace {
  readonly root: string;
  /** The user's folder of skills. */
  readonly skills: string;
  readonly scriptedAgent: readonly string[];
  /** Keys that are not used because the repository is not trusted. */
  readonly ignored: readonly string[];
  /** Files of checkouts that set-up may obey; null where it may obey all. */
  readonly trustedFiles: readonly ObeyedFiles[] | null;
}

/** The configuration in the core's own words. */
export function toSettings(values: ConfigValues, place: SettingsPlace): SessionSettings {
  return {
    defaultCli: values.get("default_cli"),
    presets: new Map(values.namesIn("presets").map((name) => [name, toPreset(values, name)])),
    skills: place.skills,
    defaultSpecCli: values.get("default_spec_cli"),
    specs: { type: values.get("specs.type"), dir: values.get("specs.dir"), prefix: values.get("branch_prefix") },
    issuePrefix: values.get("issue_branch_prefix"),
    constitution: values.get("governance.constitution"),
    clis: toClis(values, place),
    placement: values.get("worktree.placement"),
    setUp: toSetUp(values, place),
    rebase: values.get("worktree.rebase"),
    portBase: values.get("worktree.port_base"),
    rate: { perSecond: values.get("broker.rate_per_second"), burst: values.get("broker.rate_burst") },
    republishSeconds: values.get("broker.watcher.republish_working_ttl_seconds"),
    retention: { messages: values.get("broker.keep_messages"), days: values.get("broker.keep_days") },
    look: { mouse: values.get("mouse"), borders: values.get("layout.border_affordances") },
    broker: values.get("broker.enabled"),
    conflict: {
      windowSeconds: values.get("supervisor.conflict.window_seconds"),
      warnOnIntentOverlap: values.get("supervisor.conflict.warn_on_intent_overlap"),
      escalateOnViolation: values.get("supervisor.conflict.escalate_on_violation"),
      settleByTrialMerge: values.get("supervisor.conflict.settle_by_trial_merge"),
    },
    supervisor: {
      enabled: values.get("supervisor.enabled"),
      cli: values.get("supervisor.cli"),
      nudge: values.get("supervisor.verify_on_commit_nudge"),
      may: values.get("supervisor.may"),
    },
    verify: values.get("verify.on_commit"),
    land: { mode: values.get("land.mode"), strategy: values.get("land.strategy"), target: values.get("land.target") },
    commands: {
      test: values.get("supervisor.test_command"),
      lint: values.get("supervisor.lint_command"),
      build: values.get("supervisor.build_command"),
      fmt_check: values.get("supervisor.fmt_check_command"),
      doc_build: values.get("supervisor.doc_build_command"),
      spec_validate: values.get("supervisor.spec_validate_command"),
      security_audit: values.get("supervisor.security_audit_command"),
    },
    learnings: values.get("supervisor.learnings.enabled"),
    ignored: place.ignored,
  };
}

export interface Documents {
  readonly adr: string | null;
  readonly test_strategy: string | null;
  readonly security: string | null;
  readonly dod: string | null;
  readonly readme: string | null;
  readonly docs: string;
}

export const toDocuments = (values: ConfigValues): Documents => ({
  adr: values.get("governance.adr"),
  test_strategy: values.get("governance.test_strategy"),
  security: values.get("governance.security"),
  dod: values.get("governance.dod"),
  readme: values.get("governance.readme"),
  docs: values.get("governance.docs"),
});

const toPreset = (values: ConfigValues, name: string) => ({
  branches: values.of("presets.*.branches", name) ?? [],
  cli: values.of("presets.*.cli", name),
});

function toClis(values: ConfigValues, { scriptedAgent }: SettingsPlace): Map<string, CliSettings> {
  const clis = new Map<string, CliSettings>([["scripted", scripted(scriptedAgent)]]);
  for (const { name, program } of KINDS) clis.set(name, toCli(values, name, [program]));
  for (const name of values.namesIn("clis")) {
    const command = values.of("clis.*.command", name);
    if (command !== null)
      clis.set(name, toCli(values, name, typeof command === "string" ? splitWords(command) : command));
  }
  return clis;
}

/** A known CLI stays what it is when only some of its settings, or its command, are the user's. */
function toCli(values: ConfigValues, name: string, argv: readonly string[]): CliSettings {
  const known = kindNamed(name) !== null && !values.has("clis.*.protocol", name);
  return {
    name,
    source: values.has("clis.*.command", name) ? "custom" : "built-in",
    argv,
    protocol: known ? name : values.of("clis.*.protocol", name),
    env: values.of("clis.*.env", name),
    resumeArgs: values.of("clis.*.resume_args", name),
    approval: values.get("supervisor.agent_approval"),
    channel: values.of("clis.*.channel", name),
    limits: {
      idleSeconds: values.of("clis.*.idle_timeout_seconds", name),
      workSeconds: values.get("budget.minutes_per_run") * 60,
      tokens: values.get("budget.tokens_per_run"),
      cost: values.get("budget.cost_per_run"),
    },
  };
}

/** Ours, to try things out: it follows a script, and is no model. */
const scripted = (argv: readonly string[]): CliSettings => ({
  name: "scripted",
  source: "built-in",
  argv,
  protocol: "events",
  env: ["BANKSMAN_SCRIPTS"],
  resumeArgs: ["--resume", "{session}"],
});

function toSetUp(values: ConfigValues, { root, trustedFiles }: SettingsPlace): SessionSettings["setUp"] {
  const symlink = values.get("worktree.symlink");
  const setup = values.get("worktree.setup");
  const installer = setup === "auto" && !symlink.includes("node_modules") ? installerIn(root) : null;
  return {
    copy: values.get("worktree.copy"),
    symlink,
    command: setup === "auto" ? (installer?.command ?? null) : setup === "" ? null : setup,
    // A command that is written down was read when it was trusted, or is the user's own.
    obeys: installer?.obeys ?? [],
    trusted: trustedFiles,
    timeoutSeconds: values.get("worktree.setup_timeout_seconds"),
  };
}

/** Where node_modules is linked from the main checkout there is nothing to install. */
const installerIn = (root: string): Installer | null =>
  INSTALLERS.find(({ lock }) => existsSync(join(root, lock))) ?? null;
