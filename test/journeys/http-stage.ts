import { connect } from "node:net";
import type { ActionTable } from "../../src/broker/options.ts";
import { type Broker, bindBroker } from "../../src/broker/server.ts";
import { ACTION_TYPES } from "../../src/core/actions/actions.ts";
import type { Role } from "../../src/core/messages/roles.ts";
import { newcomer } from "../../src/core/messages/roster.ts";
import type { AgentId, Instant, RunId } from "../../src/core/text/ids.ts";
import { compact } from "../../src/engine/messages/compact.ts";
import { SimulatedWorld } from "../simulation/world.ts";

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

/** A broker on a real socket, over a context in memory: every role has a token. */
export class HttpStage {
  readonly acted: unknown[] = [];
  private constructor(
    readonly world: SimulatedWorld,
    readonly broker: Broker,
    readonly tokens: Record<string, string>,
  ) {}

  static async open(rate = { perSecond: 100_000, burst: 100_000 }): Promise<HttpStage> {
    const world = new SimulatedWorld();
    const { context } = await world.open();
    const tokens: Record<string, string> = {};
    const operator = world.tokens.mint();
    tokens.operator = operator.token;
    const broker = await bindBroker(0);
    const stage = new HttpStage(world, broker, tokens);
    for (const name of ["a", "b"]) await stage.give(name, "agent");
    await stage.give("supervisor", "supervisor");
    const actions = Object.fromEntries(
      ACTION_TYPES.map((type) => [type, async (action: unknown) => ({ did: stage.acted.push(action) })]),
    ) as unknown as ActionTable;
    const since = context.clock.now() as Instant;
    const supervisor = () => ({ pid: 1, url: `http://127.0.0.1:${broker.port}`, since, port: broker.port });
    broker.open({
      context,
      actions,
      operatorDigest: operator.digest,
      rate,
      version: "test",
      supervisor,
      onBug: (error) => {
        throw error;
      },
    });
    return stage;
  }

  get context() {
    if (this.world.supervisor === null) throw new Error("no supervisor");
    return this.world.supervisor.context;
  }

  /** A token for somebody; an agent is in the roster with it. */
  private give(name: string, role: Role): Promise<void> {
    const agent = name as AgentId;
    const { token, digest } = this.world.tokens.mint();
    this.tokens[name] = token;
    return this.context.journal.transact(({ put }) => {
      put({ row: "token", put: { digest, run: `run-${name}` as RunId, agent, role } });
      if (role === "agent") put({ row: "roster", put: newcomer(agent, this.context.clock.now(), 0) });
    });
  }

  /** What an agent finds in GIT_PAW_BROKER_URL. */
  async capability(name: string, role: Role): Promise<string> {
    if (this.tokens[name] === undefined) await this.give(name, role);
    return `${this.url}/a/${this.tokens[name]}`;
  }

  /** As the supervisor does once a minute, with so many messages to be kept. */
  async keep(messages: number): Promise<void> {
    this.world.settings = { ...this.world.settings, retention: { messages, days: 1_000 } };
    await compact(this.context);
  }

  get url(): string {
    return `http://127.0.0.1:${this.broker.port}`;
  }

  /** A request in somebody's name: agents by their capability URL, others by header. */
  async call(
    who: string | null,
    method: "GET" | "POST",
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const token = who === null ? null : (this.tokens[who] ?? who);
    const byPath = who === "a" || who === "b";
    const response = await fetch(`${this.url}${byPath ? `/a/${token}` : ""}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== null && !byPath && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
      headers: response.headers,
    };
  }

  publish = (who: string | null, message: unknown, headers?: Record<string, string>): Promise<Reply> =>
    this.call(who, "POST", "/publish", message, headers);
  inbox = (who: string, agent = who, query = ""): Promise<Reply> => this.call(who, "GET", `/messages/${agent}${query}`);

  /** Bytes as they are, and what comes back. */
  raw(text: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(this.broker.port, "127.0.0.1");
      let answer = "";
      socket.on("data", (data) => {
        answer += data.toString();
      });
      socket.on("close", () => resolve(answer));
      socket.on("error", () => resolve(answer));
      socket.write(text);
    });
  }

  async close(): Promise<void> {
    await this.broker.close();
  }
}

/** A valid message of each type, as its sender `who` would send it about `a`. */
export function example(type: string, who: string): Record<string, unknown> {
  const from = who === "operator" ? "supervisor" : who;
  const payloads: Record<string, object> = {
    "agent.status": { status: "working" },
    "agent.artifact": { status: "done" },
    "agent.blocked": { needs: "x", from: "b" },
    "agent.question": { question: "why?" },
    "agent.intent": { files: ["x"], summary: "s" },
    "agent.retract": {},
    "agent.verified": { verified_by: from },
    "agent.feedback": { from, errors: ["x"] },
    "agent.answer": { from, answer: "y" },
    "agent.learning": { id: "i", agent_id: from, category: "c", title: "t", body: {}, timestamp: "now" },
  };
  if (type === "agent.advanced-main")
    return { type, from, merged_branch: "x", new_main_sha: "s", base: "main", merged_at: "now" };
  if (type === "supervisor.verify-now") return { type, branch_id: "a" };
  const addressed = ["agent.verified", "agent.feedback", "agent.answer"].includes(type);
  if (type === "agent.learning") return { type, payload: payloads[type] };
  return { type, agent_id: addressed ? "a" : from, payload: payloads[type] };
}
