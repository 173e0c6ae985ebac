import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../core/clis/environment.ts";
import { gitFolderOf } from "./admin.ts";
import { rowOf, type Setting } from "./programs.ts";

/** Programs of the repository's own git config that its user has read and allowed: value by key. */
export type TrustedPrograms = () => ReadonlyMap<string, string>;

/** What the config that holds in one place says about programs. */
export interface Programs {
  /** Set by the repository or the worktree, and not the same in the user's own config. By key, as git writes it. */
  readonly own: ReadonlyMap<string, string>;
  readonly users: readonly Setting[];
  /** Whether a file of the repository's config includes others: then it can change without changing itself. */
  readonly includes: boolean;
}

/** The config as it holds for the call: `git config --list --show-scope -z`, split at NUL. */
type ReadConfig = () => Promise<readonly string[]>;

/** The user's own config may change, too, and is not looked at each time. */
const KEPT_MS = 10_000;

/**
 * Programs by place, read anew as long as it may have changed: an agent can write that config, and a worktree may have one
 * of its own. Where `commonDir` is known it is not asked for again while the config files are the very same. A file that
 * is written, or put in its place, has another change time, which nobody but root can set. Config that includes other
 * files is read every time.
 */
export function createGuard(commonDir: string | null) {
  const known = new Map<
    string,
    { readonly state: string; readonly until: number; readonly programs: Promise<Programs> }
  >();
  const placeOf = (cwd: string, env: Environment) => {
    if (commonDir === null || (env.GIT_DIR !== undefined && env.GIT_DIR !== commonDir)) return null;
    const own = env.GIT_DIR !== undefined || cwd === commonDir ? commonDir : folderOf(commonDir, cwd);
    if (own === null) return null;
    const states = [join(commonDir, "config"), join(own, "config.worktree")].map(stateOf);
    // Worktrees without a config of their own have the same.
    return states.includes(null) ? null : { name: states[1] === "" ? "" : own, state: states.join() };
  };

  return async (cwd: string, env: Environment, read: ReadConfig): Promise<Programs> => {
    const place = placeOf(cwd, env);
    const last = place === null ? undefined : known.get(place.name);
    if (last !== undefined && last.state === place?.state && performance.now() < last.until) return last.programs;
    const programs = read().then(parseConfig);
    if (place === null) return programs;
    known.set(place.name, { state: place.state, until: performance.now() + KEPT_MS, programs });
    const forget = () => known.delete(place.name);
    const found = await programs.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (found.includes) forget();
    return found;
  };
}

export type Guard = ReturnType<typeof createGuard>;

/** Null for any other repository's folder, and for one in which somebody has put something else. */
function folderOf(commonDir: string, cwd: string): string | null {
  try {
    return gitFolderOf(commonDir, cwd);
  } catch {
    return null;
  }
}

/** A moment long a second write could go unnoticed: clocks of file systems tick a few milliseconds apart. */
const TOO_YOUNG_MS = 100;

/** Empty where there is none; null while it cannot be told from what it will be in a moment. */
function stateOf(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return "";
  if (Date.now() - Number(stat.ctimeMs) < TOO_YOUNG_MS) return null;
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}

function parseConfig(fields: readonly string[]): Programs {
  const repository = new Map<string, string>();
  const users: Setting[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const scope = fields[i];
    const [key = "", ...value] = (fields[i + 1] ?? "").split("\n");
    if (scope === "command" || rowOf(key) === null) continue;
    // Without a value it means yes, which is no program.
    if (scope === "system" || scope === "global") users.push([key, value.join("\n")]);
    else repository.set(key, value.join("\n"));
  }
  const usual = new Map(users);
  return {
    own: new Map([...repository].filter(([key, value]) => usual.get(key) !== value)),
    users,
    includes: [...repository.keys()].some((key) => /^include(if)?\./.test(key)),
  };
}

/** Which programs that decide over content may run: they alone are asked about, and the rest never run. */
const isContentProgram = (key: string): boolean =>
  /^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|lfs\..*)$/s.test(key);

/** Those of the repository's own, with what they say. */
export const contentProgramsIn = ({ own }: Programs): Map<string, string> =>
  new Map([...own].filter(([key, value]) => isContentProgram(key) && value !== ""));

/** Those that nobody has trusted. */
export const untrustedIn = (programs: Programs, trusted: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...contentProgramsIn(programs)].filter(([key, value]) => trusted.get(key) !== value));

