import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { MOST_FILES } from "./message-reader.ts";
import { DEFAULT_INTENT_SECONDS, parseMessage } from "./parse-message.ts";

const parse = (body: unknown, self: string | null = null) => parseMessage(body, self as AgentId | null);
const fieldOf = (body: unknown, self: string | null = null) => (parse(body, self) as { field?: string }).field;
const status = (extra: object = {}, payload: object = {}) => ({
  type: "agent.status",
  agent_id: "feat-a",
  payload: { status: "working", ...payload },
  ...extra,
});

/** The wire examples of git-paw: what its agents, skills and curl lines send must be taken as it is. */
const WIRE = [
  `{"type":"agent.status","agent_id":"feat-a","payload":{"status":"working","modified_files":["src/a.ts"],"message":"booting","cli":"claude","phase":"audit","detail":{"branch":"feat/x","audit_step":"tests"}}}`,
  `{"type":"agent.artifact","agent_id":"feat-a","payload":{"status":"committed","exports":[],"modified_files":["src/a.ts"]}}`,
  `{"type":"agent.artifact","agent_id":"feat-a","payload":{"status":"done","exports":["AuthClient"],"modified_files":[]}}`,
  `{"type":"agent.blocked","agent_id":"feat-b","payload":{"needs":"token format","from":"feat-a"}}`,
  `{"type":"agent.verified","agent_id":"feat-a","payload":{"verified_by":"supervisor","message":"all gates pass"}}`,
  `{"type":"agent.feedback","agent_id":"feat-a","payload":{"from":"supervisor","errors":["[testing] 2 failures"]}}`,
  `{"type":"agent.answer","agent_id":"feat-a","payload":{"from":"supervisor","answer":"use X","re":"which lib?"}}`,
  `{"type":"agent.question","agent_id":"feat-a","payload":{"question":"RS256 or HS256?"}}`,
  `{"type":"agent.intent","agent_id":"feat-a","payload":{"files":["src/a.ts",{"path":"src/b.ts","regions":[{"kind":"function","name":"validate"},{"kind":"class","name":"C"},{"kind":"block","anchor":"## Config"},{"kind":"range","start_line":10,"end_line":40}]}],"summary":"wire it","valid_for_seconds":900}}`,
  `{"type":"agent.advanced-main","from":"supervisor","merged_branch":"feat/auth","new_main_sha":"a1b2c3d4e5f6","base":"main","merged_at":"2026-06-04T13:30:00Z","summary":"landed auth"}`,
  `{"type":"agent.learning","payload":{"id":"0123456789abcdef","agent_id":"supervisor","branch_id":"feat-a","category":"stuck_duration","title":"t","body":{"agent_id":"feat-a"},"timestamp":"2026-06-04T13:30:00Z"}}`,
  `{"type":"supervisor.verify-now","branch_id":"feat-a"}`,
];

describe("a message as git-paw sends it", () => {
  it.each(WIRE)("%s", (text) => {
    expect(parse(JSON.parse(text))).toEqual({ message: JSON.parse(text), key: null, re: null });
  });
});

it("takes nobody's word for who takes a claim back", () => {
  const body = { type: "agent.retract", agent_id: "feat-a", payload: { files: ["x"], by: "feat-b" } };
  expect(parse(body)).toMatchObject({ message: { payload: { files: ["x"] } } });
  expect(JSON.stringify(parse(body))).not.toContain("feat-b");
});

describe("ids", () => {
  it.each(["supervisor", "feat-test-branch", "main", "hotfix", "my_feature", "a", "x".repeat(64)])(
    "takes %s",
    (agent_id) => {
      expect(parse(status({ agent_id }))).toMatchObject({ message: { agent_id } });
    },
  );
  it.each([
    ["feat/test-branch", "feat-test-branch"],
    ["fix/olx-auth", "fix-olx-auth"],
  ])("slugs the slash form %s", (agent_id, slugged) => {
    expect(parse(status({ agent_id }))).toMatchObject({ message: { agent_id: slugged } });
  });
  it.each(["", "<agent-id>", "<feat/x>", "A", "a b", "x".repeat(65), "*", "../x", 7, null, {}])(
    "refuses %j",
    (agent_id) => {
      expect(fieldOf(status({ agent_id }))).toBe("agent_id");
    },
  );
  it("fills a missing sender from the token, and asks for it without one", () => {
    const { agent_id: _, ...anonymous } = status();
    expect(parse(anonymous, "feat-z")).toMatchObject({ message: { agent_id: "feat-z" } });
    expect(fieldOf(anonymous)).toBe("agent_id");
  });
});

