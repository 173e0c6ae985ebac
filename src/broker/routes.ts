import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type Action, type ActionType, parseAction } from "../core/actions.ts";
import type { AgentId } from "../core/ids.ts";
import { AGENT_ID } from "../core/naming.ts";
import { parseWatch } from "../core/parse-message.ts";
import type { RateLimit } from "../core/rate.ts";
import { type Identity, mayAsk, maySpeakAs } from "../core/roles.ts";
import type { Scene } from "../core/snapshot.ts";
import { hearHook } from "../engine/hear-hook.ts";
import type { House } from "../engine/house.ts";
import { registerWorktree } from "../engine/register-worktree.ts";
import { viewIntents } from "../engine/view-intents.ts";
import { viewConflicts, viewEffects, viewInbox, viewLog, viewQuestions, viewSnapshot } from "../engine/views.ts";
import { readJson } from "./body.ts";
import { refusalOf } from "./direct-routes.ts";
import { required, type Who } from "./identify.ts";
import { overseer, readRange, readStatus } from "./look-routes.ts";
import { readMessages } from "./messages-route.ts";
import { readNumber } from "./query.ts";
import { Refusal } from "./refusal.ts";
import { createVersions } from "./versions.ts";

export type ActionTable = {
  readonly [Type in ActionType]: (action: Extract<Action, { type: Type }>, by: Identity) => Promise<unknown>;
};

export interface RouteOptions {
  readonly house: House;
  readonly actions: ActionTable;
  readonly operatorDigest: string;
  readonly rate: RateLimit;
  readonly version: string;
  supervisor(): NonNullable<Scene["supervisor"]>;
  onBug(error: unknown): void;
}

type Env = { Bindings: HttpBindings };

const LONGEST_WAIT_SECONDS = 60;

/** Every call of the broker but those in direct-routes.ts. `/a/<token>/…` is the same under a capability URL, so that plain curl works. */
export function createRoutes(options: RouteOptions, whoAsks: Who): Hono<Env> {
  const { house, actions, version } = options;
  const versions = createVersions(house);
  const who = (c: Context<Env>): Identity | null => whoAsks(c.env.incoming, c.req.param("token") ?? null);
  const app = new Hono<Env>();

  for (const prefix of ["", "/a/:token"]) {
    app.post(`${prefix}/hook`, async (c) => {
      const body = await readJson(c.env.incoming);
      const told = await hearHook(house, required(who(c)).agent, body);
      return c.json(told === null ? {} : { tell: told });
    });
    app.post(`${prefix}/watch`, async (c) => {
      const body = await readJson(c.env.incoming);
      return c.json(await watch(house, body, who(c)), 202);
    });
    app.get(`${prefix}/messages/:agent`, async (c) =>
      c.json(await readMessages(house, c.req.param("agent") ?? "", c.req.query(), who(c), c.req.raw.signal)),
    );
    app.get(`${prefix}/intents`, (c) => {
      const { role, agent } = required(who(c));
      return c.json({ intents: viewIntents(house.journal, house.clock.now(), role === "agent" ? agent : null) });
    });
    app.get(`${prefix}/status`, (c) => c.json(readStatus(house, who(c), version, options.supervisor().since)));
  }
  app.get("/snapshot", async (c) => {
    overseer(who(c));
    const seen = readNumber(c.req.query("since"), "since", 0, 0, Number.MAX_SAFE_INTEGER);
    const wait = readNumber(c.req.query("wait"), "wait", 0, 0, LONGEST_WAIT_SECONDS);
    const at = await versions.after(seen, wait * 1000, c.req.raw.signal);
    return c.json({ ...(await viewSnapshot(house, options.supervisor())), version: at });
  });
  const overseen =
    <T>(read: (c: Context<Env>) => T | Promise<T>) =>
    async (c: Context<Env>) => {
      overseer(who(c));
      return c.json((await read(c)) as object);
    };
  app.get(
    "/log",
    overseen((c) => viewLog(house, ...readRange(c.req.query()))),
  );
  app.get(
    "/effects",
    overseen((c) => viewEffects(house, ...readRange(c.req.query()))),
  );
  app.get(
    "/conflicts",
    overseen(() => viewConflicts(house, house.outlook.current(), house.clock.now())),
  );
  app.get(
    "/inbox/:agent",
    overseen((c) => viewInbox(house, inboxName(c.req.param("agent")))),
  );
  app.get(
    "/questions",
    overseen(() => viewQuestions(house)),
  );
  app.post("/act", async (c) => {
    const action = parseAction(await readJson(c.env.incoming));
    if ("kind" in action) throw new Refusal(400, "message" in action ? action.message : "This is not an action.");
    const identity = required(who(c));
    if (!mayAsk(identity.role, action.type))
      throw new Refusal(403, `A token of the role ${identity.role} may not ask for ${action.type}.`);
    const perform = actions[action.type] as (action: Action, by: Identity) => Promise<unknown>;
    return c.json((await perform(action, identity)) ?? {});
  });
  app.notFound(() => refuse(new Refusal(404, "There is nothing here.")));
  app.onError((error) => refuse(refusalOf(error, options.onBug)));
  return app;
}

/** Who did not start an agent can have its worktree looked after: the operator anybody's, an agent its own. */
async function watch(house: House, body: unknown, identity: Identity | null): Promise<object> {
  const asked = parseWatch(body, identity?.role === "operator" ? null : (identity?.agent ?? null));
  if ("why" in asked) throw new Refusal(400, asked.why, { field: asked.field });
  const known = required(identity);
  if (!maySpeakAs(known, asked.agent))
    throw new Refusal(403, `This token speaks for ${known.agent}, not for ${asked.agent}.`);
  await registerWorktree(house, asked);
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
