import type { IncomingMessage, ServerResponse } from "node:http";
import { Failed } from "../core/failure.ts";
import { readJson } from "./body.ts";
import { createEventsRoute } from "./events-route.ts";
import type { Who } from "./identify.ts";
import { overseer } from "./look-routes.ts";
import { createPublishRoute } from "./publish-route.ts";
import { Refusal, refusalFor } from "./refusal.ts";
import type { RouteOptions } from "./routes.ts";

const PUBLISH = /^(?:\/a\/([^/?]+))?\/publish(?:\?|$)/;
const EVENTS = /^\/events(?:\?|$)/;

/**
 * Two routes on node's own request and response: `/publish`, because that is nearly all of the traffic (decision 20),
 * and `/events`, which goes at its reader's pace. Answers whether the request was one of them.
 */
export function createDirectRoutes(
  { house, rate, onBug }: RouteOptions,
  who: Who,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const publish = createPublishRoute(house, rate);
  const events = createEventsRoute(house);

  const takeIn = async (request: IncomingMessage, response: ServerResponse, token: string | null) => {
    const body = await readJson(request);
    answer(response, 202, await publish(body, () => who(request, token)));
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
