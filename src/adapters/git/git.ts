import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { createRefresher } from "../../async/refresher.ts";
import { createTurns } from "../../async/turns.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentId, Branch, Commit, Instant } from "../../core/text/ids.ts";
import { backupRef } from "../../core/text/naming.ts";
import type { Command } from "../../ports/command.ts";
import type { Git, WorktreeInfo } from "../../ports/git.ts";
import { adminOf, clearHalfMade, gitFolderOf, isLockedByUs, lookAtDotGit, OURS, recordsOf } from "./admin.ts";
import { backups } from "./backups.ts";
import { readable } from "./bytes.ts";
import { writeExcludes } from "./excludes.ts";
import { flushDisk } from "./flush-disk.ts";
import { contentProgramsIn, type TrustedPrograms, untrustedIn } from "./guard.ts";
import type { RepositoryFolders } from "./locate.ts";
import { clearLocks } from "./locks.ts";
import { mendBranch, mendWorktree } from "./mend.ts";
import { resolveCommit, zeros } from "./objects.ts";
import { rebase } from "./rebase.ts";
import { type Proof, removeWorktree } from "./remove-worktree.ts";
import { restore } from "./restore.ts";
import { GitRunner, type Setting } from "./run.ts";
import { countUnsaved, save } from "./save.ts";
import { changedPaths } from "./status.ts";
import { fillSubmodules } from "./submodules.ts";
import { readCommits, readWork } from "./work.ts";
import { worktreeState } from "./worktree-state.ts";

/** Checkouts side by side: three are the fastest on two cores (0.53 of serial adds, measured); more only queue. */
const CHECKOUTS_AT_ONCE = 3;
/** After a restart, and every half minute, all worktrees are looked at: not by a hundred processes at once. */
const LOOKS_AT_ONCE = 4;
/** Saving and removing read and write whole trees: more of them at once only wait for the disk. */
const SAVES_AT_ONCE = 3;
/** A look is taken again and again: one that takes longer than this would only be in the way of the others. */
const LOOK_TIMEOUT_MS = 30_000;
const CHECKOUT_TIMEOUT_MS = 10 * 60_000;

/**
 * Git by its own binary. `excludes` is a file of patterns that hide what we put into worktrees. Without `trusted` no
 * program of the repository's own config runs.
 */
