import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createConnections } from "./connections.ts";
import { createDirectRoutes, refusalOf, refuse as refuseDirectly } from "./direct-routes.ts";
import { guard } from "./guard.ts";
import { createIdentify, createWho } from "./identify.ts";
import type { RouteOptions } from "./options.ts";
import { Refusal } from "./refusal.ts";
import { createRoutes } from "./routes.ts";

const MOST_CONNECTIONS = 4_096;
const BACKLOG = 1_024;

/** Slow and endless clients are cut: node's own limits are 60 s, 300 s and none. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
  // A missing Host is refused by our guard, with a sentence.
  requireHostHeader: false,
};

export interface Broker {
  readonly port: number;
  /** From now on requests are answered; before, they are told to come back. */
  open(options: RouteOptions): void;
  close(): Promise<void>;
}

/** Binds loopback on `wanted`, or on a free port when that is taken. */
export async function bindBroker(wanted: number): Promise<Broker> {
  let answer = (_: IncomingMessage, response: ServerResponse) => refuse(response, starting());
  const server = createServer(LIMITS, (request, response) => answer(request, response));
  const connections = createConnections();
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", connections.arrived);
  server.on("upgrade", (_, socket) => {
    socket.on("error", () => socket.destroy());
    socket.end(UNREADABLE, () => socket.destroy());
  });
  server.on("clientError", (_, socket) => (socket.writable ? socket.end(UNREADABLE) : socket.destroy()));
  const port = (await listen(server, wanted)) ?? (await listen(server, 0)) ?? 0;
  return {
    port,
    open(options) {
      const { context, operatorDigest } = options;
      const who = createWho(createIdentify(context.journal, context.tokens, operatorDigest), connections);
      const direct = createDirectRoutes(options, who);
      const routes = getRequestListener(createRoutes(options, who).fetch, { overrideGlobalObjects: false });
      answer = (request, response) => {
        try {
          guard(request, port);
        } catch (error) {
          return refuse(response, refusalOf(error, options.onBug));
        }
        if (!direct(request, response)) void routes(request, response);
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const starting = () => new Refusal(503, "The supervisor is starting.", {}, { "retry-after": "1" });

/** For what is not even a request, or wants to become something else. */
const UNREADABLE = (() => {
  const body = JSON.stringify({ error: "This is not a request the broker answers: plain HTTP/1.1 GET or POST only." });
  const head = [
    "HTTP/1.1 400 Bad Request",
    "content-type: application/json",
    `content-length: ${body.length}`,
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
})();

/** The port, or null when it is taken. */
function listen(server: Server, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off("listening", bound);
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(null);
      else reject(error);
    };
    const bound = () => {
      server.off("error", failed);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : null);
    };
    server.once("error", failed);
    server.once("listening", bound);
    server.listen(port, "127.0.0.1", BACKLOG);
  });
}

/** What is refused before anybody asks who: nothing more is heard over this connection. */
const refuse = (response: ServerResponse, refusal: Refusal): void =>
  refuseDirectly(
    response,
    new Refusal(refusal.status, refusal.message, refusal.extra, { connection: "close", ...refusal.headers }),
  );
