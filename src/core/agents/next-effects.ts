import { GO_ON } from "../clis/first-prompt.ts";
import { writePermission } from "../messages/permission.ts";
import type { Instant, RunId } from "../text/ids.ts";
import { type Assignment, runId } from "./assignment.ts";
import type { Draft } from "./draft.ts";
import type { AssignmentEffect, LaunchOrder } from "./effects.ts";
import type { AssignmentFacts } from "./facts.ts";

/** The next thing that is missing. The same facts twice ask for nothing the second time. */
export function nextEffects(draft: Draft): readonly AssignmentEffect[] {
  const { assignment, facts } = draft;
  if (draft.undo !== null) return [draft.undo];
  if (assignment.wanted !== "up")
    return facts.alive !== null ? [{ type: "agent.end", run: facts.alive }] : removing(assignment, facts);
  if (isBeyondDoubt(assignment, facts)) draft.send({ type: "worktree.checked" });
  if (needsMending(assignment, facts)) {
    const { worktree: path, branch, from, ready: used } = assignment;
    return [{ type: "worktree.mend", path, branch, from, used }];
  }
  if (assignment.ended !== null && assignment.live === null) return [];
  if (facts.alive !== null && (assignment.ended !== null || assignment.live === null))
    return [{ type: "agent.end", run: facts.alive }];
  if (facts.worktree === "absent" && assignment.live === null) {
    const { worktree: path, branch, from } = assignment;
    // A worktree that is made again is set up again.
    draft.send({ type: "worktree.missing" });
    return [{ type: "worktree.add", path, branch, from }];
  }
  return settingUp(draft) ?? running(draft);
}

/** Also that of one that has ended: its work is there, and somebody will look at it. Not what could not be mended before. */
function needsMending({ ours, live, ended, unchecked }: Assignment, { worktree }: AssignmentFacts): boolean {
  if (!ours.worktree || live !== null || ended?.failure) return false;
  return worktree === "broken" || (worktree === "filled" && unchecked);
}

/** A program that lives has seen no power cut; and what is not checked out yet will be. */
const isBeyondDoubt = ({ unchecked, ours }: Assignment, { alive, worktree }: AssignmentFacts): boolean =>
  unchecked && (alive !== null || !ours.worktree || worktree === "absent" || worktree === "empty");

/** Null once its worktree is ready for it. */
function settingUp({ assignment, facts }: Draft): readonly AssignmentEffect[] | null {
  const { agent, worktree: path, branch, setUp, log, ready, ours } = assignment;
  // Only where nobody can have worked yet: a lost index looks the same, and filling would be a hard reset.
  if (facts.worktree === "empty" && !ready && ours.worktree) return [{ type: "worktree.fill", path }];
  return ready ? null : [{ type: "worktree.set-up", agent, path, branch, setUp, log }];
}

function running(draft: Draft): readonly AssignmentEffect[] {
  const { assignment, facts } = draft;
  const { live, terminal, paused, briefed } = assignment;
  if (live === null) return [launching(assignment, facts.now)];
  if (isBareShell(draft)) {
    draft.relaunch();
    return [launching(assignment, facts.now)];
  }
  if (paused) return handingOver(live, draft);
  const hasBrief = !terminal || briefed === live;
  const said = [...handingOver(live, draft), ...(hasBrief ? telling(live, draft) : briefing(live, draft))];
  return said.length === 0 && isDone(draft) ? [{ type: "agent.dismiss", run: live }] : said;
}

/**
 * A shell stands where the agent should be, which was never told anything: tried once more, in the same pane. One that
 * was may have done its work, however quickly.
 */
const isBareShell = ({ assignment: { briefed, live, relaunched, paused }, facts: { needsPerson } }: Draft): boolean =>
  needsPerson?.at === "shell" && needsPerson.untouched === true && briefed !== live && !relaunched && !paused;

/** It rests, and nothing will come that it waits for: no answer, and nobody who is to unblock it. */
function isDone({ facts, cursor }: Draft): boolean {
  if (!facts.resting || facts.asked.length > 0 || facts.roster.state === "blocked") return false;
  return facts.newest <= Math.max(cursor.delivered, cursor.told);
}

/** Saved, then removed, then forgotten; a step further only when the one before is observed or recorded. */
function removing(assignment: Assignment, facts: AssignmentFacts): readonly AssignmentEffect[] {
  const { wanted, removal, ours, worktree: path, branch, from, saved } = assignment;
  if (wanted !== "gone" || removal === null || removal.keepWorktree || !ours.worktree) return [];
  if (saved === null) return [{ type: "work.save", path, branch, from, ref: removal.ref }];
  if (!removal.cleared) return [{ type: "worktree.remove", path, branch, saved }];
  const deleted = facts.settled.some(({ effect }) => effect.type === "branch.delete");
  return ours.branch && saved.tip !== null && !deleted ? [{ type: "branch.delete", branch, at: saved.tip }] : [];
}

function launching(assignment: Assignment, now: Instant): AssignmentEffect {
  const { cli, worktree, branch, brief, terminal, port, log, conversation, conversationSince } = assignment;
  const { toldMore, launches } = assignment;
  const how = { terminal, port, log, conversation, conversationSince, toldMore, again: launches > 0 };
  const order: LaunchOrder = { cli, worktree, branch, brief, ...how };
  return { type: "agent.launch", agent: assignment.agent, run: runId(assignment, now), order };
}

/** What could not be handed over this tick waits for the next: the process is on its way out. */
function handingOver(live: RunId, draft: Draft): AssignmentEffect[] {
  const tried = draft.facts.settled.flatMap(({ effect }) => (effect.type === "agent.answer" ? [effect.question] : []));
  const byCode = draft.byRule.map(
    ({ request, rule }): AssignmentEffect => ({
      type: "agent.answer",
      run: live,
      request,
      question: null,
      answer: writePermission({ allow: true, note: "" }),
      rule,
    }),
  );
  const byPerson = draft
    .unhanded()
    .flatMap(({ run, request, number, closed }): AssignmentEffect[] =>
      run === live && request !== null && closed?.how === "answered" && !tried.includes(number)
        ? [{ type: "agent.answer", run: live, request, question: number, answer: closed.answer }]
        : [],
    );
  return [...byCode, ...byPerson];
}

/** As its first prompt, once it is at its prompt. */
function briefing(live: RunId, { assignment, facts }: Draft): AssignmentEffect[] {
  const tried = facts.settled.some(({ effect }) => effect.type === "agent.brief");
  const brief = assignment.resumes ? GO_ON : (assignment.opening ?? assignment.brief);
  return facts.listens && !tried ? [{ type: "agent.brief", run: live, brief }] : [];
}

/** Again and again while there is something left, but not again at once after it could not be told. */
function telling(live: RunId, { assignment, facts, cursor }: Draft): AssignmentEffect[] {
  const failed = facts.settled.some(
    ({ effect, outcome }) => effect.type === "agent.tell" && !(outcome.ok && "told" in outcome && outcome.told),
  );
  // What it began with is not told again before it is known whether it has heard it.
  const isNews = assignment.unconfirmed === null;
  return isNews && facts.listens && facts.newest > Math.max(cursor.delivered, cursor.told) && !failed
    ? [{ type: "agent.tell", agent: assignment.agent, run: live }]
    : [];
}
