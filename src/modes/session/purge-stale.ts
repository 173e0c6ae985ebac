import { explain } from "../../core/explain.ts";
import { Failed } from "../../core/failure.ts";
import type { AgentId, Branch } from "../../core/ids.ts";
import { backupRef } from "../../core/naming.ts";
import { judgeWorktree, type StaleEntry, type StaleResult } from "../../core/stale.ts";
import type { House } from "../../engine/house.ts";
import { everyRun, sessionOf } from "../../engine/look.ts";
import { closeSession } from "../../engine/session-panes.ts";
import type { WorktreeInfo } from "../../ports/git.ts";

/**
 * What dead sessions have left in this repository, or removing it: worktrees of ours that no run knows, panes without a
 * session, folders of agents that are not there. Uncommitted files are saved first; branches stay.
 */
export async function purgeStale(house: House, look: boolean): Promise<StaleResult> {
  const [worktrees, panes, folders] = [await staleWorktrees(house), await stalePanes(house), await staleFolders(house)];
  const found = { removed: [...worktrees.removed, ...panes, ...folders], kept: worktrees.kept };
  if (look) return found;
  const removed: StaleEntry[] = [];
  const kept = [...found.kept];
  for (const entry of found.removed) {
    try {
      removed.push(await remove(house, entry, worktrees.branches.get(entry.path) ?? null));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      kept.push({ ...entry, why: explain(error.failure).message });
    }
  }
  return { removed, kept };
}

async function staleWorktrees({ git, files, journal, place }: House) {
  const known = new Set(everyRun(journal).map(({ worktree }) => worktree));
  const removed: StaleEntry[] = [];
  const kept: StaleEntry[] = [];
  const branches = new Map<string, Branch>();
  for (const worktree of await git.worktrees()) {
    const { path, branch, missing } = worktree;
    const seen = { ...worktree, known: known.has(path), inUse: missing ? false : await files.inUse(path) };
    const verdict = worktree.main ? null : judgeWorktree(place.root, seen);
    if (verdict === null) continue;
    const entry = { kind: "worktree" as const, path, why: verdict.why, files: 0, backup: null };
    if (verdict.goes) removed.push({ ...entry, files: await uncommitted({ git }, worktree) });
    else kept.push(entry);
    if (branch !== null && !missing) branches.set(path, branch);
  }
  return { removed, kept, branches };
}

async function uncommitted({ git }: Pick<House, "git">, { path, missing }: WorktreeInfo): Promise<number> {
  if (missing || (await git.worktreeState(path)) !== "filled") return 0;
  return (await git.dirtyFiles(path)).length;
}

/** A tmux session of ours that nothing is recorded about: its journal is gone. */
async function stalePanes({ tmux, journal, place }: House): Promise<StaleEntry[]> {
  if (sessionOf(journal) !== null || (await tmux.look(place.session))?.owner !== place.state) return [];
  const why = "panes in tmux of which no session is recorded";
  return [{ kind: "panes", path: place.session, why, files: 0, backup: null }];
}

async function staleFolders({ files, journal, place }: House): Promise<StaleEntry[]> {
  const agents: readonly string[] = everyRun(journal).map(({ agent }) => agent);
  const left = (await files.list(`${place.state}/agents`)).filter((name) => !agents.includes(name));
  return left.map((name) => ({
    kind: "folder",
    path: `${place.state}/agents/${name}`,
    why: `settings for ${name}, which is no agent of this session`,
    files: 0,
    backup: null,
  }));
}

async function remove(house: House, entry: StaleEntry, branch: Branch | null): Promise<StaleEntry> {
  const { git, files, clock } = house;
  if (entry.kind === "panes") await closeSession(house);
  else if (entry.kind === "folder") await files.remove(entry.path);
  else if (branch === null) await git.removeWorktree(entry.path, null);
  else {
    const { path } = entry;
    const name = path.slice(path.lastIndexOf("/") + 1).replaceAll(/[^a-z0-9_-]/g, "-") as AgentId;
    const at = clock.now();
    const from = (await git.branches()).get(branch) ?? null;
    const saved = await git.save({ path, branch, from, ref: backupRef(name, at), at });
    await git.removeWorktree(path, saved);
    return { ...entry, files: saved.files, backup: saved.ref };
  }
  return entry;
}
