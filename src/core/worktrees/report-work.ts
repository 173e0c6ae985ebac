import type { Message } from "../messages/messages.ts";
import { remaining } from "../messages/roster.ts";
import type { AgentId, Branch, Commit } from "../text/ids.ts";
import { SUPERVISOR } from "../text/ids.ts";
import { below } from "../text/paths.ts";

/** A worktree as it was at one look. */
export interface WorktreeStatus {
  readonly branch: Branch | null;
  /** What is modified, each with what it is now: another text once it has changed. */
  readonly files: ReadonlyMap<string, string>;
}

/** A sight after a look at some paths and what lies below them. */
export function patchStatus(before: WorktreeStatus, paths: readonly string[], seen: WorktreeStatus): WorktreeStatus {
  const kept = [...before.files].filter(([file]) => !paths.some((path) => below(file, path)));
  const files = [...kept, ...seen.files].sort(([a], [b]) => (a < b ? -1 : 1));
  return { branch: seen.branch, files: new Map(files) };
}

export const sameContent = (a: WorktreeStatus, b: WorktreeStatus): boolean =>
  a.files.size === b.files.size && [...a.files].every(([file, state]) => b.files.get(file) === state);

export interface WorkFacts {
  readonly agent: AgentId;
  /** The look before; null at the first one of a supervisor's life. */
  readonly before: WorktreeStatus | null;
  readonly now: WorktreeStatus;
  /** Files of what was committed since it was last told; null where nothing was. */
  readonly committed: readonly string[] | null;
  /** Those commits were told before, under other names. */
  readonly anew?: boolean;
  /** What the roster says it has modified. */
  readonly known: readonly string[];
  /** Where its commits belong; null for one that came by itself. */
  readonly branch: Branch | null;
}

export interface WorkNews {
  readonly messages: readonly Message[];
  /** Nothing but the content of files that were modified before: it can wait for more of the same. */
  readonly minor: boolean;
}

/**
 * What the others should know of a look at a worktree: a commit with its files, the whole set of modified files when it
 * has changed, a branch that is not its own. At the first look the roster is put right, and a clean worktree is no news.
 * What an agent says of its files is added to what can be seen, and hides nothing of it.
 */
export function reportWork(facts: WorkFacts): WorkNews {
  const { agent, before, now, committed, known } = facts;
  const messages: Message[] = [];
  if (committed !== null)
    messages.push({
      type: "agent.artifact",
      agent_id: agent,
      payload: {
        status: "committed",
        exports: [],
        modified_files: committed,
        observed: true,
        ...(facts.anew && { anew: true }),
      },
    });
  const left = committed === null ? known : remaining(known, committed);
  const files = [...now.files.keys()];
  const expected = before === null || committed !== null ? left : [...before.files.keys()];
  const otherSet = !sameSet(expected, files);
  const otherContent = before !== null && committed === null && !sameContent(before, now);
  const unsaid = files.filter(isMissingIn(left));
  if (otherSet || otherContent) messages.push(working(agent, files));
  else if (unsaid.length > 0) messages.push(working(agent, [...left, ...unsaid]));
  messages.push(...straying(facts));
  return { messages, minor: otherContent && !otherSet && messages.length === 1 };
}

/**
 * That an agent's branch was deleted while its worktree is on it: its next commit begins a history of its own. `last` is
 * the commit the branch was seen at; null where it never had one.
 */
export function branchLoss(branch: Branch | null, now: Pick<WorktreeStatus, "branch"> & Seen): string | null {
  const { head, last } = now;
  if (branch === null || now.branch !== branch || head !== null || last === null) return null;
  return `Its branch ${branch} was deleted. \`git branch ${branch} ${last}\` brings it back as it was last seen.`;
}

interface Seen {
  readonly head: Commit | null;
  readonly last: Commit | null;
}

const sameSet = (a: readonly string[], b: readonly string[]): boolean => {
  const set = new Set(a);
  return set.size === new Set(b).size && b.every((each) => set.has(each));
};

const isMissingIn = (names: readonly string[]) => {
  const known = new Set(names);
  return (name: string): boolean => !known.has(name);
};

const working = (agent: AgentId, files: readonly string[]): Message => ({
  type: "agent.status",
  agent_id: agent,
  payload: { status: "working", modified_files: files, message: inWords(files), complete: true },
});

const NAMED = 3;

function inWords(files: readonly string[]): string {
  if (files.length === 0) return "nothing uncommitted any more";
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : "";
  return `editing ${files.slice(0, NAMED).join(", ")}${more}`;
}

/** Told once, when it goes astray. A HEAD without a branch is a rebase, which comes back. */
function straying({ agent, before, now, branch }: WorkFacts): Message[] {
  if (branch === null || now.branch === null || now.branch === branch) return [];
  if (before !== null && before.branch === now.branch) return [];
  const error = `[branch-guard] your worktree is on ${now.branch}, your branch is ${branch}: \`git switch ${branch}\` before you commit`;
  return [{ type: "agent.feedback", agent_id: agent, payload: { from: SUPERVISOR, errors: [error] } }];
}
