import { isDetectors, readConflict } from "../conflicts/read-texts.ts";
import { isFindingText } from "../messages/finding.ts";
import type { Message, StoredMessage } from "../messages/messages.ts";
import { counted } from "../text/counted.ts";
import { type AgentId, type Instant, SUPERVISOR } from "../text/ids.ts";
import { onOneLine } from "../text/printable.ts";

export const SECTIONS = [
  "Conflict events",
  "Where agents got stuck",
  "Recovery cycles",
  "Gate bounces",
  "Permission patterns",
  "Recurring failure shapes",
  "Documentation gaps",
  "ADR / architectural drift",
  "Scope-mistake signals",
  "Tooling friction",
  "Other learnings",
] as const;
export type Section = (typeof SECTIONS)[number];

/** Something the session shows about how it went. The same messages always give the same ones, with the same keys. */
export interface Learning {
  readonly section: Section;
  readonly key: string;
  readonly at: Instant;
  /** Markdown on one line; whatever agents said is code in it. */
  readonly text: string;
}

/** The same two at the same place again within this time is the same event, told to the other or told once more. */
const SAME_EVENT_MS = 10 * 60_000;
const LONGEST_QUOTE = 300;
const LONGEST_BODY = 1_000;

/** What a person directs and what the watcher corrects is nothing that had to be done again. */
const NO_ROUND = /^\[(directive|branch-guard)\]/;

const MOST_SHAPES = 1_000;

interface Block {
  readonly id: string;
  readonly at: Instant;
  readonly needs: string;
  readonly from: string;
}

/** Goes through the messages in their order, and says what each of them completes. */
export class Learner {
  private readonly blocks = new Map<AgentId, Block>();
  private readonly rounds = new Map<AgentId, number>();
  private readonly events = new Map<string, Instant>();
  private readonly shapes = new Map<string, { count: number; readonly agents: Set<AgentId> }>();
  private readonly told = new Set<string>();

  hear(stored: StoredMessage): Learning[] {
    const { message } = stored;
    switch (message.type) {
      case "agent.feedback":
        return this.feedback(stored, message);
      case "agent.blocked":
        return this.block(stored, message.agent_id, message.payload);
      case "agent.status":
        return /^(blocked|waiting)$/.test(message.payload.status) ? [] : this.unblock(stored, message.agent_id);
      case "agent.artifact":
      case "agent.intent":
        return this.unblock(stored, message.agent_id);
      case "agent.verified":
        return this.verified(stored, message.agent_id);
      case "agent.learning":
        return this.learning(stored, message.payload);
      default:
        return [];
    }
  }

  /** Who is still blocked: to be said when the session stops. */
  unresolved(): Learning[] {
    return [...this.blocks].map(([agent, block]) => ({
      section: "Where agents got stuck",
      key: `${block.id}.open`,
      at: block.at,
      text: `${code(agent)} was blocked and still is: it needs ${code(block.needs)} from ${code(block.from)}`,
    }));
  }

  private feedback(stored: StoredMessage, { agent_id, payload }: Extract<Message, { type: "agent.feedback" }>) {
    const [first = ""] = payload.errors;
    if (!isDetectors(first) && !NO_ROUND.test(first)) this.rounds.set(agent_id, (this.rounds.get(agent_id) ?? 0) + 1);
    const conflicts = payload.errors.flatMap((error, i) => this.conflict(stored, agent_id, error, i));
    return payload.from === SUPERVISOR ? [...conflicts, ...this.bounce(stored, agent_id, payload.errors)] : conflicts;
  }

  /** What gates have sent back; and what they have sent back before, in the same words but for numbers. */
  private bounce({ id, at }: StoredMessage, agent: AgentId, errors: readonly string[]): Learning[] {
    const found = errors.map((error) => error.split("\n")[0] ?? "").filter(isFindingText);
    const [first] = found;
    if (first === undefined) return [];
    const more = found.length > 1 ? ` and ${found.length - 1} more` : "";
    const text = `${code(agent)} was sent back: ${code(first)}${more}`;
    const bounce: Learning = { section: "Gate bounces", key: `${id}.gate`, at, text };
    return [bounce, ...found.flatMap((error, i) => this.recurs(`${id}.shape.${i}`, at, agent, error))];
  }

