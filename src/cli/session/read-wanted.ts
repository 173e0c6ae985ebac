import type { Briefs, Owned } from "../../core/actions/session-actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import { readBranches } from "../../core/session/read-branches.ts";
import { cliNames, type SessionSettings } from "../../core/session/settings.ts";
import { SPEC_TYPES, type SpecType } from "../../core/specs/spec.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Input, Io } from "../command.ts";
import { sessionStatus } from "../supervisor/reader.ts";
import { wireForge } from "../wire/wire-ports.ts";
import type { Around } from "./around.ts";
import { readBriefs } from "./briefs.ts";
import { chooseIssues } from "./issue-work.ts";
import { chooseSpecs, readOwned } from "./spec-work.ts";

interface Wanted {
  readonly branches: readonly string[];
  readonly cli: string | null;
  readonly briefs: Briefs;
  readonly clis: Readonly<Record<string, string>>;
  readonly owned: Owned;
}

/** Which branches, for what, and who works on them: from the command line, from what it names, or from a person. */
export async function readWanted({ options }: Input, around: Around, io: Io): Promise<Wanted> {
  const { repository, ports, settings } = around;
  const all = options.allSpecs === true || options.fromAllSpecs === true;
  if (options.specs !== undefined && all) throw new Failed(CONTRADICTION);
  const preset = presetOf(options.preset, settings);
  const issues =
    options.issues === undefined ? null : await chooseIssues(wireForge(repository, io.env), options.issues, settings);
  const named = readBranches([...list(options.branches), ...(preset?.branches ?? [])], cliNames(settings));
  if ("kind" in named) throw new Failed(named);
  const branches = [...new Set([...named.branches, ...(issues?.branches ?? [])])];
  const cli = typeof options.cli === "string" ? options.cli : (preset?.cli ?? null);
  const given = await readBriefs(options, io);
  const briefs = { ...given, each: { ...issues?.briefs, ...given.each } };
  const place = {
    root: repository.root,
    ...settings.specs,
    type: specType(options.specsFormat) ?? settings.specs.type,
  };
  if (options.specs === undefined && !all) {
    const asks = io.interactive && branches.length === 0 && (await sessionStatus(repository)) === "none";
    const owned = await readOwned(ports.files, place);
    if (!asks) return { branches, cli, briefs, clis: named.clis, owned };
    const { askWork } = await import("./ask-work.ts");
    return { briefs, owned, ...(await askWork(ports, settings, cli)) };
  }
  const names = all ? null : list(options.specs);
  const work = await chooseSpecs(ports, place, { names, force: options.force === true }, io);
  return {
    branches: [...branches, ...work.branches],
    cli: cli ?? settings.defaultSpecCli,
    briefs: { ...briefs, each: { ...work.briefs, ...briefs.each } },
    // Named on the command line it is for all of them.
    clis: { ...(cli === null && work.clis), ...named.clis },
    owned: work.owned,
  };
}

/** Two answers to one question are asked about, not guessed at. */
const CONTRADICTION = {
  kind: "usage",
  message: "--specs names some specs, and --all-specs means all of them.",
  hint: "Leave one of them out.",
} as const;

function presetOf(option: unknown, { presets }: SessionSettings) {
  if (typeof option !== "string") return null;
  const found = presets.get(option);
  if (found !== undefined) return found;
  const near = nearest(option, [...presets.keys()]);
  const known =
    presets.size === 0 ? "The config has none: `[presets.<name>]`." : `There are: ${[...presets.keys()].join(", ")}.`;
  const hint = near === null ? known : `Did you mean ${near}?`;
  throw new Failed({ kind: "usage", message: `There is no preset ${JSON.stringify(option)}.`, hint });
}

const list = (option: unknown): string[] => (typeof option === "string" ? option.split(",").filter(Boolean) : []);

function specType(option: unknown): SpecType | null {
  if (typeof option !== "string") return null;
  const found = SPEC_TYPES.find((type) => type === option);
  if (found !== undefined) return found;
  const near = nearest(option, SPEC_TYPES);
  const hint = near === null ? `It is one of ${SPEC_TYPES.join(", ")}.` : `Did you mean ${near}?`;
  throw new Failed({ kind: "usage", message: `There is no spec format ${JSON.stringify(option)}.`, hint });
}
