import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACTION_TYPES } from "../../src/core/actions/actions.ts";
import { mayAsk } from "../../src/core/actions/may-ask.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import { MESSAGE_TYPES } from "../../src/core/messages/messages.ts";
import { maySay, type Role } from "../../src/core/messages/roles.ts";
import { example, HttpStage } from "./http-stage.ts";

let http: HttpStage;
beforeEach(async () => {
  http = await HttpStage.open();
});
afterEach(() => http.close());

const ROLES: readonly (readonly [who: string, role: Role])[] = [
  ["a", "agent"],
  ["supervisor", "supervisor"],
  ["operator", "operator"],
];
const status = (agent: string, extra: object = {}) => ({
  type: "agent.status",
  agent_id: agent,
  payload: { status: "working" },
  ...extra,
});
const lastSeq = async () => (await http.call("operator", "GET", "/log")).body.last_seq;

describe("who may do what, each cell over the wire", () => {
  it.each(
    MESSAGE_TYPES.flatMap((type) => ROLES.map(([who, role]) => [who, type, maySay(role, type) ? 202 : 403] as const)),
  )("%s publishes %s: %i", async (who, type, expected) => {
    expect((await http.publish(who, example(type, who))).status).toBe(expected);
    expect(await lastSeq()).toBe(expected === 202 ? 1 : 0);
  });

  it.each([
    ["a", "a", 200],
    ["a", "b", 403],
    ["a", "supervisor", 403],
    ["b", "a", 403],
    ["supervisor", "supervisor", 200],
    ["supervisor", "a", 403],
    ["operator", "a", 200],
    ["operator", "supervisor", 200],
    ["operator", "nobody", 200],
    [null, "a", 401],
  ])("%s reads the inbox of %s: %i", async (who, agent, expected) => {
    expect((await http.call(who, "GET", `/messages/${agent}`)).status).toBe(expected);
  });

  const actions: Record<string, object> = {
    tell: { agent: "a", text: "x" },
    answer: { question: "q1", answer: "x" },
    restore: { ref: "r" },
    retract: { agent: "a" },
    "land-undo": { branch: "x" },
  };
  it.each(
    ACTION_TYPES.flatMap((type) => ROLES.map(([who, role]) => [who, type, mayAsk(role, type) ? 200 : 403] as const)),
  )("%s asks for %s: %i", async (who, type, expected) => {
    const reply = await http.call(who === "a" ? (http.tokens.a ?? "") : who, "POST", "/act", {
      type,
      ...actions[type],
    });
    expect([reply.status, http.acted.length]).toEqual([expected, expected === 200 ? 1 : 0]);
  });

  it.each(["/log", "/snapshot", "/effects", "/questions", "/inbox/a"])(
    "%s is nothing for agents to see",
    async (path) => {
      const statuses = await Promise.all(
        ["operator", "supervisor", http.tokens.a ?? ""].map(async (who) => (await http.call(who, "GET", path)).status),
      );
      expect([...statuses, (await http.call(null, "GET", path)).status]).toEqual([200, 200, 403, 401]);
    },
  );

  it("nobody speaks for another: not as a sender, not as a verifier, not as the supervisor", async () => {
    const forged = [
      [http.tokens.a, status("b")],
      [http.tokens.a, { type: "agent.question", agent_id: "supervisor", payload: { question: "x?" } }],
      ["supervisor", status("a")],
      ["supervisor", { type: "agent.feedback", agent_id: "a", payload: { from: "b", errors: ["x"] } }],
    ] as const;
    for (const [who, message] of forged) expect((await http.publish(who ?? "", message)).status).toBe(403);
    expect(await lastSeq()).toBe(0);
  });

  it("the operator's token opens nothing in a URL", async () => {
    const { status: code } = await http.call(null, "POST", `/a/${http.tokens.operator}/publish`, status("a"));
    expect(code).toBe(401);
  });

  it("a token that is not known is refused, after what is wrong with the body", async () => {
    expect([
      (await http.publish("nonsense", status("a"))).status,
      (await http.publish("nonsense", { type: "agent.status", payload: { status: "x" } })).status,
      (await http.publish("nonsense", { type: "x" })).status,
    ]).toEqual([401, 401, 400]);
    expect((await http.call(null, "GET", "/status", undefined, { authorization: "Basic x" })).status).toBe(401);
  });

  it("without a token one learns only that it is a broker", async () => {
    expect((await http.call(null, "GET", "/status")).body).toEqual({ git_paw: true, protocol: 1 });
    expect((await http.call("a", "GET", "/status")).body).toMatchObject({
      git_paw: true,
      version: "test",
      repository: "/repo/.git",
      epoch: "epoch-1",
      agents: [{ agent_id: "a" }, { agent_id: "b" }],
    });
  });
});

