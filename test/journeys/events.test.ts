import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../stage.ts";
import { example, HttpStage } from "./http-stage.ts";

let http: HttpStage;
let streams: Stream[] = [];
beforeEach(async () => {
  http = await HttpStage.open();
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.end();
  streams = [];
  await http.close();
});

const status = (text: string) => ({
  type: "agent.status",
  agent_id: "a",
  payload: { status: "working", message: text },
});
const say = async (...texts: string[]) => {
  for (const text of texts) await http.publish("a", status(text));
};

interface Event {
  readonly id: string;
  readonly data: { readonly seq: number; readonly text: string; readonly message: { readonly id: string } };
}

/** Reads server-sent events as the standard says: fields until an empty line, comments skipped. */
class Stream {
  readonly events: Event[] = [];
  comments = 0;
  over = false;
  private rest = "";
  private constructor(
    readonly status: number,
    readonly body: () => string,
    readonly end: () => void,
  ) {}

  static open(query: string, headers: Record<string, string> = {}, who = "operator"): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${http.tokens[who]}`;
      const sent = request(`${http.url}/events${query}`, { headers: { authorization, ...headers } }, (response) => {
        let whole = "";
        const stream = new Stream(
          response.statusCode ?? 0,
          () => whole,
          () => sent.destroy(),
        );
        streams.push(stream);
        response.on("data", (chunk: Buffer) => {
          whole += chunk.toString();
          stream.read(chunk.toString());
        });
        response.on("close", () => {
          stream.over = true;
        });
        response.on("error", () => undefined);
        resolve(stream);
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  has = (count: number) => eventually(() => this.events.length >= count);
  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  private read(text: string): void {
    this.rest += text;
    for (let end = this.rest.indexOf("\n\n"); end >= 0; end = this.rest.indexOf("\n\n")) {
      const lines = this.rest.slice(0, end).split("\n");
      this.rest = this.rest.slice(end + 2);
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      if (lines.some((line) => line.startsWith(":"))) this.comments++;
      const data = field("data");
      if (data !== undefined) this.events.push({ id: field("id") ?? "", data: JSON.parse(data) as Event["data"] });
    }
  }
}

describe("GET /events", () => {
  it("tells every message as it is stored, its seq as the event's id", async () => {
    const stream = await Stream.open("?since=0");
    await say("one", "two");
    await http.publish("b", example("agent.artifact", "b"));
    await stream.has(3);
    expect(stream.events.slice(0, 2).map(({ id, data }) => [id, data.seq, data.message.id])).toEqual([
      ["1", 1, "epoch-1-1"],
      ["2", 2, "epoch-1-2"],
    ]);
    expect(stream.ids.slice(0, 3)).toEqual(["1", "2", "3"]);
  });

  it("goes on after Last-Event-ID, which counts more than ?since, and after ?since", async () => {
    await say("one", "two", "three", "four");
    const resumed = await Stream.open("?since=1", { "last-event-id": "3" });
    const asked = await Stream.open("?since=2");
    await Promise.all([resumed.has(1), asked.has(2)]);
    expect([resumed.ids, asked.ids]).toEqual([["4"], ["3", "4"]]);
  });

  it("begins with what comes next where nothing is said", async () => {
    await say("before");
    const stream = await Stream.open("");
    await say("after");
    await stream.has(1);
    expect(stream.ids).toEqual(["2"]);
  });

  it("misses nothing through any number of breaks", async () => {
    const seen: string[] = [];
    const writer = (async () => {
      for (let i = 0; i < 200; i++) await say(String(i));
    })();
    while (seen.length < 200) {
      const stream = await Stream.open("", { "last-event-id": seen.at(-1) ?? "0" });
      await stream.has(Math.min(7, 200 - seen.length));
      stream.end();
      seen.push(...stream.ids);
    }
    await writer;
    expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => String(i + 1)));
  });

  it("says that it is still there while nothing happens", async () => {
    const stream = await Stream.open("");
    await eventually(() => {
      http.world.clock.pass(15_000);
      return stream.comments >= 2;
    });
    expect(stream.events).toEqual([]);
  });

  it.each([
    ["?since=x", {}, 400],
    ["?since=-1", {}, 400],
    ["?since=99", {}, 400],
    ["", { "last-event-id": "1e3" }, 400],
    ["", { origin: "http://evil.example" }, 403],
  ])("%s %o: %i", async (query, headers, expected) => {
    const stream = await Stream.open(query, headers as Record<string, string>);
    await eventually(() => stream.over);
    expect([stream.status, stream.body()]).toEqual([expected, expect.stringMatching(/\{"error":"[^"]+/)]);
  });

  it("is nothing for agents, nor for strangers", async () => {
    const codes = ["a", "supervisor", "nobody"].map(async (who) => (await Stream.open("", {}, who)).status);
    expect(await Promise.all(codes)).toEqual([403, 200, 401]);
    expect((await http.call("a", "GET", "/events")).status).toBe(404);
  });

  it("says 410 to whoever comes back for what is no longer kept", async () => {
    await say("1", "2", "3", "4", "5");
    await http.keep(2);
    const late = await Stream.open("", { "last-event-id": "2" });
    expect([late.status, (await Stream.open("?since=3")).status]).toEqual([410, 200]);
    await eventually(() => late.over);
    expect(JSON.parse(late.body())).toMatchObject({ error: expect.stringMatching(/no longer kept/), since: 3 });
  });

  it("keeps nothing for a reader that takes nothing, and drops it in time", async () => {
    const socket = connect(http.broker.port, "127.0.0.1");
    socket.pause();
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => undefined);
    const host = `host: 127.0.0.1:${http.broker.port}`;
    socket.write(`GET /events?since=0 HTTP/1.1\r\n${host}\r\nauthorization: Bearer ${http.tokens.operator}\r\n\r\n`);
    // Far more than the kernel takes for it.
    for (let i = 0; i < 100; i++) await say("x".repeat(200_000));
    const { journal } = http.context;
    const listening = () => (journal as unknown as { listeners: ReadonlySet<unknown> }).listeners.size;
    const others = listening() - 1;
    await eventually(() => {
      http.world.clock.pass(30_000);
      return listening() === others;
    });
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await closed;
    expect(bytes).toBeLessThan(100 * 200_000);
  });
});
