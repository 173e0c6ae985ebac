import { createRefresher } from "../../async/refresher.ts";
import { assignmentsOf, sessionOf } from "../../core/session/read-session.ts";
import { iso } from "../../core/text/instant.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Journal } from "../journal/journal.ts";
import type { Place } from "../loop/place.ts";

/** Keeps the seed's session file in step with the journal: for people and scripts to read, never read back by us. */
export function createReceipt({
  journal,
  files,
  place,
}: Pick<Ports, "files"> & { readonly journal: Journal; readonly place: Place }): () => Promise<void> {
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
    broker_enabled: session.broker,
    worktrees: assignmentsOf(journal).map(({ branch, worktree, cli }) => ({
      branch,
      worktree_path: worktree,
      cli: cli.name,
    })),
  };
  return `${JSON.stringify(receipt, null, 2)}\n`;
}
