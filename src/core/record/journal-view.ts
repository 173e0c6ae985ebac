import type { Question } from "../messages/questions.ts";
import type { RosterEntry } from "../messages/roster.ts";
import type { AgentId } from "../text/ids.ts";
import type { LaneReader } from "./lane.ts";
import type { PublishView } from "./publish.ts";

/** The journal as rules read it: what is so now, in the middle of a transaction. */
export interface JournalView extends PublishView, LaneReader {
  readonly roster: ReadonlyMap<AgentId, RosterEntry>;
  /** Open, or answered and not yet handed over. */
  readonly openQuestions: ReadonlyMap<number, Question>;
}
