import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Saved } from "../../core/effects.ts";
import { Failed } from "../../core/failure.ts";
import type { Branch, Commit } from "../../core/ids.ts";
import type { Command } from "../../ports/command.ts";
import type { Git, WorktreeInfo } from "../../ports/git.ts";
import { adminOf, clearHalfMade, isLockedByUs, OURS, recordsFor } from "./admin.ts";
import { readable } from "./bytes.ts";
import { contentOf, isFilled, nothingNew } from "./content.ts";
import { writeExcludes } from "./excludes.ts";
import { filtersOff } from "./filters.ts";
import type { Place } from "./locate.ts";
import { resolveCommit, zeros } from "./objects.ts";
import { rebase } from "./rebase.ts";
import { rememberFilters } from "./remember-filters.ts";
import { backups, restore } from "./restore.ts";
import { GitRunner, type Setting } from "./run.ts";
import { save } from "./save.ts";
import { changedPaths } from "./status.ts";
import { fillSubmodules } from "./submodules.ts";
import { createTurns } from "./turns.ts";
import { readCommits, readWork } from "./work.ts";

/** Checkouts side by side: three are the fastest on two cores (0.53 of serial adds, measured); more only queue. */
const CHECKOUTS_AT_ONCE = 3;
/** After a restart, and every half minute, all worktrees are looked at: not by a hundred processes at once. */
const LOOKS_AT_ONCE = 4;
const CHECKOUT_TIMEOUT_MS = 10 * 60_000;

/** Git by its own binary. `excludes` is a file of patterns that hide what we put into worktrees. */
export function createGit(command: Command, place: Place, env: NodeJS.ProcessEnv, excludes: string): Git {
  const settings = (): Setting[] => (existsSync(excludes) ? [["core.excludesFile", excludes]] : []);
  const git = new GitRunner(command, place.root, env, settings);
  const adding = createTurns(1);
  const filling = createTurns(CHECKOUTS_AT_ONCE);
  const looking = createTurns(LOOKS_AT_ONCE);
  const { commonDir } = place;
  const remembered = rememberFilters(commonDir);

  const self: Git = {
    async head() {
      const branch = await git.text(["symbolic-ref", "--quiet", "--short", "HEAD"], { answers: [1] });
      const commit = await resolveCommit(git, "HEAD");
      if (commit === null) throw new Failed({ kind: "repository.unborn" });
      if (branch === "") throw new Failed({ kind: "repository.detached" });
      return { branch: branch as Branch, commit };
    },
    branches: async () => refs(git, "refs/heads/", (name) => name),
    remoteBranches: async () => refs(git, "refs/remotes/", withoutRemote),
    worktrees: async () => parseWorktrees(await git.fields(["worktree", "list", "--porcelain", "-z"])),
    dirtyFiles: async (path) =>
      (await changedPaths(await filtersOff(git, path), path)).map((each) => readable(each.path)),

    hide: (patterns) => writeExcludes(new GitRunner(command, place.root, env), excludes, patterns, env),

    async ensureBranch(branch, from) {
      const args = ["update-ref", "-m", "branch: created by banksman", `refs/heads/${branch}`, from, zeros(from)];
      await git.run(args).catch(async (error: unknown) => {
        if ((await resolveCommit(git, `refs/heads/${branch}`)) === null) throw error;
      });
    },
    addWorktree: (path, branch) =>
      adding(async () => {
        const admin = adminOf(commonDir, path);
        if (admin?.head === `ref: refs/heads/${branch}`) return;
        if (admin !== null || !clearHalfMade(commonDir, path)) throw new Failed({ kind: "worktree.occupied", path });
        await git.run(["worktree", "add", "--quiet", "--no-checkout", "--lock", "--reason", OURS, path, branch]);
      }),
    releaseWorktree: (path) =>
      adding(async () => {
        const admin = adminOf(commonDir, path);
        if (admin !== null && isLockedByUs(admin)) await git.run(["worktree", "unlock", path]);
      }),
    fillWorktree: (path) =>
      filling(async () => {
        const admin = adminOf(commonDir, path);
        if (admin === null) throw new Failed({ kind: "worktree.occupied", path });
        if (admin.filled) return;
        // Nothing of ours runs here but this call (it is filled once, and leftovers are ended at start-up), so a lock
        // beside a missing index is a dead one's.
        rmSync(join(admin.folder, "index.lock"), { force: true });
        const safe = await filtersOff(git, path);
        const args = ["reset", "--quiet", "--hard", "--no-recurse-submodules"];
        await safe.run(args, { cwd: path, timeoutMs: CHECKOUT_TIMEOUT_MS });
      }),
    async rebase(path, branch, onto) {
      const admin = adminOf(commonDir, path);
      return admin === null ? [] : rebase(await filtersOff(git, path), admin, { path, branch, onto });
    },
    fillSubmodules: (path, branch) => fillSubmodules(git, path, branch),
    async worktreeState(path) {
      const admin = adminOf(commonDir, path);
      if (admin === null) return "absent";
      return admin.filled ? "filled" : "empty";
    },

    work: (path, only) => looking(async () => readWork(await remembered(git, path), commonDir, path, only ?? null)),
    commitsSince: (from, to, base) => readCommits(git, from, to, base),

    async unsaved(path, branch, base) {
      const filled = isFilled(commonDir, path);
      const files = filled ? (await changedPaths(await filtersOff(git, path), path)).length : 0;
      if ((await resolveCommit(git, `refs/heads/${branch}`)) === null) return { files, commits: 0 };
      // The branch the session began from may have been renamed since: then what no other branch has.
      const landed = (await resolveCommit(git, `refs/heads/${base}`)) !== null;
      const others = landed ? [`refs/heads/${base}`] : [`--exclude=${branch}`, "--branches"];
      const args = ["rev-list", "--count", `refs/heads/${branch}`, "--not", ...others, "--remotes"];
      return { files, commits: Number(await git.text(args)) };
    },
    save: async (order) => save(await filtersOff(git, order.path), commonDir, order),
    removeWorktree: (path, saved) =>
      adding(async () => {
        if (saved !== null) await refuseIfNew(await filtersOff(git, path), commonDir, path, saved);
        await removeWorktree(git, commonDir, path);
      }),
    async deleteBranch(branch, at) {
      const tip = await resolveCommit(git, `refs/heads/${branch}`);
      if (tip === null) return;
      if (tip !== at) throw new Failed({ kind: "branch.moved", branch });
      await git.run(["update-ref", "-d", `refs/heads/${branch}`, at]);
    },

    backups: () => backups(git),
    restore: async (order) => restore(await filtersOff(git, null), self, order),
  };
  return self;
}

