import type { House } from "./house.ts";
import type { PaneAgent } from "./pane-agent.ts";

const MOST_BYTES = 10 * 1024 * 1024;

/**
 * Looks after a pane's log, which tmux itself writes so that it goes on without us: tokens are blanked a moment after
 * they were shown, and a log that has grown large is laid aside.
 */
export async function keepLog(
  { files, tmux, journal, tokens }: Pick<House, "files" | "tmux" | "journal" | "tokens">,
  agent: PaneAgent,
): Promise<void> {
  const { log } = agent.of;
  const end = await files.blank(log, agent.logged, (word) => journal.tokens.has(tokens.digest(word)));
  agent.logged = end;
  if (end < MOST_BYTES) return;
  await files.rotate(log);
  await tmux.log(agent.pane, log);
  agent.logged = 0;
}
