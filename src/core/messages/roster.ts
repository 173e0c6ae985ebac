import { type AgentId, type Branch, type Instant, OPERATOR, SUPERVISOR } from "../text/ids.ts";
import type { Message, StoredMessage } from "./messages.ts";
import { type Phase, phaseInWords, saidPhase } from "./phase.ts";

export const AGENT_STATES = [
  "starting",
  "working",
  "waiting",
  "blocked",
  "stuck",
  "idle",
  "committed",
  "verified",
  "done",
  "landed",
  "bounced",
  "failed",
  "stopped",
] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** One agent and what it is doing, with the evidence for it. */
export interface RosterEntry {
  readonly agent: AgentId;
  readonly branch: Branch | null;
  readonly cli: string | null;
  readonly state: AgentState;
  readonly since: Instant;
  readonly evidence: string;
  /** Whether the agent said the evidence itself, or we saw it. */
  readonly source: "said" | "observed";
  readonly phase: Phase | null;
  /** The agent's own word for what it does, as git-paw's `/status` shows it. */
  readonly label: string;
  readonly files: readonly string[];
  /** The last sign from the agent itself; what others say about it does not count. */
  readonly lastSeen: Instant | null;
  /** Broadcasts before this seq are not in its inbox: the inbox begins when the agent joins. */
  readonly joined: number;
}

export function newcomer(agent: AgentId, at: Instant, joined: number): RosterEntry {
  const unknown = { branch: null, cli: null, phase: null, lastSeen: null, files: [] };
  const begins = { state: "starting", since: at, evidence: "joined", source: "observed", label: "starting" } as const;
  return { agent, ...unknown, ...begins, joined };
}

/** Also what an older banksman has stored: it had phases in words, and did not say where its evidence came from. */
export function readRosterEntry(stored: unknown): RosterEntry {
  const entry = stored as RosterEntry & { readonly phase: Phase | string | null };
  const phase = typeof entry.phase === "string" ? phaseInWords(entry.phase) : entry.phase;
  return { ...entry, phase, source: entry.source ?? "said" };
}

/** Which roster row a message speaks of, or null when of none. */
export function subject(message: Message): AgentId | null {
  switch (message.type) {
    case "agent.advanced-main":
    case "agent.learning":
    case "supervisor.verify-now":
      return null;
    default:
      return message.agent_id;
  }
}

/** The row after a message. A row is made only by its agent's own word, so that no phantom agents appear. */
export function advanceRoster(
  entry: RosterEntry | null,
  stored: StoredMessage,
  republishMs = REPUBLISH_MS,
): RosterEntry | null {
  const { message, at, sender } = stored;
  const agent = subject(message);
  if (agent === null) return entry;
  const own = sender === agent;
  // The supervisor is no agent; a model in pane 0 has its row from its launch.
  if (entry === null && (!own || agent === SUPERVISOR || agent === OPERATOR)) return null;
  const known = entry ?? newcomer(agent, at, stored.seq - 1);
  const settled = known.state === "committed" && (republishMs === 0 || at - known.since > republishMs);
  const said = speak(known, message, at, settled);
  return own || said !== NOTHING ? rowWith(known, said, own ? at : known.lastSeen) : known;
}

/** What a message changes of a row. */
type Said = {
  readonly [Field in "state" | "since" | "evidence" | "source" | "label" | "files" | "phase" | "cli"]?:
    | RosterEntry[Field]
    | undefined;
};

const NOTHING: Said = {};

/** Every field by name: this is on the way of each message, and spreading a row costs 0.8 µs where this costs 0.1. */
function rowWith(row: RosterEntry, said: Said, lastSeen: Instant | null): RosterEntry {
  return {
    agent: row.agent,
    branch: row.branch,
    cli: said.cli === undefined ? row.cli : said.cli,
    phase: said.phase === undefined ? row.phase : said.phase,
    lastSeen,
    files: said.files ?? row.files,
    state: said.state ?? row.state,
    since: said.since ?? row.since,
    evidence: said.evidence ?? row.evidence,
    source: said.source ?? row.source,
    label: said.label ?? row.label,
    joined: row.joined,
  };
}

/** How long after a commit an agent's mere word that it is working is believed; the seed's figure. */
export const REPUBLISH_MS = 60_000;