/**
 * The settings that keep a call from running what the repository names: each replaced by the user's own, by what the user
 * has trusted, or by nothing. A driver of which one part is not trusted is off as a whole.
 */
export function settingsAgainst(programs: Programs, trusted: ReadonlyMap<string, string>): Setting[] {
  const { own, users } = programs;
  const usual = new Map(users);
  const refused = new Set([...untrustedIn(programs, trusted).keys()].map(driverOf));
  const replaced = [...own].flatMap(([key, value]): Setting[] => {
    const off = rowOf(key)?.off;
    if (off?.how !== "listed") return [];
    const allowed = isTrustable(key) && !refused.has(driverOf(key));
    return [[key, allowed ? value : (usual.get(key) ?? off.value)]];
  });
  const hooks = new Set([...own.keys(), ...usual.keys()].filter((key) => key.startsWith("hook.")).map(driverOf));
  return [...replaced, ...[...hooks].map((name): Setting => [`${name}.enabled`, "false"])];
}

const isTrustable = (key: string): boolean => /^(filter|merge|lfs)\./.test(key);
const driverOf = (key: string): string => key.slice(0, key.lastIndexOf("."));

/** Whether a filter will run, the user's own or a trusted one: it may have to fetch, as git-lfs does. */
export const filtersRun = (programs: Programs, trusted: ReadonlyMap<string, string>): boolean => {
  const refused = untrustedIn(programs, trusted);
  const all = [...programs.users, ...programs.own].filter(([key]) => !refused.has(key));
  return all.some(([key, value]) => /^filter\..*\.(smudge|process)$/s.test(key) && value !== "");
};

/** Where core.worktree would lead elsewhere, the place itself is the worktree. */
export const worktreeAgainst = ({ own }: Programs, cwd: string): Environment =>
  own.has("core.worktree") && existsSync(join(cwd, ".git")) ? { GIT_WORK_TREE: cwd } : {};

const REMOTE_PROGRAM = /^remote\..*\.(vcs|uploadpack|receivepack)$/s;

/** What git allows where nobody has said anything, less what runs a program that a URL names. */
const USUAL_PROTOCOLS = { http: "always", https: "always", git: "always", ssh: "always", file: "user" } as const;

/**
 * The settings of a call that reaches a remote: by the user's own programs, and by protocols that the user allows. Null
 * where the repository names a program for a remote, which cannot be taken back.
 */
export function settingsForRemotes({ own, users }: Programs): Setting[] | null {
  if ([...own.keys()].some((key) => REMOTE_PROGRAM.test(key))) return null;
  const usual = new Map(users);
  const programs = { "core.sshcommand": "ssh", "ssh.variant": "auto", "core.askpass": "" };
  const replaced = Object.entries(programs).filter(([key]) => own.has(key));
  const helpers = (keys: Iterable<string>) => [...keys].filter((key) => /^credential\.(.*\.)?helper$/s.test(key));
  const policies = [...own.keys()].filter((key) => /^protocol\..*\.allow$/s.test(key)).map((key) => [key, "never"]);
  const usualPolicies = Object.entries(USUAL_PROTOCOLS).map(([name, policy]) => [`protocol.${name}.allow`, policy]);
  const protocols = [...policies, ...usualPolicies].map(
    ([key = "", policy = ""]): Setting => [key, usual.get(key) ?? usual.get("protocol.allow") ?? policy],
  );
  return [
    ...replaced.map(([key, none]): Setting => [key, usual.get(key) ?? none]),
    ...(helpers(own.keys()).length === 0
      ? []
      : [["credential.helper", ""] as const, ...users.filter(([key]) => helpers([key]).length > 0)]),
    ...protocols,
    ["protocol.allow", usual.get("protocol.allow") ?? "never"],
    ["protocol.ext.allow", "never"],
  ];
}

/** Keys by which a repository's own config could have a call run a program that reaches a remote, or files of its own. */
export const dangersIn = ({ own }: Programs): string[] =>
  [...own.keys()].filter((key) => {
    const how = rowOf(key)?.off.how;
    return (
      how === "remote" || how === "listed" || /^(credential|hook|protocol|url)\./.test(key) || REMOTE_PROGRAM.test(key)
    );
  });

/** Whether objects may be missing here, to be fetched when they are needed: a partial clone. */
export const isPartial = ({ own }: Programs): boolean =>
  [...own].some(
    ([key, value]) => key === "extensions.partialclone" || (/^remote\..*\.promisor$/s.test(key) && value !== "false"),
  );
