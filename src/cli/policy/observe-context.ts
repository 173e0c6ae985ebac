import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PolicyContext } from "../../core/policy/context.ts";
import { factsOf, type ObservedWorktree } from "../../core/policy/facts-of.ts";
import { findStacks } from "../../core/policy/find-stacks.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Io } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { wirePolicy } from "../wire/wire-policy.ts";
import { wireConfig, wirePorts } from "../wire/wire-ports.ts";
import { atLaunch, settingsFolders } from "./at-launch.ts";

const LOCKS = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
/** Manifests that are compared one by one; of further ones, no script counts as unchanged. */
const MOST_MANIFESTS = 100;

/** What is so in the checkout around us, as an agent there would have it. */
export async function observeContext(io: Io): Promise<PolicyContext> {
  const repository = await requireRepository(io);
  const { policy, land } = wireConfig(repository, io.env);
  const wired = wirePolicy(repository, io.env);
  const cwd = wired.realPath(resolve(io.cwd));
  const worktree = topOf(cwd);
  const bases = [...(land.target === null ? [] : [land.target]), "refs/remotes/origin/HEAD", "main", "master"];
  const files = await wired.observeFiles(worktree, bases);
  const worktrees = await wirePorts(repository, io.env).git.worktrees();
  const names = [...new Set([...files.now, ...files.atBase])];
  const home = wired.realPath(io.env.HOME || "/");
  const launched = atLaunch(io.env);
  return {
    ...launched,
    worktree,
    cwd,
    branch: files.branch ?? "",
    remote: "origin",
    otherWorktrees: [...worktrees.map(({ path }) => path), repository.root].filter((path) => path !== worktree),
    home,
    protectedPaths: [
      repository.commonDir,
      repository.state,
      ...settingsFolders(home),
      ...settingsFolders(repository.root),
    ],
    ...policy,
    stacks: policy.stacks === "auto" ? findStacks(names) : policy.stacks,
    facts: factsOf(await observedWorktree(worktree, files, wired)),
  };
}

/** The checkout we stand in, which may be a worktree of the repository. */
function topOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder))
    if (existsSync(join(folder, ".git")) || dirname(folder) === folder) return folder;
}

type Wired = ReturnType<typeof wirePolicy>;

async function observedWorktree(
  worktree: string,
  files: Awaited<ReturnType<Wired["observeFiles"]>>,
  { history, realPath, read }: Wired,
): Promise<ObservedWorktree> {
  const without = (all: readonly string[], changed: readonly string[]) => {
    const gone = new Set(changed);
    return new Set(all.filter((name) => !gone.has(name)));
  };
  const called = (file: string) => files.now.filter((name) => name === file || name.endsWith(`/${file}`));
  const manifests = called("package.json").slice(0, MOST_MANIFESTS);
  const atBase = files.base === null ? new Map<string, string>() : await history.texts(files.base as Commit, manifests);
  const own = (name: string): string => tryRead(() => read(worktree, name)) ?? "";
  return {
    worktree,
    committed: without(files.atHead, files.changedSinceHead),
    unchanged: without(files.atBase, files.changedSinceBase),
    changed: files.changedSinceBase,
    manifests: new Map(manifests.map((name) => [folderOf(name), { now: own(name), base: atBase.get(name) ?? "" }])),
    locks: new Map(
      LOCKS.flatMap((lock) => called(lock).map((name) => [folderOf(name), { name: lock, text: own(name) }])),
    ),
    resolve: realPath,
  };
}

const folderOf = (name: string): string => (name.includes("/") ? dirname(name) : "");

/** What may not be read counts as nothing. */
function tryRead(read: () => string | null): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
