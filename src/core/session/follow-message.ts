import { agentLane } from "../agents/reduce-assignment.ts";
import { followNews } from "../conflicts/decide-conflicts.ts";
import type { Plans } from "../conflicts/plans.ts";
import { plansOf } from "../conflicts/plans-of.ts";
import { verificationLane } from "../gates/verification.ts";
import { LAND_LANE } from "../landing/reduce-landing.ts";
import { isFindingText } from "../messages/finding.ts";
import type { Message } from "../messages/messages.ts";
import { subject } from "../messages/roster.ts";
import type { JournalView } from "../record/journal-view.ts";
import { type Sent, send } from "../record/lane.ts";
import { isCommit, saying } from "../record/publish.ts";
import type { Reaction } from "../record/step.ts";
import { type AgentId, type Branch, type Instant, SUPERVISOR } from "../text/ids.ts";
import { everyAssignment, sessionOf, unclaimedSpecs } from "./read-session.ts";
import type { Session } from "./session.ts";

/** What has to be known from before a message is stored, to follow it up. */
export function beforeMessage(view: JournalView, message: Message): Plans | null {
  const agent = subject(message);
  return agent === null ? null : plansOf(view, agent);
}

/**
 * What follows from a message that was just stored, in the same commit: whoever waited for this commit goes on, the
 * supervisor is asked to verify it, and agents that now run into each other are told.
 */
export function* followMessage(
  view: JournalView,
  message: Message,
  before: Plans | null,
  now: Instant,
): Iterable<Reaction> {
  const session = sessionOf(view);
  if (isCommit(message)) {
    const { agent_id: agent } = message;
    yield { sends: endedPauses(view, agent), wakes: [agentLane(agent).key] };
    if (session?.nudge !== false) yield { says: [saying({ type: "supervisor.verify-now", branch_id: agent })] };
    if (session?.verify === true) yield { sends: verifiedNow(view, agent, session, now) };
  }
  if (message.type === "agent.feedback" && isSentBack(view, message))
    yield { sends: [send(agentLane(message.agent_id), { type: "sent-back" })] };
  if (message.type === "agent.verified" && view.state(agentLane(message.agent_id)) !== null)
    yield { sends: [send(agentLane(message.agent_id), { type: "verified" })] };
  if (message.type === "agent.blocked") yield { sends: builtOn(view, message.agent_id, message.payload.from) };
  const settings = session?.conflicts ?? null;
  const reaction =
    settings === null ? null : followNews(view, message, before, { settings, unclaimed: unclaimedSpecs(view) }, now);
  if (reaction !== null) yield reaction;
}

/** The newest commit is verified at once; what is run for an older one ends. */
function verifiedNow(view: JournalView, agent: AgentId, { base, land }: Session, at: Instant): Sent[] {
  const branch = view.state(agentLane(agent))?.branch ?? null;
  if (branch === null) return [];
  const subject = { agent, ref: `refs/heads/${branch}`, base: (land.target ?? base) as Branch };
  return [send(verificationLane(agent), { type: "asked", subject, fresh: false, awaited: false, at })];
}

/** What its gates say of its newest commit, or what it was landed with, is red. What waits for a person is not sent back. */
function isSentBack(
  view: JournalView,
  { agent_id: agent, payload: { from, errors } }: Extract<Message, { type: "agent.feedback" }>,
): boolean {
  if (from !== SUPERVISOR || !errors.some(isFindingText) || view.state(agentLane(agent)) === null) return false;
  const isRed = view.state(verificationLane(agent))?.judged?.verdict === "fail";
  return (
    isRed || view.state(LAND_LANE)?.queue.some((each) => each.agent === agent && each.state === "bounced") === true
  );
}

/** Who waits for another agent builds on its work, and lands after it. What waits for a person waits for nobody's branch. */
const builtOn = (view: JournalView, agent: AgentId, from: AgentId): Sent[] =>
  from !== agent && view.state(agentLane(from)) !== null && from !== SUPERVISOR
    ? [send(LAND_LANE, { type: "blocked", blocked: { agent, from } })]
    : [];

/** Those who were to wait until this one commits. */
const endedPauses = (view: JournalView, committed: AgentId): Sent[] =>
  everyAssignment(view)
    .filter(({ paused, pausedUntil }) => paused && pausedUntil === committed)
    .map(({ agent }) => send(agentLane(agent), { type: "resumed" }));
