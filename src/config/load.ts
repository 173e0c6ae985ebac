import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Approval, ChannelName } from "../core/clis/kind.ts";
import { KINDS, kindNamed } from "../core/clis/kinds.ts";
import { Failed } from "../core/failure.ts";
import type { Placement } from "../core/naming.ts";
import type { CliSettings, SessionSettings } from "../core/settings.ts";
import type { SpecType } from "../core/specs/spec.ts";
import { splitWords } from "../core/words.ts";
import { type EpicSettings, toEpicSettings } from "./epic.ts";
import { type ConfigFile, readConfig } from "./read.ts";
import { rowFor, SCHEMA } from "./schema.ts";

export interface ConfigPlace {
  readonly root: string;
  /** Where the user's trust in this repository's config is kept. */
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
  /** The scripted agent that ships with us. */
  readonly scriptedAgent: readonly string[];
}

/** The configuration as it holds now, with where it came from. */
export interface Config {
  readonly settings: SessionSettings;
  readonly epic: EpicSettings;
  readonly port: number | null;
  /** Where the project's documents are, as far as it says so. */
  readonly documents: Documents;
  /** Whether a model may act through MCP. */
  readonly mcpActions: boolean;
  readonly files: { readonly global: string; readonly repository: string };
  /** Keys of the repository's that widen, and whether they are trusted. */
  readonly widening: ReadonlyMap<string, unknown>;
  readonly trusted: boolean;
  /** Keys that are set, and belong to parts that are not built yet. */
  readonly later: ReadonlyMap<string, string>;
}

export interface Documents {
  readonly adr: string | null;
  readonly test_strategy: string | null;
  readonly security: string | null;
  readonly dod: string | null;
  readonly readme: string | null;
  readonly docs: string;
}

/** Global, then the repository's over it, key by key. Throws `config.problems` with all problems of both files. */
export function loadConfig(place: ConfigPlace): Config {
  const files = configFiles(place);
  const global = readConfig(files.global);
  const repository = readConfig(files.repository);
  const problems = [...global.problems, ...repository.problems];
  if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
  const widening = wideningKeys(global, repository);
  const trusted = widening.size === 0 || readTrust(place.state) === trustHash(place.root, widening);
  const values = new Map(global.values);
  for (const [key, value] of repository.values) if (trusted || !widening.has(key)) values.set(key, value);
  return {
    settings: toSettings(values, place, trusted ? [] : [...widening.keys()]),
    epic: toEpicSettings(values, (key) => rowFor(key)?.default),
    port: setting(values, "broker.port") as number | null,
    documents: toDocuments(values),
    mcpActions: setting(values, "mcp.actions") as boolean,
    files,
    widening,
    trusted,
    later: new Map([...global.later, ...repository.later]),
  };
}

export function configFiles({ root, env }: Pick<ConfigPlace, "root" | "env">): Config["files"] {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || "/", ".config");
  return { global: join(home, "banksman", "config.toml"), repository: join(root, ".banksman", "config.toml") };
}

function wideningKeys(global: ConfigFile, repository: ConfigFile): Map<string, unknown> {
  const widening = new Map<string, unknown>();
  for (const [key, value] of repository.values) {
    const row = rowFor(key);
    const without = global.values.get(key) ?? row?.default;
    if (row?.guarded?.(value, without) === "widens" && JSON.stringify(value) !== JSON.stringify(without))
      widening.set(key, value);
  }
  return widening;
}

/** Stands for exactly these values in exactly this repository: another value, or another clone, asks again. */
export function trustHash(root: string, widening: ReadonlyMap<string, unknown>): string {
  const sorted = [...widening].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([root, sorted]))
    .digest("hex");
}

export const trustFile = (state: string): string => join(state, "trust.json");

function readTrust(state: string): string | null {
  try {
    const { hash } = JSON.parse(readFileSync(trustFile(state), "utf8")) as { hash?: unknown };
    return typeof hash === "string" ? hash : null;
  } catch {
    return null;
  }
}

type Values = ReadonlyMap<string, unknown>;

function setting(values: Values, key: string): unknown {
  return values.get(key) ?? SCHEMA.find((row) => row.key === key)?.default ?? null;
}