describe("what is refused before anybody asks who", () => {
  const post = (headers: string, body = "{}") =>
    http.raw(
      `POST /publish HTTP/1.1\r\n${headers.replaceAll("PORT", String(http.broker.port))}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
  const OK = "host: 127.0.0.1:PORT\r\ncontent-type: application/json\r\nconnection: close";
  const code = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

  it.each([
    ["a foreign Host", OK.replace("127.0.0.1:PORT", "evil.example"), 403],
    ["a rebound Host with our port", OK.replace("127.0.0.1", "evil.example"), 403],
    ["our Host without its port", OK.replace(":PORT", ""), 403],
    ["two Hosts", `host: 127.0.0.1:PORT\r\n${OK}`, 400],
    ["no Host", OK.replace("host: 127.0.0.1:PORT\r\n", ""), 400],
    ["a foreign Origin", `${OK}\r\norigin: https://evil.example`, 403],
    ["an opaque Origin", `${OK}\r\norigin: null`, 403],
    ["another port's Origin", `${OK}\r\norigin: http://127.0.0.1:1`, 403],
    ["a cross-site fetch", `${OK}\r\nsec-fetch-site: cross-site`, 403],
    ["text/plain, which a web page may send", OK.replace("application/json", "text/plain"), 415],
    ["a form", OK.replace("application/json", "application/x-www-form-urlencoded"), 415],
    ["no content type", OK.replace("content-type: application/json\r\n", ""), 415],
    ["an encoded body", `${OK}\r\ncontent-encoding: gzip`, 415],
    ["a clean one without a token", `${OK}\r\norigin: http://127.0.0.1:PORT`, 400],
  ])("%s: %i", async (_, headers, expected) => {
    const answer = await post(headers);
    expect(code(answer)).toBe(expected);
    expect(answer).toMatch(/\{"error":"[^"]+/);
    expect(answer).not.toMatch(/access-control-allow/i);
  });

  it.each([
    ["absolute form", "GET http://127.0.0.1:PORT/status HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: close\r\n\r\n"],
    ["HTTP/1.0 without Host", "GET /status HTTP/1.0\r\n\r\n"],
    ["another method", "DELETE /publish HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: close\r\n\r\n"],
    [
      "a preflight",
      "OPTIONS /publish HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\norigin: http://x\r\naccess-control-request-method: POST\r\nconnection: close\r\n\r\n",
    ],
    ["an upgrade", "GET /status HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["garbage", "\u0000\u0001\u0002 hello\r\n\r\n"],
    ["a header without end", `GET /status HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nx: ${"y".repeat(20_000)}\r\n\r\n`],
    ["a path with dots", "GET /../../etc/passwd HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: close\r\n\r\n"],
    ["a broken escape", "GET /messages/%zz HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nconnection: close\r\n\r\n"],
    [
      "two lengths",
      "POST /publish HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
    ],
    [
      "smuggled length",
      "POST /publish HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}",
    ],
  ])("%s gets a 4xx, never a 5xx or silence", async (_, text) => {
    const answer = await http.raw(text.replaceAll("PORT", String(http.broker.port)));
    expect([Math.floor(code(answer) / 100), answer]).toEqual([4, expect.stringMatching(/\{"error":"[^"]+/)]);
  });
});

