/**
 * What the broker should do, written down a second time as plainly as possible: arrays, loops, nothing durable. It is
 * what generated histories are held against, so it shares no code with the broker.
 */
export type Json = Record<string, unknown>;

export interface Entry {
  readonly seq: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly message: Json;
  readonly key: string | null;
  readonly re: string | null;
}

interface Row {
  state: string;
  label: string;
  files: string[];
  joined: number;
  /** Counted in operations: when it last gave a sign itself. */
  seen: number | null;
  /** When it came into its state. */
  since: number;
}

/** A commit stands after a minute: then an agent's mere word that it is working does not undo it. */
const COMMIT_STANDS_AFTER = 60_000;

interface Question {
  readonly number: number;
  readonly agent: string;
  readonly text: string;
}

export interface Asks {
  readonly since: number | null;
  readonly limit: number;
  readonly how: "read" | "unread" | "peek" | "ack";
}

export type Said = readonly [status: number, body: unknown];

export class ReferenceBroker {
  head = 0;
  gone = 0;
  time = 0;
  entries: Entry[] = [];
  readonly rows = new Map<string, Row>();
  questions: Question[] = [];
  private asked = 0;
  readonly claims = new Map<string, string[]>();
  readonly delivered = new Map<string, number>();
  readonly acted = new Map<string, number>();

  /** `who` is an agent, or "operator". Bodies are well-formed, or have `bad` in them. */
  publish(who: string, bodies: readonly Json[], many: boolean): Said {
    if (bodies.some(({ bad }) => bad !== undefined)) return [400, null];
    for (const body of bodies) if (who !== "operator" && !mayPublish(who, body)) return [403, null];
    const before = new Map<string, Entry | null>();
    for (const body of bodies) {
      if (body.key === undefined) continue;
      const name = `${senderOf(body)} ${body.key}`;
      const earlier = before.get(name) ?? this.entries.find((each) => `${each.from} ${each.key}` === name) ?? null;
      if (earlier !== null && !sameBody(earlier, body)) return [409, null];
      before.set(name, earlier ?? entryOf(0, body, []));
    }
    const seqs = bodies.map((body) => {
      const again =
        body.key === undefined
          ? undefined
          : this.entries.find((each) => each.from === senderOf(body) && each.key === body.key);
      return again === undefined ? this.take(body) : again.seq;
    });
    return [202, many ? { seqs } : { seq: seqs[0] }];
  }

  private take(body: Json): number {
    const { type } = body;
    const payload = body.payload as Json;
    const agent = String(body.agent_id);
    const duplicate =
      type === "agent.question" && this.questions.some((q) => q.agent === agent && q.text === payload.question);
    const seq = ++this.head;
    this.entries.push(entryOf(seq, body, duplicate ? [] : recipientsOf(body)));
    this.advance(body, seq);
    if (type === "agent.question" && !duplicate)
      this.questions.push({ number: ++this.asked, agent, text: String(payload.question) });
    if (type === "agent.answer") {
      const re = payload.re;
      this.questions = this.questions.filter(
        (q) => q.agent !== agent || (re !== undefined && re !== q.text && re !== `q${q.number}`),
      );
    }
    if (type === "agent.intent") this.claims.set(agent, [...(payload.files as string[])]);
    if (type === "agent.retract") this.release(agent, (payload.files as string[] | undefined) ?? null);
    if (type === "agent.artifact") this.release(agent, (payload.modified_files as string[] | undefined) ?? []);
    if (agent === senderOf(body) && (this.delivered.get(agent) ?? 0) > (this.acted.get(agent) ?? 0))
      this.acted.set(agent, this.delivered.get(agent) ?? 0);
    if (type === "agent.artifact" && payload.status === "committed")
      this.take({ type: "supervisor.verify-now", branch_id: agent });
    return seq;
  }

  private release(agent: string, paths: readonly string[] | null): void {
    const left = (this.claims.get(agent) ?? []).filter((path) => paths !== null && !paths.includes(path));
    if (left.length === 0) this.claims.delete(agent);
    else this.claims.set(agent, left);
  }

  private advance(body: Json, seq: number): void {
    if (body.agent_id === undefined) return;
    const agent = String(body.agent_id);
    const own = senderOf(body) === agent;
    let row = this.rows.get(agent);
    if (row === undefined) {
      // The supervisor is no agent.
      if (!own || agent === "supervisor") return;
      row = { state: "starting", label: "starting", files: [], joined: seq - 1, seen: null, since: this.time };
      this.rows.set(agent, row);
    }
    if (own) row.seen = this.time;
    const before = row.state;
    this.speak(row, body);
    if (row.state !== before) row.since = this.time;
  }

