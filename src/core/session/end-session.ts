import { CONFLICT_LANE } from "../conflicts/open-conflicts.ts";
import { freshCursor } from "../messages/cursors.ts";
import { withdrawn } from "../messages/questions.ts";
import type { Change } from "../record/changes.ts";
import type { JournalView } from "../record/journal-view.ts";
import { send } from "../record/lane.ts";
import type { Reaction } from "../record/step.ts";
import { type Instant, SUPERVISOR } from "../text/ids.ts";
import { SESSION_LANE } from "./session.ts";

/** What ends with a session: its questions and alarms, and what its supervisor had still to read. Its log stays. */
export function endSession(view: JournalView, now: Instant): Reaction {
  const questions = [...view.openQuestions.values()].map(
    (question): Change => ({ row: "question", put: withdrawn(question, now) }),
  );
  return {
    sends: [send(SESSION_LANE, { type: "ended" }), send(CONFLICT_LANE, { type: "found", open: [], told: [] })],
    changes: [
      ...questions,
      { row: "roster", drop: SUPERVISOR },
      { row: "cursor", put: freshCursor(SUPERVISOR, view.head) },
    ],
  };
}
