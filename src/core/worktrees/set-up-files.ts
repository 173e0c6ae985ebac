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

/** What set-up would obey as it is in one checkout: digest by name. */
export type ObeyedFiles = Readonly<Record<string, string>>;

/** Stands where a file may not be read: such a checkout cannot be trusted. */
export const UNREADABLE = "unreadable";
/** Stands where a file names others that cannot be looked at, which comes to the same. */
export const LEADS_OUT = "leads out";

const isRefused = (digest: string | undefined): boolean => digest === UNREADABLE || digest === LEADS_OUT;

/** Whether its user has seen exactly these files. Where there are none, there is nothing to see. */
export function isTrusted(files: ObeyedFiles, trusted: readonly ObeyedFiles[]): boolean {
  if (Object.values(files).some(isRefused)) return false;
  return Object.keys(files).length === 0 || trusted.some((known) => sameFiles(known, files));
}

function sameFiles(a: ObeyedFiles, b: ObeyedFiles): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name]);
}

/** Why a set-up may not obey these files, for a person; null where it may. */
export function whyUntrusted(files: ObeyedFiles, trusted: readonly ObeyedFiles[], path: string): string | null {
  const refused = Object.keys(files).filter((name) => isRefused(files[name]));
  if (refused.length > 0) return `${listed(refused)} ${whyRefused(files[refused[0] ?? ""])}; ${OWN_COMMAND}`;
  if (isTrusted(files, trusted)) return null;
  const changed = unseenIn(files, trusted);
  return notTrusted(changed.length > 0 ? changed : Object.keys(files), path);
}

/** Why the settings of a folder above may not be obeyed: seen one by one, for nothing else of that folder counts. */
export function whyUnseen(files: ObeyedFiles, trusted: readonly ObeyedFiles[], path: string): string | null {
  const unseen = unseenIn(files, trusted);
  return unseen.length === 0 ? null : whyUntrusted(files, trusted, path);
}

export const whyRefused = (digest: string | undefined): string =>
  digest === LEADS_OUT
    ? "names files outside of the checkout, or in a way that cannot be followed"
    : "cannot be read, or obeys too many other files";

const OWN_COMMAND = "no trust covers that; you can write the command down yourself, as `setup` under `[worktree]`";

const notTrusted = (names: readonly string[], path: string): string =>
  `you have not trusted ${listed(names)}; read and allow it with \`banksman trust\` in ${path}`;

const MOST_LISTED = 5;

export const listed = (names: readonly string[]): string =>
  [...names.slice(0, MOST_LISTED), ...(names.length > MOST_LISTED ? ["…"] : [])].join(", ");

/** Files that no trusted checkout has like this. */
export const unseenIn = (files: ObeyedFiles, trusted: readonly ObeyedFiles[]): string[] =>
  Object.keys(files).filter(
    (name) => !trusted.some((known) => Object.hasOwn(known, name) && known[name] === files[name]),
  );
