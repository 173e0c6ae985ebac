import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HttpStage } from "./http-stage.ts";

/**
 * What git-paw's broker is known to answer, over real HTTP. Where ours answers otherwise, the row says why: ids of one
 * word are valid, an inbox exists before its reader does, a question may be asked again once it was answered.
 */
let http: HttpStage;
beforeEach(async () => {
  http = await HttpStage.open();
});
afterEach(() => http.close());

const status = (agent_id: unknown) => ({ type: "agent.status", agent_id, payload: { status: "working" } });
const question = (agent_id: string, text: string) => ({
  type: "agent.question",
  agent_id,
  payload: { question: text },
});
const publish = async (body: unknown, headers?: Record<string, string>) => {
  const { status: code, body: answer } = await http.publish("operator", body, headers);
  return [code, answer.field ?? answer.error ?? answer.seq] as const;
};
const inbox = async (agent: string, query = "") => {
  const { body } = await http.inbox("operator", agent, query);
  return { ...body, messages: body.messages as Record<string, unknown>[] };
};
const types = async (agent: string) => (await inbox(agent)).messages.map(({ type }) => type);

describe("POST /publish", () => {
  it.each([
    ["a status", status("feat-xx"), {}, 202],
    ["what is not JSON", "not json", {}, 400],
    ["nothing", "", {}, 400],
    ["text/plain", status("feat-xx"), { "content-type": "text/plain" }, 415],
    ["a charset besides", status("feat-xx"), { "content-type": "application/json; charset=utf-8" }, 202],
    ["an unknown type", { ...status("feat-xx"), type: "agent.unheard" }, {}, 400],
    ["an unknown extra field", { ...status("feat-xx"), extra: [1] }, {}, 202],
  ])("takes %s as %i", async (_, body, headers, expected) => {
    expect((await publish(body, headers as Record<string, string>))[0]).toBe(expected);
  });

  it("wants a content type", async () => {
    const { port } = http.broker;
    const lines = ["POST /publish HTTP/1.1", `host: 127.0.0.1:${port}`, "content-length: 2", "connection: close"];
    expect(await http.raw(`${lines.join("\r\n")}\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 415 /);
  });

  it.each(["<agent-id>", "", "Feat-A", "feat.a", "a b", "feat/", "/feat", "../x", "x".repeat(65), 7, null, ["a"]])(
    "refuses the id %j",
    async (id) => expect(await publish(status(id))).toEqual([400, "agent_id"]),
  );

  it.each([
    ["supervisor", "supervisor"],
    ["feat-test-branch", "feat-test-branch"],
    ["feat/test-branch", "feat-test-branch"],
    ["fix/olx-auth-error-mapping", "fix-olx-auth-error-mapping"],
    ["spec/x", "spec-x"],
    ["chore/y", "chore-y"],
    // Refused by git-paw, which silenced branches of such names.
    ["a", "a"],
    ["agent", "agent"],
    ["main", "main"],
    ["hotfix", "hotfix"],
    ["feat/my_feature", "feat-my_feature"],
  ])("takes the id %s, whose inbox is %s", async (id, name) => {
    expect(await publish(status(id))).toEqual([202, 1]);
    const { agents } = (await http.call("operator", "GET", "/status")).body as { agents: { agent_id: string }[] };
    // The supervisor has an inbox, and is no agent.
    expect(agents.map(({ agent_id }) => agent_id)).toEqual(
      expect.arrayContaining(name === "supervisor" ? ["a", "b"] : [name]),
    );
    expect(agents.some(({ agent_id }) => agent_id === "supervisor")).toBe(false);
    expect((await http.inbox("operator", name)).status).toBe(200);
  });

  it.each([
    ["payload.question", question("feat-a", "<your specific question>")],
    ["payload.needs", { type: "agent.blocked", agent_id: "feat-a", payload: { needs: "<what>", from: "feat-b" } }],
    [
      "payload.errors[0]",
      { type: "agent.feedback", agent_id: "feat-a", payload: { from: "b-b", errors: ["<error 1>"] } },
    ],
    ["payload.answer", { type: "agent.answer", agent_id: "feat-a", payload: { from: "b-b", answer: "<your answer>" } }],
    [
      "payload.re",
      { type: "agent.answer", agent_id: "feat-a", payload: { from: "b-b", answer: "x", re: "<the question>" } },
    ],
  ])("refuses a placeholder in %s", async (field, body) => expect(await publish(body)).toEqual([400, field]));

  it.each([
    [
      "merged_branch",
      { type: "agent.advanced-main", from: "supervisor", new_main_sha: "a", base: "main", merged_at: "t" },
    ],
    [
      "payload.files[0].regions[0].kind",
      {
        type: "agent.intent",
        agent_id: "feat-a",
        payload: {
          files: [{ path: "x", regions: [{ kind: "macro", name: "m" }] }],
          summary: "s",
          valid_for_seconds: 9,
        },
      },
    ],
  ])("names %s where that is what is missing or wrong", async (field, body) => {
    expect(await publish(body)).toEqual([400, field]);
  });
});

describe("GET /messages", () => {
  it.each([
    ["/messages/BAD!", 400],
    ["/messages/feat-a?since=abc", 400],
    ["/messages/feat-a?since=-1", 400],
    ["/messages/nobody?since=5", 200],
  ])("%s: %i", async (path, expected) => expect((await http.call("operator", "GET", path)).status).toBe(expected));

  it("gives nobody nothing, and its cursor back", async () => {
    expect(await inbox("nobody", "?since=5")).toMatchObject({ messages: [], last_seq: 5 });
  });

  it("gives a peer the artifact after two statuses, and its sender nothing", async () => {
    await publish(status("feat-b"));
    await publish(status("feat-b"));
    await publish({
      type: "agent.artifact",
      agent_id: "feat-b",
      payload: { status: "done", exports: [], modified_files: [] },
    });
    expect(await inbox("a")).toMatchObject({ messages: [{ type: "agent.artifact", seq: 3 }], last_seq: 3 });
    expect(await inbox("feat-b")).toMatchObject({ messages: [], last_seq: 0 });
  });
});

describe("routing", () => {
  it("asks the supervisor once what is asked twice, before there is one; another text or agent is another question", async () => {
    for (const [agent, text] of [
      ["feat-a", "RS256?"],
      ["feat-a", "RS256?"],
      ["feat-a", "HS256?"],
      ["feat-b", "RS256?"],
    ] as const)
      await publish(question(agent, text));
    const asked = (await inbox("supervisor")).messages.map(({ agent_id, payload }) => [agent_id, payload]);
    expect(asked).toEqual([
      ["feat-a", { question: "RS256?" }],
      ["feat-a", { question: "HS256?" }],
      ["feat-b", { question: "RS256?" }],
    ]);
  });

  it("keeps a block for whom it names, though nobody of that name is there yet, and tells the supervisor", async () => {
    await publish({ type: "agent.blocked", agent_id: "feat-a", payload: { needs: "x", from: "feat-later" } });
    expect([await types("feat-later"), await types("supervisor")]).toEqual([["agent.blocked"], ["agent.blocked"]]);
  });

  it("nudges the supervisor to verify a commit, with the next seq; what is done is not a commit", async () => {
    const artifact = (word: string) => ({ type: "agent.artifact", agent_id: "feat-a", payload: { status: word } });
    expect(await publish(artifact("committed"))).toEqual([202, 1]);
    expect(await publish(artifact("done"))).toEqual([202, 3]);
    const nudges = (await inbox("supervisor")).messages.filter(({ type }) => type === "supervisor.verify-now");
    expect(nudges).toMatchObject([{ branch_id: "feat-a", seq: 2 }]);
  });

  it("says feedback and answers to one, and what concerns all to all but its sender", async () => {
    await publish({ type: "agent.feedback", agent_id: "a", payload: { from: "supervisor", errors: ["x"] } });
    await publish({ type: "agent.answer", agent_id: "b", payload: { from: "supervisor", answer: "y" } });
    await publish({ type: "agent.verified", agent_id: "a", payload: { verified_by: "supervisor" } });
    expect([await types("a"), await types("b"), await types("supervisor")]).toEqual([
      ["agent.feedback", "agent.verified"],
      ["agent.answer", "agent.verified"],
      [],
    ]);
  });
});

describe("what an agent is said to be", () => {
  const word = async () => {
    const { agents } = (await http.call("operator", "GET", "/status")).body as {
      agents: { agent_id: string; state: string }[];
    };
    return agents.find(({ agent_id }) => agent_id === "a")?.state;
  };
  const done = { type: "agent.artifact", agent_id: "a", payload: { status: "done" } };
  const committed = { type: "agent.artifact", agent_id: "a", payload: { status: "committed" } };
  const blocked = { type: "agent.blocked", agent_id: "a", payload: { needs: "x", from: "b" } };
  const verified = { type: "agent.verified", agent_id: "a", payload: { verified_by: "supervisor" } };

  it.each([
    ["done stays done through a heartbeat", [done, status("a")], "done"],
    ["verified shows, which it never did", [committed, verified], "verified"],
    ["verified stays so through a heartbeat", [verified, status("a")], "verified"],
    ["blocked clears with the next sign of work, which it did not", [blocked, status("a")], "working"],
    ["after a commit work goes on", [committed, status("a")], "working"],
  ])("%s", async (_, messages, expected) => {
    for (const message of messages) expect((await publish(message))[0]).toBe(202);
    expect(await word()).toBe(expected);
  });
});

it("answers on while others break off, send halves and nonsense", async () => {
  const { port } = http.broker;
  const head = `POST /publish HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const broken = [
    `${head}content-length: 5\r\nconnection: close\r\n\r\n{`,
    "\r\n\r\n\u0000",
    `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  ];
  const half = http.raw(broken[0] ?? "");
  await Promise.all(broken.slice(1).map((text) => http.raw(text)));
  expect(await publish(status("a"))).toEqual([202, 1]);
  expect((await http.call("operator", "GET", "/status")).status).toBe(200);
  await Promise.race([half, publish(status("a"))]);
});

describe("git-paw's own examples, sent by curl", () => {
  /** Byte for byte, and who may say it: an agent by its capability URL, the rest by the operator's token. */
  const EXAMPLES: readonly string[] = [
    '{"type":"agent.status","agent_id":"feat-a","payload":{"status":"working","modified_files":["src/a.ts"],"message":"booting","cli":"claude","phase":"audit","detail":{"branch":"feat/x","audit_step":"tests"}}}',
    '{"type":"agent.artifact","agent_id":"feat-a","payload":{"status":"committed","exports":[],"modified_files":["src/a.ts"]}}',
    '{"type":"agent.artifact","agent_id":"feat-a","payload":{"status":"done","exports":["AuthClient"],"modified_files":[]}}',
    '{"type":"agent.blocked","agent_id":"feat-b","payload":{"needs":"token format","from":"feat-a"}}',
    '{"type":"agent.verified","agent_id":"feat-a","payload":{"verified_by":"supervisor","message":"all gates pass"}}',
    '{"type":"agent.feedback","agent_id":"feat-a","payload":{"from":"supervisor","errors":["[testing] 2 failures"]}}',
    '{"type":"agent.answer","agent_id":"feat-a","payload":{"from":"supervisor","answer":"use X","re":"which lib?"}}',
    '{"type":"agent.question","agent_id":"feat-a","payload":{"question":"RS256 or HS256?"}}',
    '{"type":"agent.intent","agent_id":"feat-a","payload":{"files":["src/a.ts",{"path":"src/b.ts","regions":[{"kind":"function","name":"validate"},{"kind":"class","name":"C"},{"kind":"block","anchor":"## Config"},{"kind":"range","start_line":10,"end_line":40}]}],"summary":"wire it","valid_for_seconds":900}}',
    '{"type":"agent.advanced-main","from":"supervisor","merged_branch":"feat/auth","new_main_sha":"a1b2c3d4e5f6","base":"main","merged_at":"2026-06-04T13:30:00Z","summary":"landed auth"}',
    '{"type":"agent.learning","payload":{"id":"0123456789abcdef","agent_id":"supervisor","branch_id":"feat-a","category":"stuck_duration","title":"…","body":{"agent_id":"feat-a","blocked_on":"feat-b","duration_seconds":42,"resolved":true},"timestamp":"2026-06-04T13:30:00Z"}}',
    '{"type":"supervisor.verify-now","branch_id":"feat-a"}',
  ];
  const run = promisify(execFile);
  const curl = async (...args: string[]) => (await run("curl", ["-sS", "--max-time", "20", ...args])).stdout;
  const post = (url: string, body: string, ...more: string[]) =>
    curl("-X", "POST", `${url}/publish`, "-H", "Content-Type: application/json", ...more, "-d", body);
  const roles = { agent: 0, supervisor: 0, operator: 0 };

  it.each(EXAMPLES)("%s", async (body) => {
    const { type, agent_id = "supervisor" } = JSON.parse(body) as { type: string; agent_id?: string };
    const spoken = ["status", "artifact", "blocked", "question", "intent"].includes(type.replace("agent.", ""));
    const judged = ["agent.verified", "agent.feedback", "agent.answer", "agent.learning"].includes(type);
    const role = spoken ? "agent" : judged ? "supervisor" : "operator";
    roles[role]++;
    const authorization = `authorization: Bearer ${http.tokens.operator}`;
    const answer =
      role === "operator"
        ? await post(http.url, body, "-H", authorization)
        : await post(await http.capability(role === "agent" ? agent_id : "supervisor", role), body);
    expect(JSON.parse(answer)).toEqual({ seq: 1 });
    const log = JSON.parse(await curl("-H", authorization, `${http.url}/log?since=0`)) as {
      entries: { message: object }[];
    };
    expect(log.entries[0]?.message).toMatchObject(JSON.parse(body) as object);
  });

  it("and an agent polls as its skill says, with GIT_PAW_BROKER_URL and no header", async () => {
    const url = await http.capability("feat-a", "agent");
    await post(http.url, EXAMPLES[5] ?? "", "-H", `authorization: Bearer ${http.tokens.operator}`);
    const polled = JSON.parse(await curl(`${url}/messages/feat-a?since=0`)) as object;
    expect(polled).toMatchObject({ messages: [{ type: "agent.feedback", seq: 1 }], last_seq: 1 });
    expect(JSON.parse(await curl(`${url}/status`))).toMatchObject({ git_paw: true });
    expect(roles).toEqual({ agent: 6, supervisor: 4, operator: 2 });
  });
});
