import { describe, expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { type Known, readInput, settle } from "./console-input.ts";

const AGENTS = [
  { id: "feat-auth", branch: "feat/auth" },
  { id: "feat-api", branch: "feat/api" },
] as unknown as readonly Known[];
const read = (text: string) => readInput(text, AGENTS);

describe("what a person types", () => {
  it.each([
    ["how's feat-auth going?", { kind: "status", about: "feat-auth", only: null }],
    ["anything blocked?", { kind: "status", about: null, only: "blocked" }],
    ["status", { kind: "status", about: null, only: null }],
    ["what is feat/api doing", { kind: "status", about: "feat-api", only: null }],
    ["/status", { kind: "status", about: null, only: null }],
    ["/status feat/auth", { kind: "status", about: "feat-auth", only: null }],
    ["ask feat-auth to use bcrypt", { kind: "directive", agent: "feat-auth", text: "use bcrypt" }],
    ["tell feat/api to skip the migration", { kind: "directive", agent: "feat-api", text: "skip the migration" }],
    ["Please tell feat-api the port is 80", { kind: "directive", agent: "feat-api", text: "the port is 80" }],
    ["/tell feat-auth use  two spaces", { kind: "directive", agent: "feat-auth", text: "use  two spaces" }],
    ["tell feat-atuh to stop", { kind: "unknown-agent", name: "feat-atuh", near: "feat-auth" }],
    ["/tell nobody hi", { kind: "unknown-agent", name: "nobody", near: null }],
    [
      "should we merge feat-auth before feat-api?",
      { kind: "judgement", text: "should we merge feat-auth before feat-api?", between: ["feat-auth", "feat-api"] },
    ],
    ["do you think it is ready", { kind: "judgement", text: "do you think it is ready", between: [] }],
    ["/answer q3 RS256, please", { kind: "answer", question: "q3", text: "RS256, please" }],
    ["/questions", { kind: "questions" }],
    ["/verify", { kind: "verify", refs: [] }],
    ["/verify feat-a  main~1", { kind: "verify", refs: ["feat-a", "main~1"] }],
    ["/land --plan", { kind: "land", branches: [], plan: true }],
    ["/land feat-a feat/b", { kind: "land", branches: ["feat-a", "feat/b"], plan: false }],
    ["y", { kind: "permission", request: null, text: "allow" }],
    ["No", { kind: "permission", request: null, text: "deny" }],
    ["allow q5", { kind: "permission", request: "q5", text: "allow" }],
    ["deny q5 not the lock file", { kind: "permission", request: "q5", text: "deny not the lock file" }],
    ["deny: not the lock file", { kind: "permission", request: null, text: "deny not the lock file" }],
    ["yes we can", { kind: "unclear", hint: expect.stringContaining("allow q5") }],
    ["/agents", { kind: "agents" }],
    ["/help", { kind: "help" }],
    ["/quit", { kind: "quit" }],
    ["", { kind: "nothing" }],
    ["/tell feat-auth", { kind: "unclear", hint: "/tell <agent> <what it should know or do>" }],
    ["/agnets", { kind: "unclear", hint: "Unknown command /agnets. Did you mean /agents?" }],
    ["/xyzzy", { kind: "unclear", hint: "Unknown command /xyzzy. Type /help for the list." }],
    ["lovely weather", { kind: "unclear", hint: expect.stringContaining("/help") }],
  ])("%j", (text, meant) => expect(read(text)).toEqual(meant));
});

describe("a judgement", () => {
  const [auth, api] = ["feat-auth", "feat-api"] as AgentId[] as [AgentId, AgentId];
  it("is settled by what agents have said", () => {
    expect(settle([auth, api], [{ agent: auth, by: api }])).toBe("feat-api first: feat-auth is blocked on it.");
    expect(settle([auth, api], [{ agent: api, by: auth }])).toBe("feat-auth first: feat-api is blocked on it.");
  });
  it("stays open where nothing is known", () => {
    expect([settle([auth, api], []), settle([auth], [{ agent: auth, by: api }])]).toEqual([null, null]);
  });
});
