import type { Branch } from "../text/ids.ts";

export const SPEC_TYPES = ["openspec", "markdown", "speckit", "superpowers"] as const;
export type SpecType = (typeof SPEC_TYPES)[number];

/** One piece of work that somebody wrote down. */
export interface Spec {
  readonly id: string;
  /** What several pieces belong to; a name that means them all. */
  readonly feature: string;
  readonly branch: Branch;
  /** The CLI it asks for. */
  readonly cli: string | null;
  readonly prompt: string;
  /** Paths it declares as its own. */
  readonly owned: readonly string[];
  /** Where it is written, relative to the folder of all specs. */
  readonly path: string;
}

export interface Specs {
  readonly entries: readonly Spec[];
  readonly warnings: readonly string[];
  /** Why some that are written down are none to start, by id: in words that follow it. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The texts of a folder, by path below it. */
export type SpecFiles = ReadonlyMap<string, string>;

/** Names of the folders and files right below `folder` (`""` is the top), sorted. */
export function namesIn(files: SpecFiles, folder: string): string[] {
  const above = folder === "" ? "" : `${folder}/`;
  const below = [...files.keys()].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
  return [...new Set(below.map((path) => path.split("/")[0] ?? ""))].sort();
}
