import { type Identity, mayOversee } from "../core/messages/roles.ts";
import { PROTOCOL } from "../core/text/protocol.ts";
import type { EngineContext } from "../engine/context.ts";
import { required } from "./identify.ts";
import { readNumber } from "./query.ts";
import { Refusal } from "./refusal.ts";

const MOST_ENTRIES = 10_000;
const USUAL_ENTRIES = 1_000;

/** Everything, other agents' words included: the operator's alone. */
export function overseer(identity: Identity | null): Identity {
  const known = required(identity);
  if (!mayOversee(known.role)) throw new Refusal(403, `A token of the role ${known.role} may not see this.`);
  return known;
}

/** git-paw's shape, with what it lacked: whose broker this is. Without a token it only says that it is one. */
export function readStatus(
  { journal, clock, place, progress }: Pick<EngineContext, "journal" | "clock" | "place" | "progress">,
  identity: Identity | null,
  version: string,
  startedAt: number,
) {
  if (identity === null) return { git_paw: true, protocol: PROTOCOL };
  const agents = [...journal.roster.values()].sort((a, b) => (a.agent < b.agent ? -1 : 1));
  const secondsSince = (instant: number) => Math.max(0, Math.floor((clock.now() - instant) / 1000));
  return {
    git_paw: true,
    version,
    protocol: PROTOCOL,
    repository: place.repository,
    epoch: journal.epoch,
    last_seq: journal.head,
    uptime_seconds: secondsSince(startedAt),
    ...(progress !== null && { progress }),
    agents: agents.map(({ agent, cli, state, label, lastSeen, phase }) => ({
      agent_id: agent,
      cli: cli ?? "",
      status: label,
      state,
      last_seen_seconds: lastSeen === null ? null : secondsSince(lastSeen),
      ...(phase !== null && { phase }),
    })),
  };
}

/** `?since&limit` of everything that is a list. */
export function readRange(query: Readonly<Record<string, string>>): readonly [since: number | null, limit: number] {
  const since = query.since === undefined ? null : readNumber(query.since, "since", 0, 0, Number.MAX_SAFE_INTEGER);
  return [since, readNumber(query.limit, "limit", USUAL_ENTRIES, 1, MOST_ENTRIES)];
}
