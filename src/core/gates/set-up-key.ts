import { fnv1a64 } from "../text/hash.ts";

/** Files by which package managers decide what a checkout gets; a name that ends with a slash is a folder. */
export const LOCK_FILES: readonly string[] = [
  ...["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml", ".pnpmfile.cjs", ".pnpmfile.mjs", ".nvmrc"],
  ...["Cargo.lock", "go.sum", "go.mod", "poetry.lock", "uv.lock", "Pipfile.lock", "requirements.txt"],
  ...["requirements-dev.txt", "Gemfile.lock", "composer.lock", "mix.lock", ".tool-versions", ".python-version"],
  ...["rust-toolchain", "rust-toolchain.toml", "patches/", ".yarn/patches/"],
];

/** Counts only where there is no lock file: there it changes with every version and script. */
const MANIFEST = "package.json";

export const SET_UP_FILES: readonly string[] = [...LOCK_FILES, MANIFEST];

export interface SetUpInputs {
  /** What git calls the content of these files at a commit. */
  readonly ids: ReadonlyMap<string, string>;
  readonly command: string | null;
  readonly copy: readonly string[];
  readonly symlink: readonly string[];
  /** Versions of what runs it. */
  readonly tools: readonly string[];
}

/** The same key stands for the same result of a set-up. */
export function setUpKey({ ids, command, copy, symlink, tools }: SetUpInputs): string {
  const locked = [...ids].filter(([name]) => name !== MANIFEST);
  const counting = locked.length > 0 ? locked : [...ids];
  return fnv1a64(JSON.stringify([counting.sort(([a], [b]) => (a < b ? -1 : 1)), command, copy, symlink, tools]));
}