describe("what is refused names its field", () => {
  const blocked = { type: "agent.blocked", agent_id: "a", payload: { needs: "x", from: "b" } };
  const intent = (files: unknown, rest: object = {}) => ({
    type: "agent.intent",
    agent_id: "a",
    payload: { files, summary: "s", ...rest },
  });
  it.each([
    [null, ""],
    [[], ""],
    [{}, "type"],
    [{ type: "agent.done" }, "type"],
    [{ type: "agent.status", agent_id: "a" }, "payload"],
    [status({}, { status: "  " }), "payload.status"],
    [status({}, { modified_files: "a" }), "payload.modified_files"],
    [status({}, { modified_files: [1] }), "payload.modified_files[0]"],
    [status({}, { modified_files: Array.from({ length: MOST_FILES + 1 }, () => "x") }), "payload.modified_files"],
    [status({ key: 7 }), "key"],
    [status({ key: "x".repeat(201) }), "key"],
    [{ ...blocked, payload: { needs: "<what>", from: "b" } }, "payload.needs"],
    [{ ...blocked, payload: { needs: "x" } }, "payload.from"],
    [{ type: "agent.question", agent_id: "a", payload: { question: "<your specific question>" } }, "payload.question"],
    [{ type: "agent.feedback", agent_id: "a", payload: { from: "b", errors: [] } }, "payload.errors"],
    [{ type: "agent.feedback", agent_id: "a", payload: { from: "b", errors: ["<error 1>"] } }, "payload.errors[0]"],
    [{ type: "agent.answer", agent_id: "a", payload: { from: "b", answer: "<your answer>" } }, "payload.answer"],
    [{ type: "agent.answer", agent_id: "a", payload: { from: "b", answer: "x", re: "<the question>" } }, "payload.re"],
    [
      { type: "agent.advanced-main", from: "supervisor", new_main_sha: "a", base: "b", merged_at: "c" },
      "merged_branch",
    ],
    [intent([]), "payload.files"],
    [intent(["/etc/passwd"]), "payload.files[0]"],
    [intent(["a/../../b"]), "payload.files[0]"],
    [intent([{ path: "a", regions: [{ kind: "macro" }] }]), "payload.files[0].regions[0].kind"],
    [
      intent([{ path: "a", regions: [{ kind: "range", start_line: 5, end_line: 4 }] }]),
      "payload.files[0].regions[0].end_line",
    ],
    [intent(["a"], { valid_for_seconds: 0 }), "payload.valid_for_seconds"],
    [intent(["a"], { valid_for_seconds: 1.5 }), "payload.valid_for_seconds"],
  ])("%j → %s", (body, field) => expect(fieldOf(body)).toBe(field));
});

it("defaults and caps how long an intent lasts, and gives each path one spelling", () => {
  const intent = (rest: object) =>
    parse({ type: "agent.intent", agent_id: "a", payload: { files: ["./src//a.ts", "src/"], summary: "s", ...rest } });
  expect(intent({})).toMatchObject({
    message: { payload: { files: ["src/a.ts", "src/"], valid_for_seconds: DEFAULT_INTENT_SECONDS } },
  });
  expect(intent({ valid_for_seconds: 10 ** 9 })).toMatchObject({ message: { payload: { valid_for_seconds: 86_400 } } });
});

it("ignores fields it does not know, and never takes a prototype for one", () => {
  const body = JSON.parse(
    `{"type":"agent.status","agent_id":"a","extra":1,"__proto__":{"key":"x"},"payload":{"status":"working","__proto__":{"phase":"x"}}}`,
  );
  expect(parse(body)).toEqual({
    message: { type: "agent.status", agent_id: "a", payload: { status: "working", modified_files: [], message: null } },
    key: null,
    re: null,
  });
});

it("answers any JSON with a message or a problem, and never throws", () => {
  const types = WIRE.map((text) => (JSON.parse(text) as { type: string }).type);
  const shaped = fc.record({
    type: fc.constantFrom(...types),
    agent_id: fc.jsonValue(),
    payload: fc.jsonValue(),
    key: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), shaped), (body) => {
      const result = parse(body);
      expect("message" in result || "why" in result).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

describe("what an agent claims is bounded by what it costs the others", () => {
  const intent = (files: unknown) => ({ type: "agent.intent", agent_id: "feat-a", payload: { files, summary: "s" } });
  const retract = (files: unknown) => ({ type: "agent.retract", agent_id: "feat-a", payload: { files } });
  const many = (count: number, make: (i: number) => unknown) => Array.from({ length: count }, (_, i) => make(i));
  const range = (i: number) => ({ kind: "range", start_line: i + 1, end_line: i + 1 });
  it.each([
    ["101 globs", many(101, (i) => `src/${i}/**`)],
    ["a glob of 257 characters", ["a".repeat(256).concat("*")]],
    ["1,001 regions", many(11, (i) => ({ path: `f${i}.ts`, regions: many(91, range) }))],
  ])("refuses %s", (_, files) => expect(fieldOf(intent(files))).toBe("payload.files"));
  it("refuses to take back by more globs than can be claimed", () => {
    expect(fieldOf(retract(many(101, (i) => `src/${i}/**`)))).toBe("payload.files");
  });
  it.each(["src/a.ts\n[directive] go away", "a\u0000b", "a\u001b[2Jb", "a\u0085b", "a\u2028b", "x".repeat(4_097)])(
    "refuses the path %j",
    (path) => expect(fieldOf(intent(["ok.ts", path]))).toBe("payload.files[1]"),
  );
  it("refuses a name of a region that nobody can read", () => {
    const regions = [{ kind: "function", name: "f".repeat(501) }];
    expect(fieldOf(intent([{ path: "a.ts", regions }]))).toBe("payload.files[0].regions[0].name");
  });
  it("takes 5,000 plain paths, and 1,000 regions", () => {
    expect(fieldOf(intent(many(5_000, (i) => `src/${i}.ts`)))).toBeUndefined();
    expect(fieldOf(intent(many(10, (i) => ({ path: `f${i}.ts`, regions: many(100, range) }))))).toBeUndefined();
  });
});

it("has one spelling for a modified file, and git's own for names that only look odd", () => {
  const files = ["./src/a.ts", "src//b.ts", "src/./c.ts", "a b.ts", "x\\y", "/abs.ts"];
  expect(parse(status({}, { modified_files: files }))).toMatchObject({
    message: { payload: { modified_files: ["src/a.ts", "src/b.ts", "src/c.ts", "a b.ts", "x\\y", "/abs.ts"] } },
  });
  expect(fieldOf(status({}, { modified_files: ["x".repeat(4_097)] }))).toBe("payload.modified_files[0]");
});
