import { isDeepStrictEqual } from "node:util";
import type { AgentId } from "../core/ids.ts";
import type { Message } from "../core/messages.ts";
import { type Envelope, parseMessage } from "../core/parse-message.ts";
import { type Bucket, draw, type RateLimit } from "../core/rate.ts";
import { type Identity, maySay, maySpeakAs } from "../core/roles.ts";
import { route } from "../core/routing.ts";
import type { House } from "../engine/house.ts";
import { publish } from "../engine/publish.ts";
import { required } from "./identify.ts";
import { Refusal } from "./refusal.ts";

const MOST_AT_ONCE = 100;
/** Publishes that may wait for the disk at a time; beyond that a client is told to come back. */
const MOST_WAITING = 4_096;

/** `POST /publish`: one message or a list, acknowledged once on disk. */
export function createPublishRoute(house: House, limit: RateLimit) {
  const buckets = new Map<AgentId, Bucket>();
  const inTurn = createTurns();
  let waiting = 0;

  /** `who` is asked when the body is known: the wire names what is wrong with the body first. */
  return async (body: unknown, who: () => Identity | null): Promise<{ seq: number } | { seqs: number[] }> => {
    const many = Array.isArray(body);
    const identity = orRefusal(who);
    const envelopes = parseAll(many ? body : [body], many, identity);
    if (identity instanceof Refusal) throw identity;
    const speaker = required(identity);
    for (const { message } of envelopes) authorize(speaker, message);
    if (waiting >= MOST_WAITING)
      throw new Refusal(503, "Too much is waiting for the disk.", {}, { "retry-after": "1" });
    const refusal = takeTokens(buckets, speaker, envelopes.length, limit, house);
    const keyed = envelopes.some(({ key }) => key !== null);
    if (refusal !== null && !keyed) throw refusal;
    waiting++;
    try {
      const seqs = await (keyed
        ? inTurn(speaker.agent, () => publishKeyed(house, envelopes, refusal))
        : publish(house, envelopes));
      return many ? { seqs } : { seq: seqs[0] ?? 0 };
    } finally {
      waiting--;
    }
  };
}

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Per speaker one after the other, so that a key that was just used is seen. */
function createTurns() {
  const last = new Map<AgentId, Promise<unknown>>();
  return <T>(speaker: AgentId, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(speaker) ?? Promise.resolve()).then(work);
    const settled: Promise<unknown> = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(speaker) === settled) last.delete(speaker);
      });
    last.set(speaker, settled);
    return mine;
  };
}

/**
 * What was published under its key before keeps its seq; the rest is published together. A key used for something else
 * is said first, as the wire has it, and only then that its sender is too fast.
 */
async function publishKeyed(house: House, envelopes: readonly Envelope[], tooFast: Refusal | null): Promise<number[]> {
  const known = new Map<string, { message: Message; re: string | null; seq: number | null }>();
  const fresh: Envelope[] = [];
  for (const envelope of envelopes) {
    const name = nameOf(envelope);
    if (name === null) fresh.push(envelope);
    else {
      const { sender } = route(envelope.message);
      const stored = known.has(name) ? null : await house.store.byKey(sender, envelope.key ?? "");
      const earlier = known.get(name) ?? stored;
      if (earlier !== null && !isDeepStrictEqual(asStored(earlier), asStored(envelope))) {
        throw new Refusal(409, `The key ${JSON.stringify(envelope.key)} was used for another message.`);
      }
      if (!known.has(name)) known.set(name, { ...envelope, seq: stored?.seq ?? null });
      if (earlier === null) fresh.push(envelope);
    }
  }
  if (tooFast !== null) throw tooFast;
  const seqs = fresh.length === 0 ? [] : await publish(house, fresh);
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

function takeTokens(
  buckets: Map<AgentId, Bucket>,
  { role, agent }: Identity,
  count: number,
  limit: RateLimit,
  { clock }: House,
): Refusal | null {
  if (role === "operator") return null;
  const { bucket, waitMs } = draw(buckets.get(agent) ?? null, count, limit, clock.now());
  buckets.set(agent, bucket);
  if (waitMs === null) return null;
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return new Refusal(
    429,
    `${agent} publishes more than ${limit.perSecond} messages per second; try again in ${seconds} s.`,
    {},
    { "retry-after": seconds },
  );
}
