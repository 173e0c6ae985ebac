import { explainInFull } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import { everyAssignment, sessionOf } from "../../core/session/read-session.ts";
import { judgeWorktree, type StaleEntry, type StaleResult } from "../../core/session/stale.ts";
import type { AgentId, Branch } from "../../core/text/ids.ts";
import { backupRef } from "../../core/text/naming.ts";
import type { EngineContext } from "../../engine/context.ts";
import { closeSession } from "../../engine/session/session-panes.ts";
import type { WorktreeInfo } from "../../ports/git.ts";

type Sweeping = Pick<EngineContext, "clock" | "files" | "git" | "journal" | "place" | "tmux">;

/**
 * What dead sessions have left in this repository, or removing it: worktrees of ours that no run knows, panes without a
 * session, folders of agents that are not there. Uncommitted files are saved first; branches stay.
 */
export async function purgeStale(context: Sweeping, look: boolean): Promise<StaleResult> {
  const [worktrees, panes, folders] = [
    await staleWorktrees(context),
    await stalePanes(context),
    await staleFolders(context),
  ];
  const found = { removed: [...worktrees.removed, ...panes, ...folders], kept: worktrees.kept };
  if (look) return found;
  const removed: StaleEntry[] = [];
  const kept = [...found.kept];
  for (const entry of found.removed) {
    try {
      removed.push(await remove(context, entry, worktrees.branches.get(entry.path) ?? null));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      kept.push({ ...entry, why: explainInFull(error.failure) });
    }
  }
  return { removed, kept };
}

async function staleWorktrees({
  git,
  files,
  journal,
  place,
}: Pick<EngineContext, "git" | "files" | "journal" | "place">) {
  const known = new Set(everyAssignment(journal).map(({ worktree }) => worktree));
  const removed: StaleEntry[] = [];
  const kept: StaleEntry[] = [];
  const branches = new Map<string, Branch>();
  const judge = async (worktree: WorktreeInfo) => {
    const seen = { ...worktree, known: known.has(worktree.path), inUse: await inUse({ files }, worktree) };
    const verdict = worktree.main ? null : judgeWorktree(place.root, seen);
    return { worktree, verdict, holds: verdict?.goes ? await lookInto({ git }, worktree) : 0 };
  };
  for (const { worktree, verdict, holds } of await Promise.all((await git.worktrees()).map(judge))) {
    if (verdict === null) continue;
    const { path, branch } = worktree;
    const entry = { kind: "worktree" as const, path, why: verdict.why, files: 0, backup: null };
    if (typeof holds === "string") kept.push({ ...entry, why: holds });
    else (verdict.goes ? removed : kept).push({ ...entry, files: holds });
    if (branch !== null) branches.set(path, branch);
  }
  return { removed, kept, branches };
}

const inUse = async ({ files }: Pick<EngineContext, "files">, { path, missing }: WorktreeInfo) =>
  missing ? false : files.inUse(path);

/** How many uncommitted files it holds, or why it cannot be removed. */
async function lookInto({ git }: Pick<EngineContext, "git">, { path, branch }: WorktreeInfo): Promise<number | string> {
  try {
    return (await git.unsaved({ path, branch, base: null, branchStays: true })).files;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return explainInFull(error.failure);
  }
}

/** A tmux session of ours that nothing is recorded about: its journal is gone. */
async function stalePanes({
  tmux,
  journal,
  place,
}: Pick<EngineContext, "tmux" | "journal" | "place">): Promise<StaleEntry[]> {
  if (sessionOf(journal) !== null || (await tmux.look(place.session))?.owner !== place.state) return [];
  const why = "panes in tmux of which no session is recorded";
  return [{ kind: "panes", path: place.session, why, files: 0, backup: null }];
}

async function staleFolders({
  files,
  journal,
  place,
}: Pick<EngineContext, "files" | "journal" | "place">): Promise<StaleEntry[]> {
  const agents: readonly string[] = everyAssignment(journal).map(({ agent }) => agent);
  const left = (await files.list(`${place.state}/agents`)).filter((name) => !agents.includes(name));
  return left.map((name) => ({
    kind: "folder",
    path: `${place.state}/agents/${name}`,
    why: `settings for ${name}, which is no agent of this session`,
    files: 0,
    backup: null,
  }));
}

async function remove(context: Sweeping, entry: StaleEntry, branch: Branch | null): Promise<StaleEntry> {
  const { git, files, clock } = context;
  if (entry.kind === "panes") await closeSession(context);
  else if (entry.kind === "folder") await files.remove(entry.path);
  else {
    const { path } = entry;
    const name = path.slice(path.lastIndexOf("/") + 1).replaceAll(/[^a-z0-9_-]/g, "-") as AgentId;
    const at = clock.now();
    const saved = await git.save({ path, branch, base: null, branchStays: true, ref: backupRef(name, at), at });
    await git.removeWorktree(path, saved);
    return { ...entry, files: saved.files, backup: saved.ref };
  }
  return entry;
}