describe("what a body may be", () => {
  it.each([
    ["empty", "", 400],
    ["not JSON", "not json", 400],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400],
    ["too deep", `${"[".repeat(65)}${"]".repeat(65)}`, 400],
    ["100,000 deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, 400],
    ["too large", JSON.stringify(status("a", { filler: "x".repeat(1024 * 1024) })), 413],
    ["an empty list", "[]", 400],
    ["too long a list", JSON.stringify(Array.from({ length: 101 }, () => status("a"))), 400],
    ["a number", "7", 400],
  ])("%s: %i", async (_, body, expected) => {
    const response = await fetch(`${http.url}/a/${http.tokens.a}/publish`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect([response.status, ((await response.json()) as { error: string }).error.length > 10]).toEqual([
      expected,
      true,
    ]);
    expect(await lastSeq()).toBe(0);
  });

  it("names the field, also in a list", async () => {
    expect(
      (await http.publish("a", [status("a"), { type: "agent.question", payload: { question: "<your question>" } }]))
        .body,
    ).toMatchObject({ field: "[1].payload.question" });
    expect(await lastSeq()).toBe(0);
  });

  it("an endless one is cut at the limit, not read", async () => {
    const answer = await http.raw(
      `POST /publish HTTP/1.1\r\nhost: 127.0.0.1:${http.broker.port}\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  it("a chunked one without a length is cut as well", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const answer = await http.raw(
      `POST /publish HTTP/1.1\r\nhost: 127.0.0.1:${http.broker.port}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });
});

describe("publishing", () => {
  it("acknowledges with the seq, one by one or a list in one go", async () => {
    expect([
      (await http.publish("a", status("a"))).body,
      (await http.publish("a", [status("a"), status("a")])).body,
    ]).toEqual([{ seq: 1 }, { seqs: [2, 3] }]);
  });

  it("knows a message by its key though JSON writes its numbers in two ways", async () => {
    const body = '{"type":"agent.status","key":"k","payload":{"status":"x","detail":[-0,1e1]}}';
    const post = async () => {
      const url = `http://127.0.0.1:${http.broker.port}/a/${http.tokens.a}/publish`;
      return (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })).json();
    };
    expect([await post(), await post()]).toEqual([{ seq: 1 }, { seq: 1 }]);
  });

  it("fills in who speaks, and takes the slash form", async () => {
    await http.publish("a", { type: "agent.status", payload: { status: "working" } });
    await http.publish("operator", { type: "agent.status", agent_id: "feat/x", payload: { status: "working" } });
    const { entries } = (await http.call("operator", "GET", "/log")).body as { entries: { from: string }[] };
    expect(entries.map(({ from }) => from)).toEqual(["a", "feat-x"]);
  });

  it("stores one message per key, whoever repeats it, however close together", async () => {
    const keyed = status("a", { key: "k1" });
    const replies = await Promise.all(Array.from({ length: 10 }, () => http.publish("a", keyed)));
    expect(new Set(replies.map(({ status: code, body }) => `${code} ${body.seq}`))).toEqual(new Set(["202 1"]));
    expect((await http.publish("a", { ...keyed, payload: { status: "other" } })).status).toBe(409);
    expect((await http.publish("b", { ...keyed, agent_id: "b" })).body).toEqual({ seq: 2 });
    expect((await http.publish("a", [keyed, status("a", { key: "k2" }), status("a")])).body).toEqual({
      seqs: [1, 3, 4],
    });
    expect((await http.publish("a", [status("a", { key: "k3" }), status("a", { key: "k3" })])).body).toEqual({
      seqs: [5, 5],
    });
    expect(await lastSeq()).toBe(5);
  });

  it("limits each agent, not all of them, and says when to come back", async () => {
    await http.close();
    http = await HttpStage.open({ perSecond: 20, burst: 5 });
    const codes = [];
    for (let i = 0; i < 7; i++) codes.push((await http.publish("a", status("a"))).status);
    expect(codes).toEqual([202, 202, 202, 202, 202, 429, 429]);
    const refused = await http.publish("a", status("a"));
    expect([refused.headers.get("retry-after"), refused.body.error]).toEqual([
      "1",
      expect.stringMatching(/more than 20 messages per second/),
    ]);
    expect([
      (await http.publish("b", status("b"))).status,
      (await http.publish("operator", status("a"))).status,
    ]).toEqual([202, 202]);
    http.world.clock.pass(1000);
    expect((await http.publish("a", status("a"))).status).toBe(202);
  });

  it("answers 507 on a full disk and 503 on a broken one, acknowledges nothing, and goes on", async () => {
    http.world.disk.failures.push({ kind: "store.full" });
    const full = await http.publish("a", status("a"));
    http.world.disk.failures.push({ kind: "store.broken", detail: "EIO" });
    const broken = await http.publish("a", status("a"));
    expect([full.status, broken.status, broken.headers.get("retry-after")]).toEqual([507, 503, "1"]);
    expect((await http.publish("a", status("a"))).body).toEqual({ seq: 1 });
  });
});

