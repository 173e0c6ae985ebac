import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { Failed } from "../core/failure.ts";
import type { Io } from "./command.ts";
import { findHere, type Here } from "./place.ts";

const OLDEST_GIT = [2, 38] as const;

/** The repository we stand in, or the failure that says why there is none. */
export function requireHere({ cwd, env }: Io): Here {
  const here = findHere(cwd, env);
  if (here !== null) return here;
  throw new Failed(whyNot(cwd, env));
}

/** Asked of git only when something is wrong: it knows why. */
function whyNot(cwd: string, env: NodeJS.ProcessEnv) {
  const answer = git(["rev-parse", "--is-bare-repository"], cwd, env);
  if (answer.missing) return { kind: "git.missing" } as const;
  if (answer.text.trim() === "true")
    return { kind: "repository.bare", path: basename(cwd) === ".git" ? cwd : cwd } as const;
  if (/dubious ownership/.test(answer.text)) return { kind: "repository.unsafe", path: cwd } as const;
  return { kind: "repository.none", path: cwd } as const;
}

/** Before anything is started: git is there, new enough, and willing to work here. */
export function requireGit({ cwd, env }: Io): void {
  const { missing, text } = git(["version"], cwd, env);
  if (missing) throw new Failed({ kind: "git.missing" });
  const [, major = "0", minor = "0", version = "?"] = /(?=(\d+)\.(\d+))(\S+)/.exec(text) ?? [];
  const [least, leastMinor] = OLDEST_GIT;
  const old = Number(major) < least || (Number(major) === least && Number(minor) < leastMinor);
  if (old) throw new Failed({ kind: "git.old", version, needed: OLDEST_GIT.join(".") });
  const answer = git(["rev-parse", "--git-dir"], cwd, env);
  if (/dubious ownership/.test(answer.text)) throw new Failed({ kind: "repository.unsafe", path: cwd });
}

function git(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): { missing: boolean; text: string } {
  try {
    const clean = { PATH: env.PATH ?? "", HOME: env.HOME ?? "", LC_ALL: "C" };
    return {
      missing: false,
      text: execFileSync("git", [...args], { cwd, env: clean, stdio: "pipe", timeout: 10_000 }).toString(),
    };
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { stderr?: Buffer };
    return { missing: code === "ENOENT", text: stderr?.toString() ?? "" };
  }
}