function toSettings(values: Values, place: ConfigPlace, ignored: readonly string[]): SessionSettings {
  const symlink = setting(values, "worktree.symlink") as string[];
  return {
    defaultCli: setting(values, "default_cli") as string | null,
    presets: toPresets(values),
    skills: join(dirname(configFiles(place).global), "skills"),
    defaultSpecCli: setting(values, "default_spec_cli") as string | null,
    specs: {
      type: setting(values, "specs.type") as SpecType | null,
      dir: setting(values, "specs.dir") as string | null,
      prefix: setting(values, "branch_prefix") as string,
    },
    issuePrefix: setting(values, "issue_branch_prefix") as string,
    constitution: setting(values, "governance.constitution") as string | null,
    clis: toClis(values, place),
    placement: setting(values, "worktree.placement") as Placement,
    setUp: {
      copy: setting(values, "worktree.copy") as string[],
      symlink,
      command: setUpCommand(setting(values, "worktree.setup") as string, place.root, symlink),
      timeoutSeconds: setting(values, "worktree.setup_timeout_seconds") as number,
    },
    portBase: setting(values, "worktree.port_base") as number | null,
    rate: {
      perSecond: setting(values, "broker.rate_per_second") as number,
      burst: setting(values, "broker.rate_burst") as number,
    },
    republishSeconds: setting(values, "broker.watcher.republish_working_ttl_seconds") as number,
    retention: {
      messages: setting(values, "broker.keep_messages") as number,
      days: setting(values, "broker.keep_days") as number,
    },
    look: {
      mouse: setting(values, "mouse") as boolean,
      borders: setting(values, "layout.border_affordances") as boolean,
    },
    broker: setting(values, "broker.enabled") as boolean,
    conflict: {
      windowSeconds: setting(values, "supervisor.conflict.window_seconds") as number,
      warnOnIntentOverlap: setting(values, "supervisor.conflict.warn_on_intent_overlap") as boolean,
      escalateOnViolation: setting(values, "supervisor.conflict.escalate_on_violation") as boolean,
      settleByTrialMerge: setting(values, "supervisor.conflict.settle_by_trial_merge") as boolean,
    },
    supervisor: {
      enabled: setting(values, "supervisor.enabled") as boolean | null,
      cli: setting(values, "supervisor.cli") as string | null,
      nudge: setting(values, "supervisor.verify_on_commit_nudge") as boolean,
    },
    learnings: setting(values, "supervisor.learnings.enabled") as boolean,
    ignored,
  };
}

function toDocuments(values: Values): Documents {
  const named = (name: string) => setting(values, `governance.${name}`) as string | null;
  return {
    adr: named("adr"),
    test_strategy: named("test_strategy"),
    security: named("security"),
    dod: named("dod"),
    readme: named("readme"),
    docs: named("docs") ?? "docs",
  };
}

function toPresets(values: Values): SessionSettings["presets"] {
  const names = new Set([...values.keys()].flatMap((key) => /^presets\.([^.]+)\./.exec(key)?.[1] ?? []));
  const preset = (name: string) => ({
    branches: (values.get(`presets.${name}.branches`) ?? []) as string[],
    cli: (values.get(`presets.${name}.cli`) ?? null) as string | null,
  });
  return new Map([...names].map((name) => [name, preset(name)]));
}

function toClis(values: Values, { scriptedAgent }: ConfigPlace): Map<string, CliSettings> {
  const clis = new Map<string, CliSettings>([["scripted", scripted(scriptedAgent)]]);
  for (const { name, program } of KINDS) clis.set(name, toCli(values, name, [program]));
  for (const [key, command] of values) {
    const name = /^clis\.([^.]+)\.command$/.exec(key)?.[1];
    if (name === undefined) continue;
    const argv = typeof command === "string" ? splitWords(command) : (command as string[]);
    clis.set(name, toCli(values, name, argv));
  }
  return clis;
}

/** A known CLI stays what it is when only some of its settings, or its command, are the user's. */
function toCli(values: Values, name: string, argv: readonly string[]): CliSettings {
  const own = (field: string) => values.get(`clis.${name}.${field}`) ?? rowFor(`clis.${name}.${field}`)?.default;
  const known = kindNamed(name) === null ? null : name;
  return {
    name,
    source: values.has(`clis.${name}.command`) ? "custom" : "built-in",
    argv,
    protocol: (values.get(`clis.${name}.protocol`) ?? known ?? own("protocol")) as string,
    env: own("env") as string[],
    resumeArgs: own("resume_args") as string[],
    approval: setting(values, "supervisor.agent_approval") as Approval,
    channel: (own("channel") ?? null) as ChannelName | null,
    limits: {
      idleSeconds: own("idle_timeout_seconds") as number,
      workSeconds: (setting(values, "budget.minutes_per_run") as number) * 60,
      tokens: setting(values, "budget.tokens_per_run") as number | null,
      cost: setting(values, "budget.cost_per_run") as number | null,
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

/** Without the packages' own scripts: nobody has read them. Whoever needs them writes the command down, and trusts it. */
const LOCK_FILES = [
  ["package-lock.json", "npm ci --ignore-scripts"],
  ["npm-shrinkwrap.json", "npm ci --ignore-scripts"],
  ["pnpm-lock.yaml", "pnpm install --frozen-lockfile --ignore-scripts"],
  ["yarn.lock", "YARN_ENABLE_SCRIPTS=0 YARN_IGNORE_SCRIPTS=true yarn install --frozen-lockfile"],
] as const;

/** `auto` follows the lock file; where node_modules is linked from the main checkout there is nothing to install. */
function setUpCommand(setup: string, root: string, symlink: readonly string[]): string | null {
  if (setup === "") return null;
  if (setup !== "auto") return setup;
  if (symlink.includes("node_modules")) return null;
  return LOCK_FILES.find(([file]) => existsSync(join(root, file)))?.[1] ?? null;
}
