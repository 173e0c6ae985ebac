import { parseObject } from "../text/json-fields.ts";
import { below } from "../text/paths.ts";
import type { Facts } from "./context.ts";

/** What was observed of a worktree: names from its top, and the texts that matter. */
export interface ObservedWorktree {
  readonly worktree: string;
  /** Files that are as they are in HEAD, and as they are at the base commit. */
  readonly committed: ReadonlySet<string>;
  readonly unchanged: ReadonlySet<string>;
  /** Files that are not as they are at the base commit. */
  readonly changed: readonly string[];
  /** package.json of each folder that has one, now and at the base commit. */
  readonly manifests: ReadonlyMap<string, { readonly now: string; readonly base: string }>;
  /** Lock files of package managers, by folder. */
  readonly locks: ReadonlyMap<string, { readonly name: string; readonly text: string }>;
  resolve(path: string): string;
}

/** Facts for decisions, from what was observed once. */
export function factsOf(observed: ObservedWorktree): Facts {
  const inside = (path: string): string | null => {
    const real = observed.resolve(path);
    return real !== observed.worktree && below(real, observed.worktree)
      ? real.slice(observed.worktree.length + 1)
      : null;
  };
  const has = (files: ReadonlySet<string>, path: string): boolean => files.has(inside(path) ?? "");
  const lockFor = (folder: string) => nearest(observed, folder, (name) => observed.locks.get(name));
  const isAsBefore = (folder: string): boolean => {
    const found = lockFor(folder);
    return (
      found !== undefined &&
      observed.unchanged.has(found.folder === "" ? found.value.name : `${found.folder}/${found.value.name}`)
    );
  };
  return {
    resolve: observed.resolve,
    isCommitted: (path) => has(observed.committed, path),
    isUnchanged: (path) => has(observed.unchanged, path),
    isScriptUnchanged: (folder, script) => {
      const found = nearest(observed, folder, (name) => observed.manifests.get(name));
      const text = found === undefined ? null : scriptIn(found.value.now, script);
      return found !== undefined && text !== null && text === scriptIn(found.value.base, script);
    },
    hasLock: isAsBefore,
    isLocked: (folder, name) => isAsBefore(folder) && names(lockFor(folder)?.value, name),
    changesCi: () => observed.changed.some((path) => CI.test(path)),
  };
}

const CI =
  /^(\.github\/(workflows|actions)\/|\.gitlab-ci\.ya?ml$|\.circleci\/|\.buildkite\/|\.woodpecker|\.travis\.yml$|azure-pipelines|Jenkinsfile$|\.drone\.yml$|bitbucket-pipelines|appveyor\.yml$)/;

/** What the folder, or the first one above it, has. */
function nearest<T>({ worktree }: ObservedWorktree, folder: string, find: (name: string) => T | undefined) {
  if (!below(folder, worktree)) return undefined;
  let name = folder.slice(worktree.length + 1);
  for (;;) {
    const value = find(name);
    if (value !== undefined) return { folder: name, value };
    if (name === "") return undefined;
    name = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
  }
}

function scriptIn(manifest: string, script: string): string | null {
  const scripts = parseObject(manifest)?.scripts;
  const known = typeof scripts === "object" && scripts !== null && Object.hasOwn(scripts, script);
  return known ? JSON.stringify((scripts as Record<string, unknown>)[script]) : null;
}

/** Whether a lock file names a package; of other lock files than npm's, in any line that begins with it. */
function names(lock: { readonly name: string; readonly text: string } | undefined, name: string): boolean {
  if (lock === undefined) return false;
  if (lock.name === "package-lock.json") return lock.text.includes(`"node_modules/${name}": {`);
  return lock.text.split("\n").some((line) => line.replace(/^[\s"'/]+/, "").startsWith(`${name}@`));
}