describe("a full disk", () => {
  const full = () => http.world.disk.failures.push({ kind: "store.full" });
  it.each([
    ["one message", status("a")],
    ["a list", [status("a"), status("a")]],
    ["one with a key", status("a", { key: "k" })],
  ])("refuses %s with 507, keeps nothing of it, and takes it when there is room again", async (_, body) => {
    full();
    const refused = await http.publish("a", body);
    expect([refused.status, refused.body.error, await lastSeq()]).toEqual([
      507,
      expect.stringMatching(/disk is full/),
      0,
    ]);
    expect([(await http.publish("a", body)).status, await lastSeq()]).toEqual([202, Array.isArray(body) ? 2 : 1]);
  });

  it("leaves unread what it could not note as read", async () => {
    await http.publish("operator", example("agent.feedback", "operator"));
    full();
    expect((await http.inbox("a")).status).toBe(507);
    expect((await http.inbox("a", "a", "?unread=1")).body).toMatchObject({ messages: [{ seq: 1 }] });
  });

  it("cuts nothing off the log that it could not write down, and cuts it later", async () => {
    for (let i = 0; i < 4; i++) await http.publish("a", status("a"));
    const { store } = http.context;
    const compact = store.compact.bind(store);
    Object.assign(store, { compact: () => Promise.reject(new Failed({ kind: "store.full" })) });
    await expect(http.keep(1)).rejects.toThrow(/disk is full/);
    expect((await http.call("operator", "GET", "/log?since=0")).status).toBe(200);
    Object.assign(store, { compact });
    await http.keep(1);
    expect((await http.call("operator", "GET", "/log?since=0")).status).toBe(410);
  });
});

