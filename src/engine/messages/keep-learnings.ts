import { createRefresher } from "../../async/refresher.ts";
import { Learner, type Learning } from "../../core/learnings/learnings.ts";
import { appendLearnings, LEARNINGS_FILE } from "../../core/learnings/learnings-file.ts";
import { sessionOf } from "../../core/session/read-session.ts";
import { SESSION_LANE } from "../../core/session/session.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Recording } from "../journal/recording.ts";
import type { Place } from "../loop/place.ts";

/** How long news may wait: a file that people read need not change under their eyes. */
const QUIET_MS = 60_000;
const AT_ONCE = 1_000;

interface Needs extends Recording, Pick<Ports, "store" | "files"> {
  readonly place: Pick<Place, "root">;
  settings(): Promise<SessionSettings>;
}

export interface Learnings {
  /** The last time: with what is still open, if the session has stopped. Does not reject. */
  end(): Promise<void>;
}

/**
 * Writes what the messages show about the session into the repository, where that is wanted. All of it is derived from
 * the journal, from its beginning; the file says what it has already.
 */
export function keepLearnings(context: Needs, onError: (error: unknown) => void): Learnings {
  const { journal, clock } = context;
  const learner = new Learner();
  let heard = 0;
  let unwritten: Learning[] = [];
  let cancel: (() => void) | null = null;

  const hearAll = async (): Promise<void> => {
    for (;;) {
      const page = await context.store.log(heard, AT_ONCE);
      for (const stored of page) {
        unwritten.push(...learner.hear(stored));
        heard = stored.seq;
      }
      if (page.length === 0) return;
    }
  };
  const write = createRefresher(async () => {
    if (!(await context.settings()).learnings) return;
    await hearAll();
    const stopped = sessionOf(journal)?.status === "stopped";
    const learned = [...unwritten, ...(stopped ? learner.unresolved() : [])];
    if (learned.length === 0) return;
    const { root } = context.place;
    const file = appendLearnings((await context.files.readInside(root, LEARNINGS_FILE)) ?? "", learned, clock.now());
    if (file !== null) await context.files.writeInside(root, LEARNINGS_FILE, file, 0o644);
    unwritten = [];
  });
  const writeNow = (): Promise<void> => {
    cancel?.();
    cancel = null;
    return write().catch(onError);
  };
  const stop = journal.onStored((changes) => {
    const stopped = changes.some(
      (change) => change.row === "lane" && "put" in change && change.put.lane === SESSION_LANE.key,
    );
    if (stopped && sessionOf(journal)?.status === "stopped") void writeNow();
    else if (changes.some(({ row }) => row === "message")) cancel ??= clock.after(QUIET_MS, () => void writeNow());
  });
  return {
    end() {
      stop();
      return writeNow();
    },
  };
}
