import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Branch } from "../../src/core/text/ids.ts";
import { HttpStage } from "./http-stage.ts";

let http: HttpStage;
beforeEach(async () => {
  http = await HttpStage.open({ perSecond: 20, burst: 100 });
});
afterEach(() => http.close());

const MB = 1024 * 1024;
const intent = (length: number) => ({
  type: "agent.intent",
  payload: { files: ["x"], summary: "s".repeat(length) },
});
const status = (message: string) => ({ type: "agent.status", payload: { status: "working", message } });
const entries = async (query = "") =>
  (await http.call("operator", "GET", `/log${query}`)).body as { entries: { seq: number }[]; last_seq: number };

describe("what an agent may say at once is counted in bytes as well", () => {
  it("long messages are refused beyond a budget of its own, and again granted in time", async () => {
    const codes: number[] = [];
    for (let i = 0; i < 8; i++) codes.push((await http.publish("a", intent(MB - 1_000))).status);
    expect(codes).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    const refused = await http.publish("a", intent(MB - 1_000));
    expect(refused.body.error).toMatch(/^a publishes more than 81920 bytes per second; try again in \d+ s\.$/);
    expect((await http.publish("b", intent(MB - 1_000))).status).toBe(202);
    http.world.clock.pass(Number(refused.headers.get("retry-after")) * 1000);
    expect((await http.publish("a", intent(MB - 1_000))).status).toBe(202);
  });

  it.each(["/hook", "/watch"])("so is what it asks for by %s, and that holds up nothing it says", async (path) => {
    const asks = (body: object) => http.call("a", "POST", path, body);
    const codes: number[] = [];
    for (let i = 0; i < 6; i++) codes.push((await asks({ x: "x".repeat(MB - 1_000) })).status);
    expect([codes.slice(0, 3).includes(429), codes.slice(3)]).toEqual([false, [429, 429, 429]]);
    http.world.clock.pass(600_000);
    let last = await asks({});
    for (let i = 0; i < 200 && last.status !== 429; i++) last = await asks({});
    expect([last.status, last.body.error]).toEqual([
      429,
      "a asks for more than 20 things per second; try again in 1 s.",
    ]);
    expect((await http.publish("a", status("still here"))).status).toBe(202);
    expect((await http.call("b", "POST", path, {})).status).not.toBe(429);
  });

  it("short ones are not held up by that", async () => {
    for (let i = 0; i < 100; i++) expect((await http.publish("a", status("short"))).status).toBe(202);
  });

  it("nobody is a stranger with a long message: it is not even parsed", async () => {
    const long = JSON.stringify({ type: "x".repeat(MB / 2) });
    for (const who of [null, "no-such-token"]) expect((await http.publish(who, long)).status).toBe(401);
    // What is wrong with a short one is said first, as always.
    expect((await http.publish(null, { type: "x" })).status).toBe(400);
    expect((await http.publish("a", { type: "x".repeat(500_000) })).body.error).toMatch(/^type "x{80}" is not known$/);
  });

  it("open questions are counted", async () => {
    const ask = (i: number) => http.publish("a", { type: "agent.question", payload: { question: `what ${i}` } });
    http.world.clock.pass(60_000);
    for (let i = 0; i < 100; i++) {
      http.world.clock.pass(100);
      expect((await ask(i)).status).toBe(202);
    }
    const refused = await ask(100);
    expect([refused.status, refused.body.error]).toEqual([429, expect.stringMatching(/^a has 100 open questions/)]);
  });
});

describe("lists come in pages of bytes", () => {
  it("log, inbox, messages and events hold no more than a few long messages, and nothing is left out", async () => {
    for (let i = 0; i < 12; i++) await http.publish("operator", { ...intent(MB - 1_000), agent_id: "a" });
    const seen: number[] = [];
    for (let since = 0; ; ) {
      const page = await entries(`?since=${since}&limit=10000`);
      if (page.entries.length === 0) break;
      expect(page.entries.length).toBeLessThanOrEqual(4);
      seen.push(...page.entries.map(({ seq }) => seq));
      since = page.last_seq;
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    const { messages, last_seq } = (await http.inbox("b", "b", "?limit=1000")).body as {
      messages: { seq: number }[];
      last_seq: number;
    };
    expect([messages.map(({ seq }) => seq), last_seq]).toEqual([[1, 2, 3, 4], 4]);
    const inbox = (await http.call("operator", "GET", "/inbox/b")).body as unknown as { seq: number }[];
    expect(inbox.map(({ seq }) => seq)).toEqual([9, 10, 11, 12]);
  });
});

describe("a token is never stored", () => {
  it("where an agent says its own, another's or the operator's", async () => {
    const said = Object.values(http.tokens).join(" and ");
    expect((await http.publish("a", { ...status(said), key: `k ${http.tokens.a}`, re: said })).status).toBe(202);
    await http.publish("a", { type: "agent.intent", payload: { files: [`src/${http.tokens.a}`], summary: said } });
    const log = JSON.stringify(await entries());
    for (const token of Object.values(http.tokens)) expect(log).not.toContain(token);
    expect(log).toContain("src/[redacted]");
  });

  it("and what only looks like one stays", async () => {
    const other = `bm_${"x".repeat(32)}`;
    await http.publish("a", status(other));
    expect(JSON.stringify(await entries())).toContain(other);
  });
});

describe("what can be understood in two ways is refused", () => {
  it.each([
    ["/messages/a?since=1&since=2", "since is given twice"],
    ["/log?limit=1&since=0&limit=2", "limit is given twice"],
    ["/events?since=0&since=0", "since is given twice"],
    ["/snapshot?wait=1&wait=0", "wait is given twice"],
  ])("%s", async (path, error) => {
    const reply = await http.call("operator", "GET", path);
    expect([reply.status, reply.body.error]).toEqual([400, error]);
  });

  it("an agent that waits for itself", async () => {
    const reply = await http.publish("a", { type: "agent.blocked", payload: { needs: "x", from: "a" } });
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: "payload.from must be somebody else than a", field: "payload.from" },
    ]);
  });
});

it("shows the operator nobody's inbox as empty", async () => {
  await http.publish("a", intent(10));
  const seqs = async (agent: string) =>
    ((await http.inbox("operator", agent)).body.messages as { seq: number }[]).map(({ seq }) => seq);
  expect([await seqs("nobody-here"), await seqs("b"), await seqs("supervisor")]).toEqual([[], [1], [1]]);
  expect((await http.call("operator", "GET", "/inbox/nobody-here")).body).toEqual([]);
});

it("lets no agent claim the main checkout, nor the worktree of another", async () => {
  const { repository } = http.world;
  const others = `${repository.root}-b`;
  repository.worktrees.set(others, { branch: "b" as Branch, files: {}, ours: false });
  const watch = async (who: string, path: string) => {
    const { status: code, body } = await http.call(who, "POST", "/watch", {
      agent_id: who === "operator" ? "c" : who,
      worktree_path: path,
    });
    return [code, body.error];
  };
  expect(await watch("a", repository.root)).toEqual([
    403,
    `${repository.root} is the main checkout, and no agent's own.`,
  ]);
  expect(await watch("b", others)).toEqual([202, undefined]);
  expect(await watch("b", others)).toEqual([202, undefined]);
  expect(await watch("a", others)).toEqual([403, `${others} is the worktree of b.`]);
  expect(await watch("operator", repository.root)).toEqual([202, undefined]);
});
