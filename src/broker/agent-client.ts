import { type Answer, call, type Unreachable } from "./client.ts";

/** Who an agent is and where its broker was when it was launched, as its environment says. */
export interface AgentPlace {
  /** Its capability URL. */
  readonly url: string;
  readonly agent: string;
  /** The base URL the supervisor has now, where that can be found: the port may have moved. */
  now(): string | null;
}

/** Why something could not be said or read: what happened, and what to do. */
export interface Trouble {
  readonly trouble: string;
  readonly hint: string;
}

export interface Delivered {
  readonly seq: number;
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly messages: readonly Delivered[];
  readonly last_seq: number;
}

export interface Asked {
  readonly question: string;
  /** The question's own number: only what comes after it can be its answer. */
  readonly seq: number;
  readonly seconds: number;
}

const WAIT_AT_ONCE_SECONDS = 50;
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;

/** An agent's side of the broker, for `say` and for MCP: by node:http alone, because agents call it all the time. */
export class AgentClient {
  constructor(private readonly place: AgentPlace) {}

  /** Resolves with its number once it is stored. With a key: asking again when a supervisor dies over it stores it once. */
  async publish(message: object): Promise<number | Trouble> {
    const body = { ...message, agent_id: this.place.agent, key: `say-${newKey()}` };
    const answer = await this.reachInTime(PATIENCE_MS, (base) => this.send(base, "POST", "/publish", body));
    if (typeof answer === "string") return unreachable(answer, "Try again in a moment; nothing was stored.");
    if (answer.status !== 202) return refused(answer);
    return (answer.body as { seq: number }).seq;
  }

  /** What is in the inbox. Only looked at: `seen` says what was read. */
  async look(which: string, waitSeconds: number): Promise<Page | Trouble> {
    const path = `/messages/${this.place.agent}?${which}&peek=1&wait=${waitSeconds}`;
    return this.get<Page>(path, waitSeconds);
  }

  /** After it was shown, not before: what a crash keeps from being shown is there the next time. */
  async seen({ messages, last_seq }: Page): Promise<void> {
    const path = `/messages/${this.place.agent}?since=${last_seq}&ack=1`;
    if (messages.length > 0) await this.reach((base) => this.send(base, "GET", path, undefined, 10_000));
  }

  /** Reads something that an agent may see. */
  async get<Body>(path: string, waitSeconds = 0): Promise<Body | Trouble> {
    const answer = await this.reachInTime(Math.max(PATIENCE_MS, waitSeconds * 1000), (base) =>
      this.send(base, "GET", path, undefined, (waitSeconds + 30) * 1000),
    );
    if (typeof answer === "string") return unreachable(answer, "Try again in a moment; nothing is lost.");
    return answer.status === 200 ? (answer.body as Body) : refused(answer);
  }

  /** The answer to a question, or null when time is up. `show` gets whatever else arrives, so that it is not lost. */
  async waitForAnswer({ question, seq, seconds }: Asked, show: Show): Promise<string | null | Trouble> {
    const until = Date.now() + seconds * 1000;
    const shown = new Set<number>();
    // First what was unread before; then by number, for the answer may also have been told over the agent's channel.
    for (let which = "unread=1", wait = 0; ; ) {
      const page = await this.look(which, wait);
      if ("trouble" in page) return page;
      const found = page.messages.find((message) => message.seq > seq && answers(message, question));
      show(
        page.messages.filter((message) => message !== found && !shown.has(message.seq)),
        found === undefined ? null : textOf(found),
      );
      for (const message of page.messages) shown.add(message.seq);
      await this.seen(page);
      if (found !== undefined) return textOf(found);
      if (Date.now() >= until) return null;
      wait = Math.max(1, Math.min(WAIT_AT_ONCE_SECONDS, Math.ceil((until - Date.now()) / 1000)));
      which = `since=${which === "unread=1" ? seq : Math.max(seq, page.last_seq)}`;
    }
  }

  private send(base: string, method: "GET" | "POST", path: string, body?: unknown, patienceMs?: number) {
    return call({ url: base, token: null }, method, path, body, { ms: patienceMs });
  }

  /** An agent in tmux outlives its supervisor: whoever says something meanwhile waits a while for the next one. */
  private async reachInTime(patienceMs: number, work: Work): Promise<Answer | Unreachable> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await this.reach(work);
      const gone = typeof answer === "string" || answer.status === 503;
      if (!gone || Date.now() >= until) return answer;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** By the URL we were given; if nobody listens there any more, by the port the supervisor has now. */
  private async reach(work: Work): Promise<Answer | Unreachable> {
    const answer = await work(this.place.url);
    if (answer !== "refused") return answer;
    const base = this.place.now();
    const token = /\/a\/[^/]+$/.exec(this.place.url)?.[0];
    return base === null || token === undefined ? answer : work(`${base}${token}`);
  }
}

type Work = (base: string) => Promise<Answer | Unreachable>;
/** What came with it, and the answer if this page had it; before it counts as seen. */
type Show = (meanwhile: readonly Delivered[], answer: string | null) => void;

const answers = ({ type, payload }: Delivered, question: string): boolean =>
  type === "agent.answer" && (payload?.re === undefined || payload.re === question);

const textOf = ({ payload }: Delivered): string => String(payload?.answer ?? "");

const unreachable = (why: Unreachable, hint: string): Trouble => ({
  trouble: why === "refused" ? "The supervisor is not running." : "The supervisor does not answer.",
  hint,
});

function refused({ status, body }: Answer): Trouble {
  const { error } = (body ?? {}) as { error?: unknown };
  const trouble = typeof error === "string" ? error : "The supervisor refused the message.";
  return { trouble, hint: `HTTP ${status}` };
}

/** Loaded when something is said, like node:http: every start of the program would pay for it (3 ms). */
const newKey = (): string => process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