/** `settled`: a commit of it stands, and only more than a heartbeat changes that. */
function speak(entry: RosterEntry, message: Message, at: Instant, settled: boolean): Said {
  switch (message.type) {
    case "agent.status": {
      const { status, modified_files, complete, phase, cli, message: text } = message.payload;
      const edits = complete === true && modified_files.length > 0;
      const aside = complete === true && NOT_BY_FILES.has(entry.state);
      const claimed = claimedBy(status);
      const reached = aside ? entry.state : fromStatus(entry.state, claimed, settled && !edits);
      const files = modified_files.length > 0 || complete === true ? modified_files : entry.files;
      // What an agent says of itself is worth more than what can be seen: a look takes the word only from another look,
      // and never from how a run has ended.
      const keepsWord = reached === entry.state && (entry.source === "said" || FINISHED.has(reached));
      if (aside || (complete === true && keepsWord)) return { files };
      const next: Said = moved(entry, reached, at, text ?? status, complete === true ? "observed" : "said");
      // What is not undone keeps its own word, too.
      const label = reached === claimed ? word(status) : entry.label;
      // By name, like the row: times are large numbers, and spreading an object with one in it costs 2 µs.
      const { state, since, evidence, source } = next;
      const own = phase === undefined ? null : saidPhase(word(phase));
      return { state, since, evidence, source, files, label, phase: own, cli: entry.cli ?? word(cli ?? null) };
    }
    case "agent.artifact": {
      const { status, modified_files, observed } = message.payload;
      // Only a commit makes clean: what else is finished may lie there uncommitted.
      const files = status === "committed" ? remaining(entry.files, modified_files) : entry.files;
      // We see a commit a moment after it was made: what the agent has said of itself meanwhile is newer.
      const isOlder = observed === true && NOT_BY_COMMITS.has(entry.state);
      if (isOlder || (entry.state === "done" && status !== "done")) return isOlder ? { files } : { files, phase: null };
      const next = moved(entry, status === "done" ? "done" : "committed", at, status);
      return { ...next, label: word(status), files, phase: null };
    }
    case "agent.blocked": {
      const { needs, from } = message.payload;
      return { ...moved(entry, "blocked", at, `${needs} (from ${from})`), label: "blocked" };
    }
    case "agent.question":
      return { ...moved(entry, "waiting", at, message.payload.question), label: "question" };
    case "agent.intent":
      return { ...moved(entry, "working", at, message.payload.summary), label: "intent" };
    case "agent.verified": {
      const { verified_by, message: text } = message.payload;
      return { ...moved(entry, "verified", at, text ?? `by ${verified_by}`), label: "verified" };
    }
    case "agent.answer":
      return entry.state === "waiting" || entry.state === "blocked" ? moved(entry, "working", at, "answered") : NOTHING;
    default:
      return NOTHING;
  }
}

const LONGEST_WORD = 200;

/** An agent's own word, as far as it is one: everybody is shown it with every status. */
const word = <Word extends string | null>(text: Word): Word =>
  text !== null && text.length > LONGEST_WORD ? (text.slice(0, LONGEST_WORD) as Word) : text;

/** States an agent may claim for itself; everything else it says is work. Authority is not claimed (verified, landed). */
const CLAIMABLE: ReadonlySet<string> = new Set(["working", "waiting", "blocked", "idle", "committed", "done"]);
/** A heartbeat does not undo these; a new intent, commit, question or block does. */
const FINISHED: ReadonlySet<AgentState> = new Set(["done", "verified", "landed"]);

/**
 * The agent, or whoever checked its work, has said that it is done. That it has committed does not count: whether a
 * commit or the end is seen first is chance.
 */
export const isFinished = (state: AgentState): boolean => FINISHED.has(state);

/** That files change there does not mean that the agent is at work: a person may be, or what it left running. */
const NOT_BY_FILES: ReadonlySet<AgentState> = new Set(["waiting", "failed", "stopped", "bounced"]);

/** What an agent says of itself; that a commit of it is seen changes nothing of it. */
const NOT_BY_COMMITS: ReadonlySet<AgentState> = new Set(["blocked", "waiting", "failed", "stopped"]);

const fromStatus = (state: AgentState, claimed: AgentState, settled: boolean): AgentState =>
  claimed === "working" && (settled || FINISHED.has(state)) ? state : claimed;

const claimedBy = (status: string): AgentState => (CLAIMABLE.has(status) ? (status as AgentState) : "working");

/** What a commit leaves of a list of files; naming none, it takes all. */
export function remaining(files: readonly string[], committed: readonly string[]): readonly string[] {
  if (committed.length === 0) return [];
  const gone = new Set(committed);
  return files.filter((file) => !gone.has(file));
}

/** The row with a state that we saw. */
export const move = (entry: RosterEntry, state: AgentState, at: Instant, evidence: string): RosterEntry =>
  rowWith(entry, moved(entry, state, at, evidence, "observed"), entry.lastSeen);

/** `since` is when the state began, not when it was last confirmed. */
const moved = (
  entry: RosterEntry,
  state: AgentState,
  at: Instant,
  evidence: string,
  source: RosterEntry["source"] = "said",
) => ({
  state,
  since: entry.state === state ? entry.since : at,
  evidence: evidence.slice(0, 500),
  source,
});