export function createGit(
  command: Command,
  place: RepositoryFolders,
  env: NodeJS.ProcessEnv,
  excludes: string,
  trusted: TrustedPrograms = () => new Map(),
): Git {
  const settings = (): Setting[] => (existsSync(excludes) ? [["core.excludesFile", excludes]] : []);
  const git = new GitRunner(command, place.root, env, { settings, trusted, commonDir: place.commonDir });
  const looks = git.within(LOOK_TIMEOUT_MS);
  const adding = createTurns(1);
  const filling = createTurns(CHECKOUTS_AT_ONCE);
  const looking = createTurns(LOOKS_AT_ONCE);
  const saving = createTurns(SAVES_AT_ONCE);
  const { commonDir } = place;

  const removing = {
    commonDir,
    flush: createRefresher(() => flushDisk(command, commonDir, env.PATH ?? "")),
  };
  const discard = (path: string, proof: Proof) => saving(() => removeWorktree(git, removing, path, proof));

  const self: Git = {
    async head() {
      // Not `--short`: where a tag has the same name, that is `heads/main`.
      const ref = await git.text(["symbolic-ref", "--quiet", "HEAD"], { answers: [1] });
      const branch = ref.replace(/^refs\/heads\//, "");
      const commit = await resolveCommit(git, "HEAD");
      if (commit === null) throw new Failed({ kind: "repository.unborn" });
      if (branch === "") throw new Failed({ kind: "repository.detached" });
      return { branch: branch as Branch, commit };
    },
    branches: async () => refs(git, "refs/heads/", (name) => name),
    remoteBranches: async () => refs(git, "refs/remotes/", withoutRemote),
    worktrees: async () => parseWorktrees(commonDir, await looks.fields(["worktree", "list", "--porcelain", "-z"])),
    async programs() {
      const found = await git.programs();
      const untrusted = untrustedIn(found, trusted());
      return [...contentProgramsIn(found)].map(([key, value]) => ({ key, value, trusted: !untrusted.has(key) }));
    },
    dirtyFiles: async (path) => (await changedPaths(git, { cwd: path })).map((each) => readable(each.path)),

    hide: (patterns) => writeExcludes(new GitRunner(command, place.root, env, { commonDir }), excludes, patterns, env),

    async ensureBranch(branch, from) {
      const args = ["update-ref", "-m", "branch: created by banksman", `refs/heads/${branch}`, from, zeros(from)];
      await git.run(args).catch(async (error: unknown) => {
        if ((await resolveCommit(git, `refs/heads/${branch}`)) !== null) return;
        if ((await mendBranch(git, commonDir, branch, from)) === null) throw error;
      });
    },
    addWorktree: (path, branch) =>
      adding(async () => {
        const admin = adminOf(commonDir, path);
        if (admin?.head === `ref: refs/heads/${branch}`) return;
        if (admin !== null) throw new Failed({ kind: "worktree.occupied", path });
        if (!existsSync(path)) await clearRecord(git, removing, path);
        if (!clearHalfMade(commonDir, path, branch)) throw occupied(commonDir, path);
        await git.run(["worktree", "add", "--quiet", "--no-checkout", "--lock", "--reason", OURS, path, branch]);
      }),
    releaseWorktree: (path) =>
      adding(async () => {
        // As `git worktree unlock` does, but also where its `.git` does not lead to the record any more.
        for (const record of recordsOf(commonDir, path))
          if (isLockedByUs(record)) rmSync(join(record.folder, "locked"));
      }),
    fillWorktree: (path) =>
      filling(async () => {
        const admin = adminOf(commonDir, path);
        if (admin === null) throw new Failed({ kind: "worktree.occupied", path });
        if (admin.filled) return;
        await refuseUntrusted(git, trusted(), path);
        // Nothing of ours runs here but this call (it is filled once, and leftovers are ended at start-up), so a lock
        // beside a missing index is a dead one's.
        rmSync(join(admin.folder, "index.lock"), { force: true });
        const args = ["reset", "--quiet", "--hard", "--no-recurse-submodules"];
        await git.run(args, { cwd: path, timeoutMs: CHECKOUT_TIMEOUT_MS, reach: "content" });
      }),
    async rebase(order) {
      const { path, branch, onto, save: where } = order;
      const admin = adminOf(commonDir, path);
      if (admin === null) return [];
      const saveFirst = async () =>
        (await save(git, commonDir, { path, branch, base: onto, branchStays: false, always: true, ...where })).ref;
      return rebase(git, admin, order, saveFirst);
    },
    fillSubmodules: (path, branch) => fillSubmodules(git, commonDir, path, branch),
    worktreeState: async (path, branch) => worktreeState(commonDir, path, branch),
    mendWorktree: (order) => filling(async () => mendWorktree(git, commonDir, order)),
    clearLocks: async (path, branch) => clearLocks(commonDir, adminOf(commonDir, path)?.folder ?? null, branch, path),

    work: (path, only) =>
      looking(async () => {
        // Without its own `.git`, git would answer for the checkout around it.
        if (gitFolderOf(commonDir, path) === null) throw lost(commonDir, path);
        return readWork(looks, commonDir, path, only ?? null);
      }),
    commitsSince: (from, to, base) => readCommits(git, from, to, base),

    unsaved: (order) => saving(() => countUnsaved(git, commonDir, order)),
    save: (order) => saving(() => save(git, commonDir, order)),
    removeWorktree: (path, saved) => discard(path, { saved }),
    async deleteBranch(branch, at) {
      const tip = await resolveCommit(git, `refs/heads/${branch}`);
      if (tip === null) return;
      if (tip !== at) throw new Failed({ kind: "branch.moved", branch });
      await git.run(["update-ref", "-d", `refs/heads/${branch}`, at]);
    },

    backups: () => backups(git),
    restore: (order) => restore(git, commonDir, { ...self, discard }, order),
  };
  return self;
}

/** A worktree whose folder somebody deleted: what only its record still holds is saved, then the record goes. */
async function clearRecord(
  git: GitRunner,
  removing: Parameters<typeof removeWorktree>[1],
  path: string,
): Promise<void> {
  const { commonDir } = removing;
  if (!recordsOf(commonDir, path).some(({ filled, head }) => filled || !head?.startsWith("ref: "))) return;
  const at = Date.now() as Instant;
  const name = basename(path).replaceAll(/[^a-z0-9_-]/g, "-") as AgentId;
  const order = { path, branch: null, base: null, branchStays: true, ref: backupRef(name, at), at };
  await removeWorktree(git, removing, path, { saved: await save(git, commonDir, order) });
}

/** A merge driver that is off is replaced by git's own merge, which is right or says that it cannot. A filter is not. */
async function refuseUntrusted(git: GitRunner, trusted: ReadonlyMap<string, string>, path: string): Promise<void> {
  const untrusted = untrustedIn(await git.programs({ cwd: path }), trusted);
  const keys = [...untrusted.keys()].filter((key) => !key.startsWith("merge."));
  if (keys.length > 0) throw new Failed({ kind: "repository.filters", keys });
}

/** Why no worktree can be made there: a folder of somebody else's, or what became of one of ours. */
function occupied(commonDir: string, path: string): Failed {
  const isKnown = recordsOf(commonDir, path).length > 0;
  const { is } = lookAtDotGit(commonDir, path);
  return new Failed(isKnown ? { kind: "worktree.strange", path, dotGit: is } : { kind: "worktree.occupied", path });
}

const lost = (commonDir: string, path: string): Failed =>
  new Failed(
    existsSync(path)
      ? { kind: "worktree.strange", path, dotGit: lookAtDotGit(commonDir, path).is }
      : { kind: "worktree.gone", path },
  );

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

function parseWorktrees(commonDir: string, fields: readonly string[]): WorktreeInfo[] {
  const found: WorktreeInfo[] = [];
  let lines: string[] = [];
  for (const field of [...fields, ""]) {
    if (field !== "") lines.push(field);
    else if (lines.length > 0) {
      found.push(parseWorktree(commonDir, lines, found.length === 0));
      lines = [];
    }
  }
  return found;
}

function parseWorktree(commonDir: string, lines: readonly string[], main: boolean): WorktreeInfo {
  const value = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const path = value("worktree") ?? "";
  const branch = (value("branch")?.replace(/^refs\/heads\//, "") ?? null) as Branch | null;
  const ours = value("locked") === OURS;
  const missing = !main && !existsSync(path);
  return { path, branch, main, missing, broken: !main && !missing && adminOf(commonDir, path) === null, ours };
}
