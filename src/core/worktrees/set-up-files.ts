import { isInside } from "../text/paths.ts";

/** How packages are installed by a lock file, and which files decide what that runs and from where it fetches. */
export interface Installer {
  readonly lock: string;
  /** Without the packages' own scripts: nobody has read them. Whoever needs them writes the command down. */
  readonly command: string;
  /** Names in the checkout; one that ends with a slash is everything below. */
  readonly obeys: readonly string[];
}

const NPM_FILES = [".npmrc", "package.json"];
const NPM_LOCKS = ["package-lock.json", "npm-shrinkwrap.json"];

export const INSTALLERS: readonly Installer[] = [
  ...NPM_LOCKS.map((lock) => ({ lock, command: "npm ci --ignore-scripts", obeys: [...NPM_LOCKS, ...NPM_FILES] })),
  {
    lock: "pnpm-lock.yaml",
    command: "pnpm install --frozen-lockfile --ignore-scripts",
    obeys: ["pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.cjs", ".pnpmfile.mjs", ...NPM_FILES],
  },
  {
    lock: "yarn.lock",
    command: "YARN_ENABLE_SCRIPTS=0 YARN_IGNORE_SCRIPTS=true yarn install --frozen-lockfile",
    obeys: ["yarn.lock", ".yarnrc", ".yarnrc.yml", ".yarn/releases/", ".yarn/plugins/", ...NPM_FILES],
  },
];

/** Names the hosts that submodules are fetched from. */
export const SUBMODULES_FILE = ".gitmodules";

/** What is in a package.json that decides over an installation; the rest may change without a question. */
const PACKAGE_KEYS: ReadonlySet<string> = new Set([
  ...["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"],
  ...["bundledDependencies", "dependenciesMeta", "peerDependenciesMeta", "overrides", "resolutions", "workspaces"],
  ...["packageManager", "devEngines", "pnpm", "installConfig"],
]);

/** The part of a file that counts; undefined for the whole of it. */
export function obeyedPart(name: string): ((text: string) => string) | undefined {
  return name === "package.json" ? packagePart : undefined;
}

function packagePart(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return text;
    const kept = Object.entries(parsed).filter(([key]) => PACKAGE_KEYS.has(key));
    return JSON.stringify(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  } catch {
    return text;
  }
}

/** Lock files name addresses and digests, and package.json is read in part: only the others can name files that are run. */
export const mayNameFiles = (name: string): boolean =>
  !/(^|\/)(package(-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|\.gitmodules)$/.test(name);

const LONGEST_NAME = 200;
const MOST_NAMES = 400;
/** As `require` completes a name. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".json", "/index.js"];

/** Every word of a text that could be the name of a file in the checkout, as `git=./tools/git.sh` names one. */
export function namedIn(text: string): string[] {
  const words = text.split(/[\s"'`=,;:()[\]{}<>|&]+/).map((word) => word.replace(/^(\.\/)+/, ""));
  const names = words.filter((word) => word.length <= LONGEST_NAME && /[\w.]/.test(word) && isInside(word));
  return [...new Set(names)].slice(0, MOST_NAMES).flatMap((name) => ENDINGS.map((ending) => `${name}${ending}`));
}

/** What set-up would obey as it is in one checkout: digest by name. */
export type ObeyedFiles = Readonly<Record<string, string>>;

/** Stands where a file may not be read: such a checkout cannot be trusted. */
export const UNREADABLE = "unreadable";

/** Whether its user has seen exactly these files. Where there are none, there is nothing to see. */
export function isTrusted(files: ObeyedFiles, trusted: readonly ObeyedFiles[]): boolean {
  if (Object.values(files).includes(UNREADABLE)) return false;
  return Object.keys(files).length === 0 || trusted.some((known) => sameFiles(known, files));
}

function sameFiles(a: ObeyedFiles, b: ObeyedFiles): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** Files that no trusted checkout has like this. */
export const unseenIn = (files: ObeyedFiles, trusted: readonly ObeyedFiles[]): string[] =>
  Object.keys(files).filter(
    (name) => !trusted.some((known) => Object.hasOwn(known, name) && known[name] === files[name]),
  );