  private speak(row: Row, body: Json): void {
    const payload = body.payload as Json;
    const files = (payload.modified_files as string[] | undefined) ?? [];
    switch (body.type) {
      case "agent.status": {
        const word = String(payload.status);
        const claims = ["working", "waiting", "blocked", "idle", "committed", "done"].includes(word) ? word : "working";
        const stands = row.state === "committed" && this.time - row.since > COMMIT_STANDS_AFTER;
        const settled = stands || ["done", "verified", "landed"].includes(row.state);
        if (!(claims === "working" && settled)) {
          row.state = claims;
          row.label = word;
        }
        if (files.length > 0) row.files = files;
        return;
      }
      case "agent.artifact":
        if (row.state !== "done" || payload.status === "done") {
          row.state = payload.status === "done" ? "done" : "committed";
          row.label = String(payload.status);
        }
        if (payload.status === "committed")
          row.files = files.length === 0 ? [] : row.files.filter((file) => !files.includes(file));
        return;
      case "agent.blocked":
        row.state = row.label = "blocked";
        return;
      case "agent.question":
        row.state = "waiting";
        row.label = "question";
        return;
      case "agent.intent":
        row.state = "working";
        row.label = "intent";
        return;
      case "agent.verified":
        row.state = row.label = "verified";
        return;
      case "agent.answer":
        if (row.state === "waiting" || row.state === "blocked") row.state = "working";
    }
  }

  /** Everything in a reader's inbox: sent to it, or to all by others since it joined. Others see nobody's as empty. */
  inbox(agent: string, after = 0, own = false): Entry[] {
    const joined = this.rows.get(agent)?.joined ?? (own || agent === "supervisor" ? 0 : this.head);
    return this.entries.filter(
      ({ seq, to, from }) =>
        seq > after && (to.includes(agent) || (to.includes("*") && from !== agent && seq > joined)),
    );
  }

  read(who: string, agent: string, { since, limit, how }: Asks): Said {
    if (who !== "operator" && who !== agent) return [403, null];
    const cursor = this.delivered.get(agent) ?? 0;
    const from = since ?? (how === "unread" ? cursor : 0);
    const missing = from < this.gone && !(this.rows.has(agent) && from >= cursor);
    if (since !== null && how !== "ack" && missing) return [410, null];
    const found = how === "ack" ? [] : this.inbox(agent, from, who === agent).slice(0, limit);
    const last = Math.max(from, ...found.map(({ seq }) => seq));
    const reached = Math.max(from <= this.head ? from : 0, ...found.map(({ seq }) => seq));
    if (who === agent && how !== "peek" && reached > cursor) this.delivered.set(agent, reached);
    return [200, { seqs: found.map(({ seq }) => seq), last }];
  }

  log(since: number | null, limit: number): Said {
    if (since !== null && since < this.gone) return [410, null];
    const found = this.entries.filter(({ seq }) => seq > (since ?? 0)).slice(0, limit);
    return [200, found.map(({ seq }) => seq)];
  }

  /** Keeps the newest `kept`, and what anybody in the roster has still to read. */
  compact(kept: number): void {
    let upTo = this.head - kept;
    for (const agent of this.rows.keys()) {
      const [first] = this.inbox(agent, this.delivered.get(agent) ?? 0);
      if (first !== undefined) upTo = Math.min(upTo, first.seq - 1);
    }
    if (upTo <= this.gone) return;
    this.gone = upTo;
    this.entries = this.entries.filter(({ seq }) => seq > upTo);
  }

  receipts(agent: string): [seq: number, receipt: string][] {
    return this.inbox(agent).map(({ seq }) => [
      seq,
      seq <= (this.acted.get(agent) ?? 0) ? "acted" : seq <= (this.delivered.get(agent) ?? 0) ? "delivered" : "queued",
    ]);
  }
}

function senderOf(body: Json): string {
  const payload = (body.payload ?? {}) as Json;
  switch (body.type) {
    case "agent.verified":
      return String(payload.verified_by);
    case "agent.feedback":
    case "agent.answer":
      return String(payload.from);
    case "agent.advanced-main":
      return String(body.from);
    case "agent.learning":
      return String(payload.agent_id);
    case "supervisor.verify-now":
      return "supervisor";
    default:
      return String(body.agent_id);
  }
}

function recipientsOf(body: Json): string[] {
  const payload = (body.payload ?? {}) as Json;
  switch (body.type) {
    case "agent.status":
      return [];
    case "agent.blocked":
      return [...new Set([String(payload.from), "supervisor"])].filter((each) => each !== body.agent_id);
    case "agent.question":
      return body.agent_id === "supervisor" ? [] : ["supervisor"];
    case "agent.feedback":
    case "agent.answer":
      return [String(body.agent_id)];
    case "agent.learning":
      return [String(payload.branch_id ?? "supervisor")];
    case "supervisor.verify-now":
      return ["supervisor"];
    default:
      return ["*"];
  }
}

function mayPublish(who: string, body: Json): boolean {
  const own = ["status", "artifact", "blocked", "question", "intent", "retract"];
  const judged = ["feedback", "answer", "verified", "learning"];
  const kind = String(body.type).replace("agent.", "");
  if (!own.includes(kind) && !(who === "supervisor" && judged.includes(kind))) return false;
  return senderOf(body) === who;
}

const entryOf = (seq: number, body: Json, to: readonly string[]): Entry => {
  const { key = null, re = null, ...message } = body as { key?: string; re?: string };
  return { seq, from: senderOf(body), to, message, key, re };
};

const sameBody = (entry: Entry, body: Json): boolean => {
  const { message, re } = entryOf(0, body, []);
  return JSON.stringify([entry.message, entry.re]) === JSON.stringify([message, re]);
};