/** Somebody may have worked there since it was saved: in a restart's time, or in a moment. */
async function refuseIfNew(git: GitRunner, commonDir: string, path: string, saved: Saved): Promise<void> {
  if (adminOf(commonDir, path) === null) return;
  const { head, tree } = await contentOf(git, commonDir, path, saved.tip);
  if (head !== saved.head || !(await nothingNew(git, saved.tree, tree)))
    throw new Failed({ kind: "worktree.changed", path });
}

/** `--force` twice removes a locked one; what a killed removal left has no `.git` file any more and is finished by hand. */
async function removeWorktree(git: GitRunner, commonDir: string, path: string): Promise<void> {
  const records = recordsFor(commonDir, path);
  if (adminOf(commonDir, path) !== null) await git.run(["worktree", "remove", "--force", "--force", path]);
  else if (records.length > 0) rmSync(path, { recursive: true, force: true });
  for (const { folder } of records) rmSync(folder, { recursive: true, force: true });
}

async function refs(
  git: GitRunner,
  prefix: string,
  shorten: (name: string) => string | null,
): Promise<Map<Branch, Commit>> {
  const fields = await git.fields(["for-each-ref", "--format=%(refname)%00%(objectname)%00", prefix]);
  const found = new Map<Branch, Commit>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = shorten((fields[i] ?? "").trim().slice(prefix.length)) as Branch | null;
    if (name !== null && !found.has(name)) found.set(name, fields[i + 1] as Commit);
  }
  return found;
}

/** `origin/feat/a` is `feat/a`; the remote's own HEAD is no branch. */
function withoutRemote(name: string): string | null {
  const short = name.slice(name.indexOf("/") + 1);
  return short === "HEAD" ? null : short;
}

function parseWorktrees(fields: readonly string[]): WorktreeInfo[] {
  const found: WorktreeInfo[] = [];
  let lines: string[] = [];
  for (const field of [...fields, ""]) {
    if (field !== "") lines.push(field);
    else if (lines.length > 0) {
      found.push(parseWorktree(lines, found.length === 0));
      lines = [];
    }
  }
  return found;
}

function parseWorktree(lines: readonly string[], main: boolean): WorktreeInfo {
  const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const path = value("worktree") ?? "";
  const branch = (value("branch")?.replace(/^refs\/heads\//, "") ?? null) as Branch | null;
  const ours = value("locked") === OURS;
  return { path, branch, main, missing: !main && !existsSync(join(path, ".git")), ours };
}
