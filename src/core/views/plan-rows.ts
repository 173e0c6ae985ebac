/** How many there are of each, and whether the log is wanted. */
export interface Wanted {
  readonly needs: number;
  readonly agents: number;
  readonly conflicts: number;
  readonly log: boolean;
}

/** How many lines each part gets, besides the first and the last line of the screen. */
export interface Rows {
  readonly needs: number;
  readonly agents: number;
  readonly conflicts: number;
  /** Messages; 0 is no log at all. */
  readonly log: number;
  /** Whether parts are set apart by an empty line. */
  readonly apart: boolean;
}

const FIXED = 2;
const ROOMY = 16;
/** What a log takes beside its messages: the line with the kinds. */
const LOG_HEAD = 1;
const LEAST_LOG = 3;
const MOST_NEEDS = 6;
const MOST_CONFLICTS = 5;

/**
 * Shares a screen out so that nothing is drawn over anything else: what needs a person comes first, then the agents, then
 * conflicts, and messages get what is left. On a small screen the log goes first.
 */
export function planRows(height: number, { needs, agents, conflicts, log }: Wanted): Rows {
  const apart = height >= ROOMY;
  const gap = apart ? 1 : 0;
  let left = Math.max(0, height - FIXED);
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(wanted, left));
    left -= taken;
    return taken;
  };
  const forNeeds = take(Math.min(needs, MOST_NEEDS, Math.max(2, Math.floor(left / 3))));
  const logTakes = log && apart ? gap + LOG_HEAD + LEAST_LOG : 0;
  const conflictsTake = conflicts > 0 ? gap + Math.min(conflicts, 2) : 0;
  take(gap);
  const forAgents = take(Math.min(agents, Math.max(4, left - logTakes - (apart ? conflictsTake : 0))));
  const isRoom = conflicts > 0 && left - logTakes >= gap + Math.min(conflicts, 2);
  if (isRoom) take(gap);
  const forConflicts = isRoom ? take(Math.min(conflicts, MOST_CONFLICTS, left - logTakes)) : 0;
  const forLog = log ? Math.max(0, left - gap - LOG_HEAD) : 0;
  return { needs: forNeeds, agents: forAgents, conflicts: forConflicts, log: forLog, apart };
}

/** How many of a list fit into these lines, and how many are only counted, on the last of them. */
export const shownOf = (count: number, rows: number): { readonly shown: number; readonly more: number } =>
  count <= rows ? { shown: count, more: 0 } : { shown: Math.max(0, rows - 1), more: count - Math.max(0, rows - 1) };
