import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { Failed } from "../core/failure/failed.ts";
import type { Failure } from "../core/failure/failure.ts";
import type { Io } from "./command.ts";
import { findRepository, type Repository } from "./wire/find-repository.ts";

const OLDEST_GIT = [2, 38] as const;

/** The repository we stand in, or the failure that says why there is none. */
export async function requireRepository({ cwd, env }: Io): Promise<Repository> {
  const repository = findRepository(cwd, env);
  if (repository !== null) {
    // git itself and tmux speak in lines: such a path cannot be told apart from two.
    if (/[\n\r]/.test(repository.root)) throw new Failed({ kind: "repository.path", path: repository.root });
    return repository;
  }
  throw new Failed(await whyNot(cwd, env));
}

/** The git folder of the repository around us, a bare one's included: for what needs no checkout. */
export async function requireGitFolder(io: Io): Promise<string> {
  await requireGit(io);
  const { text } = await git(["rev-parse", "--path-format=absolute", "--git-common-dir"], io.cwd, io.env);
  const path = text.replace(/\n$/, "");
  if (!path.startsWith("/")) throw new Failed(await whyNot(io.cwd, io.env));
  return path;
}

/** Asked of git only when something is wrong: it knows why. */
async function whyNot(cwd: string, env: NodeJS.ProcessEnv): Promise<Failure> {
  if (!existsSync(cwd)) return { kind: "repository.missing", path: cwd };
  const answer = await git(["rev-parse", "--is-bare-repository"], cwd, env);
  if (answer.missing) return { kind: "git.missing" };
  if (answer.text.trim() === "true") return { kind: "repository.bare", path: cwd };
  if (/dubious ownership/.test(answer.text)) return { kind: "repository.unsafe", path: cwd };
  return { kind: "repository.none", path: cwd };
}

/** Before anything is started: git is there, new enough, and willing to work here. */
export async function requireGit({ cwd, env }: Io): Promise<void> {
  const [{ missing, text }, place] = await Promise.all([
    git(["version"], cwd, env),
    git(["rev-parse", "--git-dir"], cwd, env),
  ]);
  if (missing) throw new Failed({ kind: "git.missing" });
  const [, major = "0", minor = "0", version = "?"] = /(?=(\d+)\.(\d+))(\S+)/.exec(text) ?? [];
  const [least, leastMinor] = OLDEST_GIT;
  const old = Number(major) < least || (Number(major) === least && Number(minor) < leastMinor);
  if (old) throw new Failed({ kind: "git.old", version, needed: OLDEST_GIT.join(".") });
  if (/dubious ownership/.test(place.text)) throw new Failed({ kind: "repository.unsafe", path: cwd });
}

function git(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ missing: boolean; text: string }> {
  const clean = { PATH: env.PATH ?? "", HOME: env.HOME ?? "", LC_ALL: "C" };
  return new Promise((resolve) => {
    execFile("git", [...args], { cwd, env: clean, timeout: 10_000 }, (error, out, err) => {
      resolve({ missing: error?.code === "ENOENT", text: out || err });
    });
  });
}
