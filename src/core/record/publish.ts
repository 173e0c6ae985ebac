import { claimedPaths, declared, type Intent, without } from "../claims/intents.ts";
import { type Cursor, freshCursor, signed } from "../messages/cursors.ts";
import type { Message, StoredMessage } from "../messages/messages.ts";
import type { Envelope } from "../messages/parse-message.ts";
import { alreadyAsked, answered, askedByMessage, isOpen, type Question } from "../messages/questions.ts";
import { advanceRoster, type RosterEntry, subject } from "../messages/roster.ts";
import { route } from "../messages/routing.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Change } from "./changes.ts";

/** What has to be known of the journal to store a message. */
export interface PublishView {
  readonly head: number;
  readonly epoch: string;
  readonly nextQuestion: number;
  /** How long after its commit an agent's word that it is working is believed. */
  readonly republishMs: number;
  entry(agent: AgentId): RosterEntry | null;
  intent(agent: AgentId): Intent | null;
  cursor(agent: AgentId): Cursor | null;
  questions(agent: AgentId): Iterable<Question>;
}

/** A message to be stored, as a rule of ours says it: `to` and `about` where they differ from what its type implies. */
export interface Saying extends Envelope {
  readonly to?: readonly AgentId[];
  readonly about?: Pick<Question, "kind" | "concerns" | "paths">;
}

export const saying = (message: Message): Saying => ({ message, key: null, re: null });

/**
 * A message becomes a stored one, with everything that follows from it: the roster row, the intent, the question it
 * opens or answers, the receipt of what its sender had read. All in one commit, so start-up never replays.
 */
export function accept(view: PublishView, said: Saying, at: Instant): readonly Change[] {
  const { message, key, re } = said;
  const seq = view.head + 1;
  const { sender, to } = route(message);
  const stored: StoredMessage = {
    seq,
    id: `${view.epoch}-${seq}`,
    at,
    sender,
    to: said.to ?? (isAskedAlready(view, message) ? [] : to),
    message,
    key,
    re,
  };
  return [
    { row: "message", put: stored },
    ...rosterChange(view, stored),
    ...intentChange(view, message, at),
    ...questionChange(view, said, at),
    ...receiptChange(view, message, sender, at),
  ];
}

export const isCommit = (message: Message): message is Extract<Message, { type: "agent.artifact" }> =>
  message.type === "agent.artifact" && message.payload.status === "committed";

/** A question that is open already is logged, and not put into the inbox a second time. */
function isAskedAlready(view: PublishView, message: Message): boolean {
  if (message.type !== "agent.question") return false;
  return alreadyAsked(view.questions(message.agent_id), message.agent_id, message.payload.question);
}

function rosterChange(view: PublishView, stored: StoredMessage): Change[] {
  const agent = subject(stored.message);
  if (agent === null) return [];
  const before = view.entry(agent);
  const after = advanceRoster(before, stored, view.republishMs);
  return after === null || after === before ? [] : [{ row: "roster", put: after }];
}

function intentChange(view: PublishView, message: Message, at: Instant): Change[] {
  if (message.type === "agent.intent") return [{ row: "intent", put: declared(message.agent_id, message.payload, at) }];
  const released = releasedPaths(message);
  if (released === undefined) return [];
  const { agent, paths } = released;
  const standing = view.intent(agent);
  if (standing === null) return [];
  const gone = message.type === "agent.retract" ? claimedPaths(standing, paths) : paths;
  const left = without(standing, gone);
  return left === null ? [{ row: "intent", drop: agent }] : [{ row: "intent", put: left }];
}

/** A retraction ends what it names (all, naming nothing); a commit ends the claims on its paths. */
function releasedPaths(message: Message): { agent: AgentId; paths: readonly string[] | null } | undefined {
  if (message.type === "agent.retract") return { agent: message.agent_id, paths: message.payload.files };
  if (message.type !== "agent.artifact") return undefined;
  return { agent: message.agent_id, paths: message.payload.modified_files };
}

function questionChange(view: PublishView, { message, about }: Saying, at: Instant): Change[] {
  if (message.type === "agent.question") {
    const { agent_id: agent, payload } = message;
    if (isAskedAlready(view, message)) return [];
    return [{ row: "question", put: { ...askedByMessage(view.nextQuestion, agent, payload.question, at), ...about } }];
  }
  if (message.type !== "agent.answer") return [];
  const { from, answer, re } = message.payload;
  const open = [...view.questions(message.agent_id)].filter((each) => isOpen(each) && each.kind === "question");
  const meant = re === undefined ? open : open.filter((each) => each.text === re || `q${each.number}` === re);
  return meant.map((question) => ({ row: "question", put: answered(question, answer, from, at) }));
}

function receiptChange(view: PublishView, message: Message, sender: AgentId, at: Instant): Change[] {
  if (subject(message) !== sender) return [];
  const cursor = view.cursor(sender) ?? freshCursor(sender);
  const after = signed(cursor, at);
  return after === cursor ? [] : [{ row: "cursor", put: after }];
}
