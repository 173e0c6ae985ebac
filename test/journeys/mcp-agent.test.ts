import { afterEach, beforeEach, expect, it } from "vitest";
import { McpClient } from "../mcp-client.ts";
import { Stage } from "../stage.ts";

let stage: Stage;
const clients: McpClient[] = [];
beforeEach(async () => {
  stage = new Stage();
  const keepsEnv = [
    { do: "run", argv: ["sh", "-c", "env > ../env-of-$BANKSMAN_AGENT"] },
    { do: "status", text: "here" },
    { do: "stall" },
  ] as const;
  stage.script("feat-a", keepsEnv);
  stage.script("feat-b", keepsEnv);
  await stage.start("feat/a,feat/b");
  await stage.until(({ agents }) => agents.every(({ evidence }) => evidence.includes("here")));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.dispose();
  await stage.dispose();
});

/** What the agent itself was given. */
function environmentOf(agent: string): Record<string, string> {
  const text = stage.repo.read(stage.root, `.banksman/worktrees/env-of-${agent}`) ?? "";
  return Object.fromEntries(text.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
}

function agent(name: string, env: Record<string, string> = {}): McpClient {
  const given = { ...environmentOf(name), BANKSMAN_STATE_DIR: stage.state, ...env };
  const client = new McpClient({ cwd: stage.worktree(name), env: given }, "--agent");
  clients.push(client);
  return client;
}

interface Inbox {
  readonly messages: { type: string; agent_id: string; payload: Record<string, unknown>; seq: number }[];
}

it("is the agent's side: it publishes, sees the others' intents, reads its inbox, asks and waits", async () => {
  const [a, b] = [agent("feat-a"), agent("feat-b")];
  const { serverInfo, instructions } = await a.initialize();
  expect([serverInfo, instructions]).toMatchObject([{ name: "banksman-agent" }, expect.stringMatching(/intent/)]);
  await b.initialize();
  expect(await a.tools()).toEqual(["publish", "inbox", "intents", "ask"]);

  await a.ask("publish", { kind: "status", message: "reading" });
  const claim = { path: "src/b.ts", regions: [{ kind: "function", name: "f" }] };
  await a.ask("publish", { kind: "intent", summary: "wire it", files: ["src/a.ts", claim], seconds: 60 });
  expect(await b.ask("intents")).toMatchObject({
    intents: [{ agent: "feat-a", summary: "wire it", files: ["src/a.ts", claim], expiresAt: expect.any(String) }],
  });
  expect(await a.ask("intents")).toEqual({ intents: [] });
  await a.ask("publish", { kind: "retract", files: ["src/a.ts"] });
  expect(await b.ask("intents")).toMatchObject({ intents: [{ files: [claim] }] });
  await a.ask("publish", { kind: "artifact", exports: ["f"], files: ["src/b.ts"] });
  await a.ask("publish", { kind: "blocked", needs: "a token", from: "feat-b" });
  const inbox = await b.ask<Inbox>("inbox");
  expect(inbox.messages.map(({ type, agent_id }) => [type, agent_id])).toEqual([
    ["agent.intent", "feat-a"],
    ["agent.retract", "feat-a"],
    ["agent.artifact", "feat-a"],
    ["agent.blocked", "feat-a"],
  ]);
  expect(await b.ask("inbox")).toMatchObject({ messages: [] });
  expect((await b.ask<Inbox>("inbox", { since: 0 })).messages.length).toBe(4);
  expect(await stage.json("inbox", "feat-b")).toMatchObject([...Array(4)].map(() => ({ delivered: true })));

  const waits = b.ask<Inbox>("inbox", { wait: 100 });
  await stage.ok("tell", "feat-b", "hurry up");
  expect((await waits).messages).toMatchObject([
    { type: "agent.feedback", payload: { errors: ["[directive] hurry up"] } },
  ]);

  const asks = a.ask("ask", { question: "RS256 or HS256?", wait: 100 });
  const { needsYou } = await stage.until((snapshot) => snapshot.needsYou.length === 1);
  await stage.ok("answer", needsYou[0]?.id ?? "", "RS256");
  expect(await asks).toMatchObject({ answer: "RS256" });
  expect(await a.ask("ask", { question: "and now?", wait: 0 })).toMatchObject({
    answer: null,
    note: expect.stringMatching(/stays open/),
  });

  expect([await a.end(), await b.end()]).toEqual([0, 0]);
  expect([a.stray, a.stderr, b.stray, b.stderr]).toEqual([[], "", [], ""]);
});

it("says what is wrong with a call, and lives on", async () => {
  const a = agent("feat-a");
  await a.initialize();
  const { agents } = await stage.status();
  expect(await a.refusal("nothing")).toBe('There is no tool "nothing".');
  expect(await a.refusal("publish")).toMatch(/^kind is missing/);
  expect(await a.refusal("publish", { kind: "verified" })).toMatch(/^kind must be one of status, intent/);
  expect(await a.refusal("publish", { kind: "status" })).toBe("A message of the kind status needs message.");
  expect(await a.refusal("publish", { kind: "status", message: "x", agent_id: "feat-b" })).toMatch(
    /no argument "agent_id"/,
  );
  expect(await a.refusal("publish", { kind: "blocked", needs: "<what you need>", from: "feat-b" })).toMatch(
    /placeholder/,
  );
  expect(await a.refusal("publish", { kind: "intent", summary: "s", files: ["../../etc"] })).toMatch(
    /inside the worktree/,
  );
  expect(await a.refusal("publish", { kind: "intent", summary: "s", files: [{ regions: 1 }] })).toMatch(/files\[0\]/);
  expect(await a.refusal("publish", { kind: "status", message: "x".repeat(70_000) })).toMatch(/longer than/);
  expect(await a.refusal("inbox", { wait: -1 })).toMatch(/whole number/);
  expect(await a.refusal("inbox", { wait: "1; rm -rf /" })).toMatch(/whole number/);
  expect(await a.refusal("inbox", [1])).toBeTruthy();
  a.write("this is no JSON\n");
  a.write(`${"[".repeat(50_000)}${"]".repeat(50_000)}\n`);
  a.write(
    `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${'{"name":"inbox","arguments":'.repeat(1)}${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}}\n`,
  );
  expect((await a.request("no/such/method")).error?.message).toMatch(/not found/i);
  expect(await a.ask("inbox")).toMatchObject({ messages: [] });
  expect((await stage.status()).agents.map(({ state }) => state)).toEqual(agents.map(({ state }) => state));
  expect(await a.end()).toBe(0);
});

it("finds a supervisor that came back at another port, and says so when its token is not known", async () => {
  const a = agent("feat-a", { BANKSMAN_URL: (environmentOf("feat-a").BANKSMAN_URL ?? "").replace(/:\d+\//, ":1/") });
  await a.initialize();
  await a.ask("publish", { kind: "status", message: "by the new port" });
  await stage.until(({ agents }) => agents[0]?.evidence === "by the new port");
  const other = (end: string) => (end === "-" ? "_" : "-");
  const revoked = agent("feat-a", { BANKSMAN_URL: (environmentOf("feat-a").BANKSMAN_URL ?? "").replace(/.$/, other) });
  await revoked.initialize();
  expect(await revoked.refusal("publish", { kind: "status", message: "x" })).toMatch(/token/);
});

it("answers what was asked before its input ended, and does not wait on", async () => {
  const a = agent("feat-a");
  await a.initialize();
  const asked = [a.call("intents"), a.call("inbox", { wait: 3_000 })];
  expect(await a.end()).toBe(0);
  expect(await Promise.all(asked)).toEqual([
    { isError: false, text: '{"intents":[]}' },
    { isError: false, text: '{"messages":[]}' },
  ]);
});

it("is for agents", async () => {
  const person = await stage.bm("mcp", "--agent");
  expect([person.code, person.err]).toEqual([1, expect.stringMatching(/BANKSMAN_URL is not set/)]);
});
