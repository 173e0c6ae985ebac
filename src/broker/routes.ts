import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type Action, parseAction } from "../core/actions/actions.ts";
import { mayAsk } from "../core/actions/may-ask.ts";
import { parseWatch } from "../core/messages/parse-message.ts";
import { type Identity, maySpeakAs } from "../core/messages/roles.ts";
import type { AgentId } from "../core/text/ids.ts";
import { AGENT_ID } from "../core/text/naming.ts";
import { hearHook } from "../engine/agents/hear-hook.ts";
import type { EngineContext } from "../engine/context.ts";
import { viewBranch, viewQueue } from "../engine/views/view-gates.ts";
import { viewIntents } from "../engine/views/view-intents.ts";
import { viewScreen } from "../engine/views/view-screen.ts";
import { viewConflicts, viewEffects, viewInbox, viewLog, viewQuestions, viewSnapshot } from "../engine/views/views.ts";
import { registerWorktree } from "../engine/worktrees/register-worktree.ts";
import { readJson } from "./body.ts";
import { createBudgets } from "./budgets.ts";
import { refusalOf } from "./direct-routes.ts";
import { required, type Who } from "./identify.ts";
import { overseer, readRange, readStatus } from "./look-routes.ts";
import { readMessages } from "./messages-route.ts";
import type { RouteOptions } from "./options.ts";
import { readNumber } from "./query.ts";
import { Refusal } from "./refusal.ts";
import { createVersions } from "./versions.ts";

type Env = { Bindings: HttpBindings };

const LONGEST_WAIT_SECONDS = 60;

/** Every call of the broker but those in direct-routes.ts. `/a/<token>/…` is the same under a capability URL, so that plain curl works. */
export function createRoutes(options: RouteOptions, whoAsks: Who): Hono<Env> {
  const { context, actions, version } = options;
  const versions = createVersions(context);
  const who = (c: Context<Env>): Identity | null => whoAsks(c.env.incoming, c.req.param("token") ?? null);
  // Beside what it publishes: a CLI that calls many hooks can still say something.
  const budgets = createBudgets(options.rate, context, "asks for");
  /** Who asks, and for what. Nothing of it is read before both budgets allow it. */
  const asked = async (c: Context<Env>): Promise<{ identity: Identity; body: unknown }> => {
    const identity = required(who(c));
    allow(budgets.messages(identity, 1));
    const body = await readJson(c.env.incoming, (bytes) => allow(budgets.bytes(identity, bytes)));
    return { identity, body };
  };
  const app = new Hono<Env>();

  for (const prefix of ["", "/a/:token"]) {
    app.post(`${prefix}/hook`, async (c) => {
      const { identity, body } = await asked(c);
      const told = await hearHook(context, identity.agent, body);
      return c.json(told === null ? {} : { tell: told });
    });
    app.post(`${prefix}/watch`, async (c) => {
      const { identity, body } = await asked(c);
      return c.json(await watch(context, body, identity), 202);
    });
    app.get(`${prefix}/messages/:agent`, async (c) =>
      c.json(await readMessages(context, c.req.param("agent") ?? "", c.req.query(), who(c), c.req.raw.signal)),
    );
    app.get(`${prefix}/intents`, (c) => {
      const { role, agent } = required(who(c));
      return c.json({ intents: viewIntents(context.journal, context.clock.now(), role === "agent" ? agent : null) });
    });
    app.get(`${prefix}/status`, (c) => c.json(readStatus(context, who(c), version, options.supervisor().since)));
  }
  app.get("/snapshot", async (c) => {
    overseer(who(c));
    const seen = readNumber(c.req.query("since"), "since", 0, 0, Number.MAX_SAFE_INTEGER);
    const wait = readNumber(c.req.query("wait"), "wait", 0, 0, LONGEST_WAIT_SECONDS);
    const at = await versions.after(seen, wait * 1000, c.req.raw.signal);
    return c.json({ ...(await viewSnapshot(context, options.supervisor())), version: at });
  });
  const overseen =
    <T>(read: (c: Context<Env>) => T | Promise<T>) =>
    async (c: Context<Env>) => {
      overseer(who(c));
      return c.json((await read(c)) as object);
    };
  app.get(
    "/log",
    overseen((c) => viewLog(context, ...readRange(c.req.query()))),
  );
  app.get(
    "/effects",
    overseen((c) => viewEffects(context, ...readRange(c.req.query()))),
  );
  app.get(
    "/conflicts",
    overseen(() => viewConflicts(context, context.predictions.current(), context.clock.now())),
  );
  app.get(
    "/inbox/:agent",
    overseen((c) => viewInbox(context, inboxName(c.req.param("agent")))),
  );
  app.get(
    "/screen/:agent",
    overseen((c) => viewScreen(context, inboxName(c.req.param("agent")))),
  );
  app.get(
    "/questions",
    overseen(() => viewQuestions(context, options.supervisor())),
  );
  app.get(
    "/verification",
    overseen((c) => {
      const view = viewBranch(context, c.req.query("name") ?? "");
      if (view === null) throw new Refusal(404, "Nobody has asked for this to be verified.");
      return view;
    }),
  );
  app.get(
    "/landing",
    overseen(() => viewQueue(context)),
  );
  app.post("/act", async (c) => {
    const { identity, body } = await asked(c);
    const action = parseAction(body);
    if ("kind" in action) throw new Refusal(400, "message" in action ? action.message : "This is not an action.");
    const may = identity.role === "supervisor" ? (await context.settings()).supervisor.may : [];
    if (!mayAsk(identity.role, action.type, may))
      throw new Refusal(403, `A token of the role ${identity.role} may not ask for ${action.type}.`);
    const perform = actions[action.type] as (action: Action, by: Identity) => Promise<unknown>;
    return c.json((await perform(action, identity)) ?? {});
  });
  app.notFound(() => refuse(new Refusal(404, "There is nothing here.")));
  app.onError((error) => refuse(refusalOf(error, options.onBug)));
  return app;
}

function allow(refusal: Refusal | null): void {
  if (refusal !== null) throw refusal;
}

/** Who did not start an agent can have its worktree looked after: the operator anybody's, an agent its own. */
async function watch(
  context: Pick<EngineContext, "journal" | "clock" | "git">,
  body: unknown,
  identity: Identity,
): Promise<object> {
  const asked = parseWatch(body, identity.role === "operator" ? null : identity.agent);
  if ("why" in asked) throw new Refusal(400, asked.why, { field: asked.field });
  if (!maySpeakAs(identity, asked.agent))
    throw new Refusal(403, `This token speaks for ${identity.agent}, not for ${asked.agent}.`);
  await registerWorktree(context, asked, identity.role === "operator");
  return {};
}

function inboxName(name: string | undefined): AgentId {
  if (name === undefined || !AGENT_ID.test(name)) throw new Refusal(400, "agent_id must match [a-z0-9-_]+");
  return name as AgentId;
}

function refuse({ status, message, extra, headers }: Refusal): Response {
  return new Response(JSON.stringify({ error: message, ...extra }), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
