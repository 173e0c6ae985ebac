import { createBudgets } from "../../src/broker/budgets.ts";
import { readMessages } from "../../src/broker/messages-route.ts";
import { createPublishRoute } from "../../src/broker/publish-route.ts";
import { Refusal, refusalFor } from "../../src/broker/refusal.ts";
import { bindBroker } from "../../src/broker/server.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import type { Identity } from "../../src/core/messages/roles.ts";
import { type AgentId, type Instant, OPERATOR, type RunId } from "../../src/core/text/ids.ts";
import { AgentProcesses } from "../../src/engine/agents/agent-processes.ts";
import type { EngineContext } from "../../src/engine/context.ts";
import { Journal } from "../../src/engine/journal/journal.ts";
import { compact } from "../../src/engine/messages/compact.ts";
import { Polling } from "../../src/engine/messages/polling.ts";
import { viewLog } from "../../src/engine/views/views.ts";
import type { Store } from "../../src/ports/store.ts";
import { FakeTokens } from "../fakes/fake-tokens.ts";
import { AGENTS } from "./histories.ts";
import type { Asks, Said } from "./reference-broker.ts";

/** The broker as a history meets it: what it says to each call, reduced to what matters. */
export interface Called {
  readonly context: EngineContext;
  publish(who: string, body: unknown): Promise<Said>;
  read(who: string, agent: string, asks: Asks): Promise<Said>;
  log(since: number | null, limit: number): Promise<Said>;
  compact(kept: number): Promise<void>;
  close(): Promise<void>;
}

/** Of a history only the count of operations is time. */
type Time = { readonly time: number };

const RATE = { perSecond: 1e9, burst: 1e9 };

interface Page {
  readonly messages: readonly { readonly seq: number }[];
  readonly last_seq: number;
}

/** By the functions below HTTP. */
export async function openCalls(store: Store, time: Time): Promise<Called> {
  const { context, keep } = await openContext(store, time);
  const publish = createPublishRoute(context, { budgets: createBudgets(RATE, context), isToken: () => false });
  const gone = new AbortController().signal;
  return {
    context,
    publish: (who, body) => said(202, () => publish(body, identityOf(who))),
    read: (who, agent, asks) =>
      said(200, async () =>
        pageOf((await readMessages(context, agent, queryOf(asks), identityOf(who), gone)) as unknown as Page),
      ),
    log: (since, limit) => said(200, async () => (await viewLog(context, since, limit)).entries.map(({ seq }) => seq)),
    compact: keep,
    close: () => store.close(),
  };
}

/** By a socket, with a token for everybody. */
export async function openHttp(store: Store, time: Time): Promise<Called> {
  const { context, keep, tokens } = await openContext(store, time);
  const operator = tokens.mint();
  const given: Record<string, string> = { operator: operator.token };
  await context.journal.transact(({ put }) => {
    for (const name of AGENTS) {
      const { token, digest } = tokens.mint();
      given[name] = token;
      const role = name === "supervisor" ? "supervisor" : "agent";
      put({ row: "token", drop: `run-${name}` as RunId });
      put({ row: "token", put: { digest, run: `run-${name}` as RunId, agent: name as AgentId, role } });
    }
  });
  const broker = await bindBroker(0);
  const supervisor = () => ({ pid: 1, url: "", since: 0 as Instant, port: broker.port });
  const onBug = (error: unknown) => console.error(error);
  const routes = { context, actions: {} as never, operatorDigest: operator.digest, rate: RATE, version: "test" };
  broker.open({ ...routes, supervisor, onBug });
  const call = async (who: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${given[who]}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${broker.port}${path}`, { headers, ...sent });
    return [response.status, (await response.json()) as unknown] as const;
  };
  return {
    context,
    async publish(who, body) {
      const [status, answer] = await call(who, "/publish", body);
      return [status, status === 202 ? answer : null];
    },
    async read(who, agent, asks) {
      const query = new URLSearchParams(queryOf(asks) as Record<string, string>);
      const [status, answer] = await call(who, `/messages/${agent}?${query}`);
      return [status, status === 200 ? pageOf(answer as Page) : null];
    },
    async log(since, limit) {
      const [status, answer] = await call("operator", `/log?limit=${limit}${since === null ? "" : `&since=${since}`}`);
      const { entries } = answer as { entries: { seq: number }[] };
      return [status, status === 200 ? entries.map(({ seq }) => seq) : null];
    },
    compact: keep,
    async close() {
      await broker.close();
      await store.close();
    },
  };
}

async function openContext(store: Store, time: Time) {
  const journal = await Journal.open(store);
  const tokens = new FakeTokens();
  let kept = 0;
  const settings = async () => ({ retention: { messages: kept, days: 36_500 } });
  const clock = { now: () => time.time as Instant, after: () => () => undefined };
  const place = { project: "p", repository: "/r/.git" };
  const parts = {
    store,
    journal,
    tokens,
    clock,
    place,
    settings,
    living: new AgentProcesses(),
    polling: new Polling(),
  };
  const context = { ...parts, wake: () => undefined } as unknown as EngineContext;
  const keep = (messages: number) => {
    kept = messages;
    return compact(context);
  };
  return { context, tokens, keep };
}

async function said(granted: number, work: () => Promise<unknown>): Promise<Said> {
  try {
    return [granted, await work()];
  } catch (error) {
    if (error instanceof Refusal) return [error.status, null];
    if (error instanceof Failed) return [refusalFor(error.failure).status, null];
    throw error;
  }
}

function identityOf(who: string): Identity {
  if (who === "operator") return { role: "operator", agent: OPERATOR };
  return { role: who === "supervisor" ? "supervisor" : "agent", agent: who as AgentId };
}

const queryOf = ({ since, limit, how }: Asks) => ({
  ...(since !== null && { since: String(since) }),
  limit: String(limit),
  ...(how !== "read" && { [how]: "1" }),
});

const pageOf = ({ messages, last_seq }: Page) => ({ seqs: messages.map(({ seq }) => seq), last: last_seq });