  /** Said the second time, the fourth, the eighth: often enough to be seen, and not each time. */
  private recurs(key: string, at: Instant, agent: AgentId, error: string): Learning[] {
    const shape = error.replace(/ \(tested on top of .*$/, "").replace(/\d+/g, "N");
    const known = this.shapes.get(shape) ?? { count: 0, agents: new Set<AgentId>() };
    if (this.shapes.size < MOST_SHAPES || known.count > 0) this.shapes.set(shape, known);
    known.count++;
    known.agents.add(agent);
    if (known.count < 2 || (known.count & (known.count - 1)) !== 0) return [];
    const who = [...known.agents].map((each) => code(each)).join(", ");
    return [{ section: "Recurring failure shapes", key, at, text: `${known.count} times, ${who}: ${code(error)}` }];
  }

  private conflict({ id, at }: StoredMessage, agent: AgentId, error: string, i: number): Learning[] {
    const found = readConflict(error);
    if (found === null) return [];
    const { shape, other, where } = found;
    const between = other === null ? [agent] : [agent, other].sort();
    const event = JSON.stringify([shape, shape === "ownership" ? agent : between, where]);
    const last = this.events.get(event);
    this.events.set(event, at);
    if (last !== undefined && at - last < SAME_EVENT_MS) return [];
    const who = between.map((each) => code(each)).join(" and ");
    const how = shape === "ownership" && other !== null ? `${code(agent)} in what is ${code(other)}'s` : who;
    return [{ section: "Conflict events", key: `${id}.${i}`, at, text: `${shape}: ${how}: ${code(where)}` }];
  }

  /** Blocked again by another is another time; by the same, the same. */
  private block(stored: StoredMessage, agent: AgentId, { needs, from }: { needs: string; from: string }): Learning[] {
    const open = this.blocks.get(agent);
    if (open !== undefined && open.from === from && open.needs === needs) return [];
    const ended = open === undefined ? [] : this.unblock(stored, agent);
    this.blocks.set(agent, { id: stored.id, at: stored.at, needs, from });
    return ended;
  }

  private unblock({ at }: StoredMessage, agent: AgentId): Learning[] {
    const block = this.blocks.get(agent);
    if (block === undefined) return [];
    this.blocks.delete(agent);
    const text = `${code(agent)} was blocked for ${inWords(at - block.at)}: it needed ${code(block.needs)} from ${code(block.from)}`;
    return [{ section: "Where agents got stuck", key: block.id, at, text }];
  }

  private verified({ id, at }: StoredMessage, agent: AgentId): Learning[] {
    const rounds = this.rounds.get(agent) ?? 0;
    this.rounds.delete(agent);
    if (rounds === 0) return [];
    const text = `${code(agent)} needed ${counted(rounds, "round")} of feedback before it was verified`;
    return [{ section: "Recovery cycles", key: id, at, text }];
  }

  private learning({ id, at }: StoredMessage, payload: Extract<Message, { type: "agent.learning" }>["payload"]) {
    const own = JSON.stringify([payload.category, payload.id]);
    if (this.told.has(own)) return [];
    this.told.add(own);
    const whose = payload.branch_id === undefined ? "" : `${code(payload.branch_id)}: `;
    const body = payload.body === null ? "" : ` ${code(JSON.stringify(payload.body), LONGEST_BODY)}`;
    const text = `${whose}${code(payload.title)}${body}`;
    return [{ section: SECTION_OF.get(payload.category) ?? "Other learnings", key: id, at, text }];
  }
}

const SECTION_OF: ReadonlyMap<string, Section> = new Map([
  ["conflict_event", "Conflict events"],
  ["stuck_duration", "Where agents got stuck"],
  ["recovery_cycles", "Recovery cycles"],
  ["permission_pattern", "Permission patterns"],
  ["recurring_failure_shape", "Recurring failure shapes"],
  ["doc_gap", "Documentation gaps"],
  ["adr_drift", "ADR / architectural drift"],
  ["scope_mistake", "Scope-mistake signals"],
  ["tooling_friction", "Tooling friction"],
]);

/** What somebody else wrote, as code: nothing in it is markdown, and it stays on its line. */
function code(text: string, longest = LONGEST_QUOTE): string {
  const line = onOneLine(text);
  const shown = line.length > longest ? `${line.slice(0, longest)}…` : line;
  const most = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(most + 1);
  const apart = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${fence}${apart}${shown}${apart}${fence}`;
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
