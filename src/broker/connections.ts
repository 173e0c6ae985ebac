import type { Socket } from "node:net";
import type { Identity } from "../core/messages/roles.ts";
import { Refusal } from "./refusal.ts";

/** As many as may be open before anything valid was heard over them. */
const MOST_STRANGERS = 1_024;
/** A CLI with all its tools has a handful; the operator is a person with dashboards and scripts. */
const MOST_OF_ONE = 64;
const MOST_OF_OPERATOR = 512;

export interface Connections {
  arrived(socket: Socket): void;
  /** Something valid was heard over it. Throws a refusal when its owner has too many. */
  known(socket: Socket, identity: Identity): void;
}

/**
 * Connections are for everybody: one agent gets its share and not all of them, and whoever opens sockets and says
 * nothing loses the oldest of those, not somebody else's.
 */
export function createConnections(mostStrangers = MOST_STRANGERS): Connections {
  const strangers = new Set<Socket>();
  const owners = new WeakMap<Socket, string>();
  const counts = new Map<string, number>();

  const leave = (socket: Socket) => {
    strangers.delete(socket);
    const owner = owners.get(socket);
    if (owner === undefined) return;
    const left = (counts.get(owner) ?? 1) - 1;
    if (left === 0) counts.delete(owner);
    else counts.set(owner, left);
  };

  return {
    arrived(socket) {
      strangers.add(socket);
      socket.once("close", () => leave(socket));
      const [oldest] = strangers.size > mostStrangers ? strangers : [];
      if (oldest === undefined) return;
      strangers.delete(oldest);
      oldest.destroy();
    },
    known(socket, { role, agent }) {
      if (owners.has(socket)) return;
      const most = role === "operator" ? MOST_OF_OPERATOR : MOST_OF_ONE;
      const open = counts.get(agent) ?? 0;
      if (open >= most)
        throw new Refusal(429, `${agent} has ${most} connections open already; close some.`, {}, TOO_MANY);
      strangers.delete(socket);
      owners.set(socket, agent);
      counts.set(agent, open + 1);
    },
  };
}

const TOO_MANY = { "retry-after": "1", connection: "close" };
