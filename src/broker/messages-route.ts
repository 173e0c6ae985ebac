import { agentLane } from "../core/agents/reduce-assignment.ts";
import { freshCursor, hasReached, reached } from "../core/messages/cursors.ts";
import { delivered, type StoredMessage } from "../core/messages/messages.ts";
import { type Identity, mayRead } from "../core/messages/roles.ts";
import { inboxBegins } from "../core/session/read-session.ts";
import { type AgentId, EVERYONE } from "../core/text/ids.ts";
import { AGENT_ID } from "../core/text/naming.ts";
import type { EngineContext } from "../engine/context.ts";
import { required } from "./identify.ts";
import { readNumber } from "./query.ts";
import { Refusal } from "./refusal.ts";

type Reading = Pick<EngineContext, "journal" | "clock" | "store" | "polling" | "wake">;

const MOST_MESSAGES = 1_000;
const USUAL_MESSAGES = 200;
const LONGEST_WAIT_SECONDS = 60;
const READING_MS = 5_000;
/** One agent that opens waits without end must leave connections for the others and for the operator. */
const MOST_WAITS = 16;

export interface MessagesQuery {
  readonly since?: string | undefined;
  readonly wait?: string | undefined;
  readonly limit?: string | undefined;
  /** Instead of `since`: what has not been delivered yet. For readers that keep no cursor of their own. */
  readonly unread?: string | undefined;
  /** Only look: the reader says by its next `since` what it has really read. */
  readonly peek?: string | undefined;
  /** Says that everything up to `since` was read, and asks for nothing. */
  readonly ack?: string | undefined;
}

/** `GET /messages/:agent`: the inbox after a cursor, waiting for something new if asked to. Reading one's own is receipt. */
export async function readMessages(
  context: Reading,
  inbox: string,
  query: MessagesQuery,
  identity: Identity | null,
  gone: AbortSignal,
) {
  if (!AGENT_ID.test(inbox)) throw new Refusal(400, "agent_id must match [a-z0-9-_]+");
  const usual = query.unread === undefined ? 0 : (context.journal.cursor(inbox as AgentId)?.delivered ?? 0);
  const since = readNumber(query.since, "since", usual, 0, Number.MAX_SAFE_INTEGER);
  const limit = readNumber(query.limit, "limit", USUAL_MESSAGES, 1, MOST_MESSAGES);
  const wait = readNumber(query.wait, "wait", 0, 0, LONGEST_WAIT_SECONDS);
  const reader = required(identity);
  const agent = inbox as AgentId;
  if (!mayRead(reader, agent))
    throw new Refusal(403, `This token may read the inbox of ${reader.agent}, not that of ${agent}.`);
  const own = reader.agent === agent;
  const look = async () => {
    const { joined, from } = inboxBegins(context.journal, agent, own);
    const found = await context.store.inbox({ reader: agent, after: Math.max(since, from), joined, limit });
    if (query.since !== undefined) requireUnlost(context, agent, since);
    const cursor = context.journal.cursor(agent);
    // Told over its own channel already: not a second time to a reader that keeps no cursor of its own.
    return query.unread === undefined || cursor === null
      ? found
      : found.filter(({ seq, message }) => !hasReached(cursor, seq, message.type));
  };
  if (own && wait > 0 && context.polling.count(agent) >= MOST_WAITS)
    throw new Refusal(429, `${MOST_WAITS} waits of ${agent} are open already.`, {}, { "retry-after": "1" });
  const peeks = query.peek !== undefined;
  const arrive = own && (wait > 0 || peeks) ? context.polling.begin(agent) : null;
  let reads = false;
  try {
    const messages = query.ack === undefined ? await lookOrWait(context, agent, look, wait * 1000, gone) : [];
    reads = peeks && messages.length > 0;
    if (own && !peeks) await receive(context, agent, since, messages);
    if (own && query.ack !== undefined) context.polling.release(agent);
    const last_seq = Math.max(since, ...messages.map(({ seq }) => seq));
    return { messages: messages.map(delivered), last_seq, epoch: context.journal.epoch };
  } finally {
    const leave = () => {
      arrive?.();
      if (arrive !== null && context.journal.lanes.has(agentLane(agent).key)) context.wake(agentLane(agent).key);
    };
    // Whoever only looked says in a moment what it has read; until then it is not told the same by another way.
    if (reads) context.clock.after(READING_MS, context.polling.hold(agent, leave));
    else leave();
  }
}

/**
 * What a reader of the roster has not had yet is always kept, so from its own cursor on nothing is missing, however far
 * the log was compacted. Whoever asks from further back, or is not in the roster, is told that it cannot have all of it.
 */
function requireUnlost({ journal }: Pick<EngineContext, "journal">, agent: AgentId, since: number): void {
  const takesPart = journal.entry(agent) !== null;
  if (!takesPart || since < (journal.cursor(agent)?.delivered ?? 0)) journal.requireKept(since);
}

async function lookOrWait(
  context: Reading,
  agent: AgentId,
  look: () => Promise<StoredMessage[]>,
  ms: number,
  gone: AbortSignal,
): Promise<StoredMessage[]> {
  if (ms === 0) return look();
  const news = arrival(context, agent, ms, gone);
  try {
    const messages = await look();
    if (messages.length > 0) return messages;
    await news.arrived;
    return await look();
  } finally {
    news.cancel();
  }
}

/** What it had before, as its cursor says, and what it gets now. A number beyond the journal says nothing. */
async function receive(
  { journal, clock }: Pick<EngineContext, "journal" | "clock">,
  agent: AgentId,
  since: number,
  messages: readonly StoredMessage[],
): Promise<void> {
  const newest = Math.max(since <= journal.head ? since : 0, ...messages.map(({ seq }) => seq));
  if (newest <= (journal.cursor(agent)?.delivered ?? 0)) return;
  await journal.transact(({ put }) => {
    put({ row: "cursor", put: reached(journal.cursor(agent) ?? freshCursor(agent), newest, clock.now()) });
  });
}

/** Listens before the first look, so that nothing falls between the look and the wait. */
function arrival(
  { journal, clock }: Pick<EngineContext, "journal" | "clock">,
  agent: AgentId,
  ms: number,
  gone: AbortSignal,
) {
  let cancel = () => {};
  const arrived = new Promise<void>((resolve) => {
    const stopClock = clock.after(ms, resolve);
    const stopListening = journal.onStored((changes) => {
      if (changes.some((change) => change.row === "message" && reaches(change.put, agent))) resolve();
    });
    gone.addEventListener("abort", () => resolve(), { once: true });
    cancel = () => {
      stopClock();
      stopListening();
      resolve();
    };
  });
  return { arrived, cancel };
}

const reaches = ({ to, sender }: StoredMessage, agent: AgentId): boolean =>
  to.includes(agent) || (to.includes(EVERYONE) && sender !== agent);
