import { compileGlob } from "../claims/glob.ts";

/** The files among these that decide what gates run. */
export function inputsAmong(paths: readonly string[], globs: readonly string[]): string[] {
  const compiled = globs.map(compileGlob);
  return paths.filter((path) => compiled.some((glob) => glob.matches(path)));
}

/** Keys of a package.json that say what is run; the rest (dependencies, version) may change without a question. */
const PACKAGE_KEYS: readonly string[] = [
  ...["scripts", "jest", "mocha", "ava", "vitest", "c8", "nyc", "tap", "lint-staged", "husky", "pre-commit"],
  ...["eslintConfig", "prettier", "babel", "type", "imports", "engines", "config", "workspaces", "packageManager"],
  ...["overrides", "resolutions", "pnpm", "xo", "wireit", "nx"],
];

const DEPENDENCIES: readonly string[] = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** A version, as opposed to a folder, an address or another package by this name. */
const isVersion = (value: unknown): boolean =>
  typeof value === "string" && (/^[^:/]*$/.test(value) || /^(?:workspace:[\^~*\d.]*|catalog:[\w-]*)$/.test(value));

/** npm runs these by itself, and those that begin so before and after others. */
const RUN_UNASKED = /^(?:pre|post)|^(?:install|dependencies)$/;

/** Sections of a Cargo.toml and a pyproject.toml that only name the package, or what it needs. */
const HARMLESS_SECTIONS =
  /^\[+(?!project\."?entry-points|tool\.poetry\."?plugins)(package|dependencies|dev-dependencies|build-dependencies|features|project|project\.(urls|optional-dependencies)|tool\.poetry(\.(dev-|group\.\w+\.)?dependencies)?|dependency-groups)(\..*)?\]+$/;

/** What decides all the same, wherever it stands: what is built first, which tests are found, what a runner loads. */
const DECIDING_LINE = /^\s*"?(?:build|auto\w+|links|workspace|entry-points|plugins)\b/;

/**
 * Which parts of a file that decides what gates run are not as they were: `scripts.test`; the whole file where it has no
 * parts that we know. Empty where what changed decides nothing. Null stands for a file that is not there.
 */
export function changedParts(path: string, before: string | null, after: string | null): string[] {
  if (before === after) return [];
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return packageParts(before, after) ?? [path];
  if (name === "Cargo.toml" || name === "pyproject.toml")
    return sectionParts(before, after).map((section) => (section === "" ? path : section));
  return [path];
}

function packageParts(before: string | null, after: string | null): string[] | null {
  const [old, now] = [readObject(before), readObject(after)];
  if (old === null || now === null) return null;
  const redirected = DEPENDENCIES.flatMap((key) => {
    const [a, b] = [asObject(old[key]) ?? {}, asObject(now[key]) ?? {}];
    const names = Object.keys(b).filter((each) => a[each] !== b[each] && !isVersion(b[each]));
    return names.map((each) => `${key}.${each}`);
  });
  const changed = PACKAGE_KEYS.flatMap((key) => {
    if (JSON.stringify(old[key]) === JSON.stringify(now[key])) return [];
    const [a, b] = [asObject(old[key]), asObject(now[key])];
    if (a === null || b === null) return [key];
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    // A script that nobody had before is run by nobody, unless it runs before or after one that is.
    return names
      .filter((each) => JSON.stringify(a[each]) !== JSON.stringify(b[each]))
      .filter((each) => key !== "scripts" || Object.hasOwn(a, each) || RUN_UNASKED.test(each))
      .map((each) => `${key}.${each}`);
  });
  return [...changed, ...redirected];
}

function readObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return {};
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  value === undefined
    ? {}
    : typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;

/** By section, each as its lines: order and comments count, which is more careful than it has to be. */
function sectionParts(before: string | null, after: string | null): string[] {
  const [old, now] = [sectionsOf(before ?? ""), sectionsOf(after ?? "")];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (section) => (old.get(section) ?? "") !== (now.get(section) ?? ""),
  );
}

/** Lines that count, by section. A header may be indented. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string[]>();
  let current = "";
  let harmless = false;
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) {
      current = line.trim();
      harmless = HARMLESS_SECTIONS.test(current.slice(0, 200));
    }
    if (line.trim() === "" || (harmless && !DECIDING_LINE.test(line))) continue;
    const lines = sections.get(current);
    if (lines === undefined) sections.set(current, [line]);
    else lines.push(line);
  }
  return new Map([...sections].map(([name, lines]) => [name, lines.join("\n")]));
}
