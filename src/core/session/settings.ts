import type { Commands } from "../agents/skills.ts";
import type { Cli } from "../clis/cli.ts";
import type { ConflictSettings } from "../conflicts/detect.ts";
import type { Failure } from "../failure/failure.ts";
import type { RateLimit } from "../messages/rate.ts";
import type { Retention } from "../record/retention.ts";
import type { SpecType } from "../specs/spec.ts";
import type { Placement } from "../text/naming.ts";
import { nearest } from "../text/nearest.ts";
import type { SetUp } from "../worktrees/set-up.ts";
import type { SessionLand } from "./session.ts";

/** What a session takes from the configuration, in the core's own words. */
export interface SessionSettings {
  readonly defaultCli: string | null;
  /** Sets of branches with a name. */
  readonly presets: ReadonlyMap<string, { readonly branches: readonly string[]; readonly cli: string | null }>;
  /** The user's folder of skills. */
  readonly skills: string;
  readonly defaultSpecCli: string | null;
  readonly specs: { readonly type: SpecType | null; readonly dir: string | null; readonly prefix: string };
  /** What the branches of issues begin with. */
  readonly issuePrefix: string;
  /** The document with the project's principles; null is wherever Spec Kit has it, empty is none. */
  readonly constitution: string | null;
  readonly clis: ReadonlyMap<string, CliSettings>;
  readonly placement: Placement;
  readonly setUp: Omit<SetUp, "rebase">;
  /** Whether existing branches are put onto the present one before an agent starts there. */
  readonly rebase: boolean;
  readonly portBase: number | null;
  readonly rate: RateLimit;
  /** How long after a commit a mere word of working is believed. */
  readonly republishSeconds: number;
  readonly retention: Retention;
  /** How panes look. */
  readonly look: { readonly mouse: boolean; readonly borders: boolean };
  /** Without a broker there is no dashboard. */
  readonly broker: boolean;
  /** Whether new sessions have one in pane 0 (null where nothing was said), and the model that is one; else the console. */
  readonly conflict: ConflictSettings;
  readonly supervisor: {
    readonly enabled: boolean | null;
    readonly cli: string | null;
    readonly nudge: boolean /** What it may do besides. */;
    readonly may: readonly string[];
  };
  /** Whether each commit is verified at once, and how verified work lands. */
  readonly verify: boolean;
  readonly land: SessionLand;
  /** The commands that check the project, by gate; null where none is configured. */
  readonly commands: Commands;
  /** Whether what a session shows about itself is written down. */
  readonly learnings: boolean;
  /** Keys of the repository's config that are not used because it is not trusted. */
  readonly ignored: readonly string[];
}

export interface CliSettings extends Cli {
  readonly source: "built-in" | "custom";
}

/** CLIs people will ask for by name, and that nobody has described yet. */
const UNDESCRIBED: ReadonlySet<string> = new Set(["aider", "amp", "cline", "kilo"]);

/** The CLI that was named, or the default; a custom one wins over a built-in one of the same name. */
export function resolveCli(settings: SessionSettings, asked: string | null): Cli | Failure {
  const name = asked ?? settings.defaultCli;
  if (name === null)
    return settings.ignored.includes("default_cli")
      ? { kind: "cli.untrusted", cli: "default_cli" }
      : { kind: "cli.none" };
  const found = settings.clis.get(name);
  if (found !== undefined) return withoutSource(found);
  if (settings.ignored.some((key) => key.startsWith(`clis.${name}.`))) return { kind: "cli.untrusted", cli: name };
  if (UNDESCRIBED.has(name)) return { kind: "cli.unsupported", cli: name };
  return unknownCli(settings, name);
}

const unknownCli = ({ clis }: SessionSettings, cli: string): Failure => {
  const known = [...clis.keys()];
  return { kind: "cli.unknown", cli, known, near: nearest(cli, known) };
};

/** Every name that means a CLI, also of those that cannot be run as things are: not described, or not trusted. */
export const cliNames = ({ clis, ignored }: Pick<SessionSettings, "clis" | "ignored">): readonly string[] => [
  ...clis.keys(),
  ...UNDESCRIBED,
  ...ignored.flatMap((key) => /^clis\.([^.]+)\./.exec(key)?.[1] ?? []),
];

const withoutSource = ({ source: _, ...cli }: CliSettings): Cli => cli;
