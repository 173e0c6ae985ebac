import { Failed } from "../../core/failure/failed.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Journal } from "../journal/journal.ts";
import type { Place } from "../loop/place.ts";
import { layLog } from "./lay-log.ts";
import type { PaneAgent } from "./pane-agent.ts";

const MOST_BYTES = 10 * 1024 * 1024;

interface Needs extends Pick<Ports, "files" | "tmux" | "tokens"> {
  readonly journal: Journal;
  readonly place: Pick<Place, "root">;
}

/**
 * Looks after a pane's log, which tmux itself writes so that it goes on without us: tokens are blanked a moment after
 * they were shown, and a log that has grown large is laid aside. One that somebody has put something else in the place of
 * is left alone: it must not keep us from looking at the agents.
 */
export async function keepLog(context: Needs, agent: PaneAgent): Promise<void> {
  try {
    await keep(context, agent);
  } catch (error) {
    if (!(error instanceof Failed) || !/^(file|path)\./.test(error.failure.kind)) throw error;
  }
}

async function keep(context: Needs, agent: PaneAgent): Promise<void> {
  const { files, tmux, journal, tokens } = context;
  const { log } = agent.of;
  const end = await files.blank(log, agent.logged, (word) => journal.tokens.has(tokens.digest(word)));
  agent.logged = end;
  if (end < MOST_BYTES) return;
  await files.rotate(log);
  await layLog(context, log);
  await tmux.log(agent.pane, log);
  agent.logged = 0;
}
