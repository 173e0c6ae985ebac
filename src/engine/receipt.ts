import { iso } from "../core/instant.ts";
import type { House } from "./house.ts";
import type { Journal } from "./journal.ts";
import { runsOf, sessionOf } from "./look.ts";
import { createRefresher } from "./refresher.ts";

/** Keeps the seed's session file in step with the journal: for people and scripts to read, never read back by us. */
export function createReceipt({
  journal,
  files,
  place,
}: Pick<House, "journal" | "files" | "place">): () => Promise<void> {
  const path = `${place.state}/sessions/${place.session}.json`;
  let written: string | null = null;
  return createRefresher(async () => {
    const text = receiptOf(journal);
    if (text === written) return;
    await (text === "" ? files.remove(path) : files.write(path, text, 0o600));
    written = text;
  });
}

function receiptOf(journal: Journal): string {
  const session = sessionOf(journal);
  if (session === null) return "";
  const receipt = {
    session_name: session.name,
    repo_path: session.root,
    project_name: session.project,
    created_at: iso(session.createdAt),
    status: session.status,
    broker_port: Number(journal.settings.get("port") ?? 0),
    broker_enabled: true,
    worktrees: runsOf(journal).map(({ branch, worktree, cli }) => ({ branch, worktree_path: worktree, cli: cli.name })),
  };
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
