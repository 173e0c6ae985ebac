import { freshCursor } from "../messages/cursors.ts";
import { withdrawn } from "../messages/questions.ts";
import type { Change } from "../record/changes.ts";
import type { Step } from "../record/step.ts";
import type { AgentId } from "../text/ids.ts";
import { type Assignment, endedByFailure } from "./assignment.ts";
import { describeAssignment } from "./describe-assignment.ts";
import { Draft } from "./draft.ts";
import type { AssignmentEffect, AssignmentEffectType } from "./effects.ts";
import type { AssignmentFacts } from "./facts.ts";
import { nextEffects } from "./next-effects.ts";
import type { AssignmentEvent } from "./reduce-assignment.ts";

/** One turn of an agent's lane: fold in what happened, then ask for the next thing that is missing. */
export function decideAssignment(
  assignment: Assignment,
  facts: AssignmentFacts,
): Step<AssignmentEvent, AssignmentEffect> {
  const draft = new Draft(assignment, facts);
  draft.fold();
  const effects = failIfRepeated(draft, nextEffects(draft));
  const { events, changes } = draft;
  if (draft.assignment.wanted === "gone" && effects.length === 0)
    return { events: [...events, { type: "removed" }], changes: [...changes, ...leaving(draft)], effects };
  const row = describeAssignment(
    { assignment: draft.assignment, effects, waiting: draft.waiting(), ...facts },
    facts.roster,
  );
  return { events, changes: row === facts.roster ? changes : [...changes, { row: "roster", put: row }], effects };
}

const ONCE: ReadonlySet<AssignmentEffectType> = new Set([
  "worktree.add",
  "worktree.fill",
  "worktree.mend",
  "worktree.remove",
  "agent.end",
  "agent.dismiss",
  "work.save",
]);

/** What was just done and is asked for again at once did not help: reported instead of repeated for ever. */
function failIfRepeated(draft: Draft, effects: readonly AssignmentEffect[]): readonly AssignmentEffect[] {
  const { settled, now } = draft.facts;
  const done = settled.filter(({ outcome }) => !(outcome.ok && outcome.skipped));
  const again = effects.find(({ type }) => ONCE.has(type) && done.some(({ effect }) => effect.type === type));
  if (again === undefined) return effects;
  draft.failed(again, endedByFailure({ kind: "internal", detail: `${again.type} had no effect` }, now));
  return [];
}

/** Nothing of it stays to be answered, and whoever has this id next does not hear what was meant for this one. */
function leaving({ assignment: { agent }, facts: { head, asked, now } }: Draft): Change[] {
  return [
    ...forgotten(agent, head),
    ...asked.map((question): Change => ({ row: "question", put: withdrawn(question, now) })),
  ];
}

const forgotten = (agent: AgentId, head: number): Change[] => [
  { row: "roster", drop: agent },
  { row: "intent", drop: agent },
  { row: "cursor", put: freshCursor(agent, head) },
];
