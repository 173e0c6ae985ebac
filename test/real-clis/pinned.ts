import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import pins from "./pinned.json" with { type: "json" };

/** The CLIs we test with, by the names of their programs. `codex-acp` is codex behind another protocol. */
export type CliName = keyof typeof pins;

const CLI_NAMES = Object.keys(pins) as readonly CliName[];

/** Where `scripts/install-clis.mjs` puts them. */
const cache =
  process.env.BANKSMAN_CLI_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "banksman-clis");

const folderOf = (cli: CliName): string => join(cache, `${cli}-${pins[cli].version}`);

/** Its folder of programs, to be put first in PATH. */
export const binFolder = (cli: CliName): string => join(folderOf(cli), "node_modules/.bin");

export const binOf = (cli: CliName): string => join(binFolder(cli), cli);

/** Installed as pinned, and seen to run. */
export const isInstalled = (cli: CliName): boolean => existsSync(join(folderOf(cli), "complete"));

/**
 * What this run is to test: `BANKSMAN_TEST_CLIS=pi,gemini`, or all. What is not installed stays in the list: its tests
 * are skipped where they can be seen.
 */
export function chosenClis(): readonly CliName[] {
  const asked = process.env.BANKSMAN_TEST_CLIS?.split(",");
  if (asked === undefined) return CLI_NAMES;
  const unknown = asked.filter((name) => !(name in pins));
  if (unknown.length > 0) throw new Error(`BANKSMAN_TEST_CLIS names ${unknown.join(", ")}, which nobody has pinned`);
  return CLI_NAMES.filter((name) => asked.includes(name));
}
