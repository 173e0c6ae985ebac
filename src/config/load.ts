import { dirname, join } from "node:path";
import { Failed } from "../core/failure/failed.ts";
import type { ConfigProblem } from "../core/failure/failure.ts";
import type { GateSettings } from "../core/gates/gate-settings.ts";
import type { LandSettings } from "../core/landing/land-settings.ts";
import type { PolicySettings } from "../core/policy/settings.ts";
import type { SessionSettings } from "../core/session/settings.ts";
import { type EpicSettings, toEpicSettings } from "./epic.ts";
import { type ConfigFile, lineOf, type ReadInside, type ReadOwn, readConfig } from "./read.ts";
import { rowFor } from "./schema.ts";
import { isGateKey, toGates, toLand } from "./to-gates.ts";
import { toPolicy } from "./to-policy.ts";
import { type Documents, toDocuments, toSettings } from "./to-settings.ts";
import { isOwn, readTrust, type Trust, trustHash } from "./trust.ts";
import { ConfigValues } from "./values.ts";

export interface ConfigPlace {
  readonly root: string;
  /** Where the user's trust in this repository's config is kept. */
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
  /** The scripted agent that ships with us. */
  readonly scriptedAgent: readonly string[];
  readonly readInside: ReadInside;
  readonly readOwn: ReadOwn;
}

/** The configuration as it holds now, with where it came from. */
export interface Config {
  readonly settings: SessionSettings;
  readonly epic: EpicSettings;
  readonly land: LandSettings;
  readonly policy: PolicySettings;
  readonly port: number | null;
  /** Where the project's documents are, as far as it says so. */
  readonly documents: Documents;
  /** Whether a model may act through MCP. */
  readonly mcpActions: boolean;
  readonly files: { readonly global: string; readonly repository: string };
  /** Keys of the repository's that widen, and whether they are trusted. */
  readonly widening: ReadonlyMap<string, unknown>;
  readonly trusted: boolean;
  /** What was trusted when the user last looked. */
  readonly trust: Trust;
  /** Keys that are set, and belong to parts that are not built yet. */
  readonly later: ReadonlyMap<string, string>;
}

/** Global, then the repository's over it, key by key. Throws `config.problems` with all problems of both files. */
export function loadConfig(place: ConfigPlace): Config {
  const files = configFiles(place);
  const global = readConfig(files.global, place.readOwn(files.global));
  const source = place.readInside(place.root, REPOSITORY_CONFIG);
  const repository = readConfig(files.repository, source);
  const problems = [...global.problems, ...repository.problems, ...notTheirs(repository, source ?? "")];
  if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
  const widening = wideningKeys(global, repository);
  const trust = readTrust(place.state, place.root, place.readOwn);
  const trusted = widening.size === 0 || trust.hash === trustHash(place.root, widening);
  const values = new Map(global.values);
  for (const [key, value] of repository.values) if (trusted || !widening.has(key)) values.set(key, value);
  const known = new ConfigValues(values);
  return {
    settings: toSettings(known, {
      ...place,
      skills: join(dirname(files.global), "skills"),
      ignored: trusted ? [] : [...widening.keys()],
      trustedFiles: isOwn(place.root, known.get("trust.repositories"), place.env.HOME) ? null : trust.files,
    }),
    epic: toEpicSettings(values, (key) => rowFor(key)?.default),
    land: toLand(known),
    policy: toPolicy(known),
    port: known.get("broker.port"),
    documents: toDocuments(known),
    mcpActions: known.get("mcp.actions"),
    files,
    widening,
    trusted,
    trust,
    later: new Map([...global.later, ...repository.later]),
  };
}

/**
 * What gates run, as the config of one commit says, over the user's own. Keys that run something count only with the very
 * values that their user has trusted. `source` is that commit's file; where it has none, the checkout's is used, and said.
 */
export function loadGates(
  place: ConfigPlace,
  base: { readonly source: string | null; readonly from: string },
): GateSettings {
  const files = configFiles(place);
  const global = readConfig(files.global, place.readOwn(files.global));
  const source = base.source ?? place.readInside(place.root, REPOSITORY_CONFIG);
  const from = base.source === null ? `${REPOSITORY_CONFIG} of your checkout` : `${REPOSITORY_CONFIG} of ${base.from}`;
  const repository = readConfig(from, source);
  const problems = [...global.problems, ...repository.problems];
  if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
  const { keys } = readTrust(place.state, place.root, place.readOwn);
  const isTrusted = (key: string, value: unknown) =>
    Object.hasOwn(keys, key) && JSON.stringify(keys[key]) === JSON.stringify(value);
  const untrusted = [...wideningKeys(global, repository)].filter(([key, value]) => !isTrusted(key, value));
  const refused = new Map(untrusted);
  const values = new Map(global.values);
  for (const [key, value] of repository.values) if (!refused.has(key)) values.set(key, value);
  const { settings } = loadConfig(place);
  return toGates(new ConfigValues(values), settings.setUp.command, {
    untrusted: [...refused.keys()].filter(isGateKey),
    from,
    notes:
      base.source === null && source !== null
        ? [`${base.from} has no ${REPOSITORY_CONFIG}: the gates are those of your checkout`]
        : [],
  });
}

export const REPOSITORY_CONFIG = ".banksman/config.toml";

/** Keys by which a user speaks of repositories: none may speak of itself. */
const notTheirs = ({ path, values }: ConfigFile, source: string): ConfigProblem[] =>
  [...values.keys()]
    .filter((key) => rowFor(key)?.guarded === "users")
    .map((key) => ({ file: path, line: lineOf(source, key), key, message: `${key} counts in your own config only` }));

export function configFiles({ root, env }: Pick<ConfigPlace, "root" | "env">): Config["files"] {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || "/", ".config");
  return { global: join(home, "banksman", "config.toml"), repository: join(root, REPOSITORY_CONFIG) };
}

function wideningKeys(global: ConfigFile, repository: ConfigFile): Map<string, unknown> {
  const widening = new Map<string, unknown>();
  const usersKeys = [...global.values.keys()];
  const usersHave = (key: string) => usersKeys.some((each) => each === key || each.startsWith(`${key}.`));
  for (const [key, value] of repository.values) {
    const row = rowFor(key);
    const guarded = row?.guarded;
    if (typeof guarded !== "function") continue;
    const without = global.values.get(key) ?? row?.defaultOf?.(key) ?? row?.default;
    if (JSON.stringify(value) === JSON.stringify(without)) continue;
    if (guarded(value, without, { key, usersHave }) === "widens") widening.set(key, value);
  }
  return widening;
}
