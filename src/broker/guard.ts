import type { IncomingMessage } from "node:http";
import { requireOnce } from "./query.ts";
import { Refusal } from "./refusal.ts";

/**
 * What no route has to think about: a request comes from this machine, names us and nobody else, and was not sent by a
 * web page of another origin (rebinding, cross-site posts). Throws a refusal.
 */
export function guard(request: IncomingMessage, port: number): void {
  const hosts = headerValues(request, "host");
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (hosts.length !== 1) throw new Refusal(400, "A request must have exactly one Host header.");
  if (!ours.includes(hosts[0] ?? ""))
    throw new Refusal(403, `Host must be ${ours[0]}; a name that leads here by other ways is refused.`);
  const origin = request.headers.origin;
  if (origin !== undefined && !ours.some((host) => origin === `http://${host}`))
    throw new Refusal(403, "Requests from web pages of another origin are refused.");
  const site = request.headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-site")
    throw new Refusal(403, "Requests from web pages of another origin are refused.");
  if (!request.url?.startsWith("/")) throw new Refusal(400, "The request target must be a path.");
  if (request.method !== "GET" && request.method !== "POST")
    throw new Refusal(405, "Only GET and POST are answered.", {}, { allow: "GET, POST" });
  requireOnce(request.url);
}

/** Node keeps the first of two; here two are one too many. */
function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    if (request.rawHeaders[i]?.toLowerCase() === name) values.push(request.rawHeaders[i + 1] ?? "");
  }
  return values;
}
