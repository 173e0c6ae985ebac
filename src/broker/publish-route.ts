import { isDeepStrictEqual } from "node:util";
import { createKeyedTurns } from "../async/turns.ts";
import type { Message } from "../core/messages/messages.ts";
import { type Envelope, parseMessage } from "../core/messages/parse-message.ts";
import { isOpen } from "../core/messages/questions.ts";
import { type Identity, maySay, maySpeakAs } from "../core/messages/roles.ts";
import { route } from "../core/messages/routing.ts";
import type { AgentId } from "../core/text/ids.ts";
import { blankTokensIn } from "../core/text/token-words.ts";
import type { EngineContext } from "../engine/context.ts";
import { publishAndWake } from "../engine/messages/publish.ts";
import type { Budgets } from "./budgets.ts";
import { required } from "./identify.ts";
import { Refusal } from "./refusal.ts";

type Publishing = Pick<EngineContext, "journal" | "clock" | "store" | "polling">;

const MOST_AT_ONCE = 100;
/** Publishes that may wait for the disk at a time, and their bytes; beyond that a client is told to come back. */
const MOST_WAITING = 4_096;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Each is kept in memory until somebody answers it. */
const MOST_OPEN_QUESTIONS = 100;

export interface PublishRules {
  readonly budgets: Pick<Budgets, "messages">;
  /** Whether a word is a token of ours: those are never stored. */
  isToken(word: string): boolean;
}

/** `POST /publish`: one message or a list, acknowledged once on disk. */
export function createPublishRoute(context: Publishing, { budgets, isToken }: PublishRules) {
  // Per speaker, so that a key that was just used is seen.
  const inTurn = createKeyedTurns<AgentId>();
  let waiting = 0;
  let waitingBytes = 0;

  /** What is wrong with the body is named first, as the wire has it, and only then that nobody may say it. */
  return async (
    body: unknown,
    identity: Identity | Refusal | null,
    bytes = 0,
  ): Promise<{ seq: number } | { seqs: number[] }> => {
    const many = Array.isArray(body);
    const parsed = parseAll(many ? body : [body], many, identity);
    if (identity instanceof Refusal) throw identity;
    const speaker = required(identity);
    for (const { message } of parsed) authorize(speaker, message);
    const envelopes = parsed.map((envelope) => blankTokensIn(envelope, isToken));
    if (waiting >= MOST_WAITING || waitingBytes + bytes > MOST_WAITING_BYTES)
      throw new Refusal(503, "Too much is waiting for the disk.", {}, { "retry-after": "1" });
    const refusal = budgets.messages(speaker, envelopes.length) ?? tooManyQuestions(context, speaker, envelopes);
    const keyed = envelopes.some(({ key }) => key !== null);
    if (refusal !== null && !keyed) throw refusal;
    waiting++;
    waitingBytes += bytes;
    try {
      const seqs = await (keyed
        ? inTurn(speaker.agent, () => publishKeyed(context, envelopes, refusal))
        : publishAndWake(context, envelopes));
      return many ? { seqs } : { seq: seqs[0] ?? 0 };
    } finally {
      waiting--;
      waitingBytes -= bytes;
    }
  };
}

function tooManyQuestions(
  { journal }: Pick<Publishing, "journal">,
  { role, agent }: Identity,
  envelopes: readonly Envelope[],
): Refusal | null {
  if (role === "operator" || !envelopes.some(({ message }) => message.type === "agent.question")) return null;
  const open = [...journal.questions(agent)].filter((each) => isOpen(each) && each.kind === "question").length;
  const asked = envelopes.filter(({ message }) => message.type === "agent.question").length;
  if (open + asked <= MOST_OPEN_QUESTIONS) return null;
  const message = `${agent} has ${open} open questions, and ${MOST_OPEN_QUESTIONS} is the most; wait for answers.`;
  return new Refusal(429, message, {}, { "retry-after": "60" });
}

/**
 * What was published under its key before keeps its seq; the rest is published together. A key used for something else
 * is said first, as the wire has it, and only then that its sender is too fast.
 */
async function publishKeyed(
  context: Publishing,
  envelopes: readonly Envelope[],
  tooFast: Refusal | null,
): Promise<number[]> {
  const known = new Map<string, { message: Message; re: string | null; seq: number | null }>();
  const fresh: Envelope[] = [];
  for (const envelope of envelopes) {
    const name = nameOf(envelope);
    if (name === null) fresh.push(envelope);
    else {
      const { sender } = route(envelope.message);
      const stored = known.has(name) ? null : await context.store.byKey(sender, envelope.key ?? "");
      const earlier = known.get(name) ?? stored;
      if (earlier !== null && !isDeepStrictEqual(asStored(earlier), asStored(envelope))) {
        throw new Refusal(409, `The key ${JSON.stringify(envelope.key)} was used for another message.`);
      }
      if (!known.has(name)) known.set(name, { ...envelope, seq: stored?.seq ?? null });
      if (earlier === null) fresh.push(envelope);
    }
  }
  if (tooFast !== null) throw tooFast;
  const seqs = fresh.length === 0 ? [] : await publishAndWake(context, fresh);
  fresh.forEach((envelope, i) => {
    const name = nameOf(envelope);
    if (name !== null) known.set(name, { ...envelope, seq: seqs[i] ?? 0 });
  });
  return envelopes.map((envelope) => known.get(nameOf(envelope) ?? "")?.seq ?? seqs[fresh.indexOf(envelope)] ?? 0);
}

/** As it comes back from the journal: JSON has no -0. */
const asStored = ({ message, re }: Pick<Envelope, "message" | "re">): unknown =>
  JSON.parse(JSON.stringify([message, re]));

const nameOf = ({ message, key }: Envelope): string | null => (key === null ? null : `${route(message).sender} ${key}`);

function parseAll(bodies: readonly unknown[], many: boolean, identity: Identity | Refusal | null): Envelope[] {
  if (bodies.length === 0 || bodies.length > MOST_AT_ONCE)
    throw new Refusal(400, `A list must hold 1 to ${MOST_AT_ONCE} messages.`);
  const self = selfOf(identity);
  return bodies.map((body, i) => {
    const parsed = parseMessage(body, self);
    if (!("why" in parsed)) return parsed;
    throw new Refusal(400, parsed.why, { field: many ? `[${i}].${parsed.field}` : parsed.field });
  });
}

/** Whose name a missing sender stands for. Behind a bad token it is nobody's, and does not matter any more. */
function selfOf(identity: Identity | Refusal | null): AgentId | null {
  if (identity instanceof Refusal) return "nobody" as AgentId;
  return identity === null || identity.role === "operator" ? null : identity.agent;
}

function authorize(identity: Identity, message: Message): void {
  if (!maySay(identity.role, message.type))
    throw new Refusal(403, `A token of the role ${identity.role} may not publish ${message.type}.`);
  const { sender } = route(message);
  if (!maySpeakAs(identity, sender))
    throw new Refusal(403, `This token speaks for ${identity.agent}, not for ${sender}.`);
}
