import { existsSync } from "node:fs";
import { Failed } from "../../core/failure/failed.ts";
import { nearest } from "../../core/text/nearest.ts";
import { openReader } from "../supervisor/reader.ts";
import type { Repository } from "../wire/find-repository.ts";

/** The worktree of the agent with this id or branch. Rejects with `agent.unknown`, or where its folder is gone. */
export async function findWorktree(repository: Repository, name: string): Promise<{ id: string; worktree: string }> {
  const reader = await openReader(repository);
  const { agents, session } = await reader.snapshot().finally(() => reader.close());
  if (session === null) throw new Failed({ kind: "session.none" });
  const found = agents.find(({ id, branch }) => id === name || branch === name);
  if (found === undefined || found.worktree === null) {
    const known = agents.map(({ id }) => id);
    throw new Failed({ kind: "agent.unknown", agent: name, known, near: nearest(name, known) });
  }
  if (!existsSync(found.worktree))
    throw new Failed({
      kind: "usage",
      message: `The worktree of ${found.id} does not exist: ${found.worktree}.`,
      hint: "`banksman start` makes it again from its branch.",
    });
  return { id: found.id, worktree: found.worktree };
}
