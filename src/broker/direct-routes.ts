import type { IncomingMessage, ServerResponse } from "node:http";
import { Failed } from "../core/failure/failed.ts";
import type { Identity } from "../core/messages/roles.ts";
import { MOST_OF_STRANGERS, readJson } from "./body.ts";
import { type Budgets, createBudgets } from "./budgets.ts";
import { createEventsRoute } from "./events-route.ts";
import { required, type Who } from "./identify.ts";
import { overseer } from "./look-routes.ts";
import type { RouteOptions } from "./options.ts";
import { createPublishRoute } from "./publish-route.ts";
import { Refusal, refusalFor } from "./refusal.ts";

const PUBLISH = /^(?:\/a\/([^/?]+))?\/publish(?:\?|$)/;
const EVENTS = /^\/events(?:\?|$)/;

/**
 * Two routes on node's own request and response: `/publish`, because that is nearly all of the traffic (decision 20),
 * and `/events`, which goes at its reader's pace. Answers whether the request was one of them.
 */
export function createDirectRoutes(
  { context, rate, operatorDigest, onBug }: RouteOptions,
  who: Who,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { journal, tokens } = context;
  const budgets = createBudgets(rate, context);
  const isToken = (word: string): boolean => {
    const digest = tokens.digest(word);
    return digest === operatorDigest || journal.tokens.has(digest);
  };
  const publish = createPublishRoute(context, { budgets, isToken });
  const events = createEventsRoute(context);

  const takeIn = async (request: IncomingMessage, response: ServerResponse, token: string | null) => {
    // Who it is costs nothing to know, and decides how much is read and parsed of it.
    const speaker = orRefusal(() => who(request, token));
    let size = 0;
    const body = await readJson(request, (bytes) => {
      size = bytes;
      admit(budgets, speaker, bytes);
    });
    answer(response, 202, await publish(body, speaker, size));
  };
  const follow = async (request: IncomingMessage, response: ServerResponse) => {
    overseer(who(request, null));
    const query = new URLSearchParams((request.url ?? "").split("?")[1]);
    await events(request, response, query.get("since") ?? undefined);
  };

  return (request, response) => {
    const url = request.url ?? "";
    const published = request.method === "POST" ? PUBLISH.exec(url) : null;
    const done =
      published !== null
        ? takeIn(request, response, published[1] ?? null)
        : request.method === "GET" && EVENTS.test(url)
          ? follow(request, response)
          : null;
    done?.catch((error: unknown) => refuse(response, refusalOf(error, onBug)));
    return done !== null;
  };
}

/** Long texts cost before anybody knows what is in them: only whom we know may send them, and within its budget. */
function admit(budgets: Budgets, speaker: Identity | Refusal | null, bytes: number): void {
  if (speaker === null || speaker instanceof Refusal) {
    if (bytes > MOST_OF_STRANGERS) throw speaker ?? withoutToken();
    return;
  }
  const refusal = budgets.bytes(speaker, bytes);
  if (refusal !== null) throw refusal;
}

const withoutToken = (): unknown => orRefusal(() => required(null));

function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function answer(response: ServerResponse, status: number, value: object, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

export const refuse = (response: ServerResponse, { status, message, extra, headers }: Refusal): void =>
  answer(response, status, { error: message, ...extra }, headers);

export function refusalOf(error: unknown, onBug: (error: unknown) => void): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Failed) return refusalFor(error.failure);
  onBug(error);
  return refusalFor({ kind: "internal", detail: error instanceof Error ? error.message : String(error) });
}