describe("inboxes", () => {
  it("as git-paw has them: two statuses, an artifact, one reader", async () => {
    await http.publish("a", status("a"));
    await http.publish("a", status("a"));
    await http.publish("a", example("agent.artifact", "a"));
    expect((await http.inbox("b")).body).toMatchObject({
      messages: [{ type: "agent.artifact", agent_id: "a", seq: 3 }],
      last_seq: 3,
      epoch: "epoch-1",
    });
    expect((await http.inbox("a")).body).toMatchObject({ messages: [], last_seq: 0 });
    expect((await http.inbox("b", "b", "?since=3")).body).toMatchObject({ messages: [], last_seq: 3 });
    expect((await http.inbox("operator", "unknown", "?since=5")).body).toMatchObject({
      messages: [expect.anything()].slice(1),
      last_seq: 5,
    });
  });

  it("carry seq, id and time on every message", async () => {
    await http.publish("operator", example("agent.feedback", "operator"));
    const { messages } = (await http.inbox("a")).body as { messages: Record<string, unknown>[] };
    expect(messages).toEqual([
      {
        type: "agent.feedback",
        agent_id: "a",
        payload: { from: "supervisor", errors: ["x"] },
        seq: 1,
        id: "epoch-1-1",
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  it.each([
    "?since=abc",
    "?since=-1",
    "?since=0x10",
    "?since=1e3",
    "?since=",
    "?since=9999999999999999",
    "?limit=0",
    "?limit=x",
    "?wait=61",
    "?wait=-1",
  ])("%s is a bad cursor", async (query) => {
    expect((await http.inbox("a", "a", query)).status).toBe(400);
  });
  it("of a bad name is a bad name", async () => {
    for (const name of ["BAD!", "a%20b", "x".repeat(65), "A"])
      expect((await http.call("operator", "GET", `/messages/${name}`)).status).toBe(400);
  });

  it("wait for news, wake at once, and give up in time", async () => {
    const waiting = http.inbox("b", "b", "?wait=30");
    await http.publish("a", status("a"));
    await http.publish("a", example("agent.artifact", "a"));
    expect((await waiting).body).toMatchObject({ messages: [{ seq: 2 }], last_seq: 2 });
    const vain = http.inbox("b", "b", "?since=2&wait=1");
    await new Promise((resolve) => setTimeout(resolve, 50));
    http.world.clock.pass(1000);
    expect((await vain).body).toMatchObject({ messages: [], last_seq: 2 });
  });

  it("know what was read: by its owner, not by who looks over its shoulder", async () => {
    await http.publish("operator", example("agent.feedback", "operator"));
    const receipt = async () =>
      (
        (await http.call("operator", "GET", "/inbox/a")).body as unknown as { delivered: boolean; acted: boolean }[]
      ).map(({ delivered, acted }) => [delivered, acted]);
    await http.inbox("operator", "a");
    expect(await receipt()).toEqual([[false, false]]);
    await http.inbox("a");
    expect(await receipt()).toEqual([[true, false]]);
    await http.publish("a", status("a"));
    expect(await receipt()).toEqual([[true, true]]);
    expect((await http.inbox("a", "a", "?unread=1")).body).toMatchObject({ messages: [] });
  });

  it("keep what is sent to somebody who is not there yet", async () => {
    await http.publish("operator", { ...example("agent.feedback", "operator"), agent_id: "later" });
    expect((await http.inbox("operator", "later")).body).toMatchObject({ messages: [{ seq: 1 }] });
  });
});

it("asks one question once, and again when it was answered", async () => {
  const ask = () => http.publish("a", example("agent.question", "a"));
  const open = async () => ((await http.call("operator", "GET", "/questions")).body as unknown as unknown[]).length;
  await ask();
  await ask();
  expect([
    await open(),
    ((await http.inbox("operator", "supervisor")).body as { messages: unknown[] }).messages.length,
  ]).toEqual([1, 1]);
  await http.publish("operator", { ...example("agent.answer", "operator") });
  expect(await open()).toBe(0);
  await ask();
  expect(await open()).toBe(1);
});

it("tells a dashboard when something changed", async () => {
  const first = (await http.call("operator", "GET", "/snapshot")).body as { version: number };
  const next = http.call("operator", "GET", `/snapshot?since=${first.version}&wait=30`);
  await http.publish("a", status("a"));
  expect(((await next).body as { version: number; agents: object[] }).version).toBeGreaterThan(first.version);
});

it("refuses actions it does not understand with a sentence", async () => {
  for (const body of [{}, { type: "explode" }, { type: "stop", agents: 7 }, { type: "stop", extra: 1 }, []])
    expect((await http.call("operator", "POST", "/act", body)).status).toBe(400);
  expect(http.acted).toEqual([]);
});

it("answers other requests while one fails", async () => {
  const many = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 3 === 0
        ? http.publish("a", "{")
        : i % 3 === 1
          ? http.publish("a", status("a"))
          : http.call("a", "GET", "/status"),
    ),
  );
  expect(many.map(({ status: code }, i) => code === [400, 202, 200][i % 3]).every(Boolean)).toBe(true);
});
