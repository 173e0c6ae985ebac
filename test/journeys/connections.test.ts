import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createConnections } from "../../src/broker/connections.ts";
import { eventually } from "../stage.ts";
import { HttpStage } from "./http-stage.ts";

let http: HttpStage;
beforeEach(async () => {
  http = await HttpStage.open();
});
afterEach(() => http.close());

/** A connection of its own that stays open, and what was answered over it. */
function ask(path: string): Promise<{ status: number; agent: Agent }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return new Promise((resolve, reject) => {
    const sent = request(`${http.url}${path}`, { agent }, (response) => {
      response.resume();
      response.once("end", () => resolve({ status: response.statusCode ?? 0, agent }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

it("gives an agent 64 connections, and the 65th to nobody but the others", async () => {
  const mine = await Promise.all(Array.from({ length: 64 }, () => ask(`/a/${http.tokens.a}/status`)));
  expect(new Set(mine.map(({ status }) => status))).toEqual(new Set([200]));
  const more = await Promise.all([ask(`/a/${http.tokens.a}/status`), ask(`/a/${http.tokens.b}/status`)]);
  expect(more.map(({ status }) => status)).toEqual([429, 200]);
  mine[0]?.agent.destroy();
  await eventually(async () => {
    const again = await ask(`/a/${http.tokens.a}/status`);
    more.push(again);
    return again.status === 200;
  });
  for (const { agent } of [...mine, ...more]) agent.destroy();
});

it("closes the oldest of those who say nothing, and answers everybody else meanwhile", async () => {
  const silent: Socket[] = [];
  let closed = 0;
  for (let i = 0; i < 1_100; i++) {
    const socket = connect(http.broker.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.once("close", () => closed++);
    silent.push(socket);
  }
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await http.call("a", "GET", "/status")).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await eventually(() => closed >= 1_100 - 1_024);
  for (const socket of silent) socket.destroy();
});

it("forgets a connection with its end", () => {
  const ends = new Map<object, () => void>();
  const socket = () => {
    const made = { once: (_: string, end: () => void) => ends.set(made, end), destroy: () => ends.get(made)?.() };
    return made as unknown as Socket;
  };
  const connections = createConnections(2);
  const identity = { role: "agent", agent: "a" } as never;
  const open = Array.from({ length: 64 }, socket);
  for (const each of open) {
    connections.arrived(each);
    connections.known(each, identity);
    connections.known(each, identity);
  }
  const next = socket();
  connections.arrived(next);
  expect(() => connections.known(next, identity)).toThrow(/64 connections/);
  open[0]?.destroy();
  expect(() => connections.known(next, identity)).not.toThrow();
});
