import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { findAgent, parseAction } from "./actions.ts";

it.each([
  [
    { type: "start", branches: ["a"], cli: "x" },
    {
      type: "start",
      branches: ["a"],
      cli: "x",
      briefs: { all: null, each: {}, folder: null },
      clis: {},
      owned: {},
      rebase: false,
      dryRun: false,
      arrangement: null,
      supervisor: null,
      again: false,
    },
  ],
  [
    { type: "start", briefs: { all: "t", each: { a: "u" } } },
    {
      type: "start",
      branches: [],
      cli: null,
      briefs: { all: "t", each: { a: "u" }, folder: null },
      clis: {},
      owned: {},
      rebase: false,
      dryRun: false,
      arrangement: null,
      supervisor: null,
      again: false,
    },
  ],
  [
    { type: "start", branches: ["a"], arrangement: "broker" },
    {
      type: "start",
      branches: ["a"],
      cli: null,
      briefs: { all: null, each: {}, folder: null },
      clis: {},
      owned: {},
      rebase: false,
      dryRun: false,
      arrangement: "broker",
      supervisor: null,
      again: false,
    },
  ],
  [{ type: "stop" }, { type: "stop", agents: [] }],
  [
    { type: "remove", agents: ["a"], force: true },
    { type: "remove", agents: ["a"], force: true, keepWorktree: false },
  ],
  [
    { type: "tell", agent: "a", text: "hi" },
    { type: "tell", agent: "a", text: "hi" },
  ],
  [
    { type: "answer", question: "q1", answer: "allow" },
    { type: "answer", question: "q1", answer: "allow", session: false },
  ],
  [
    { type: "shutdown", idle: false },
    { type: "shutdown", idle: false },
  ],
  [
    { type: "retract", agent: "a", paths: ["src/"] },
    { type: "retract", agent: "a", paths: ["src/"] },
  ],
  [
    { type: "retract", agent: "a" },
    { type: "retract", agent: "a", paths: [] },
  ],
])("reads %j", (body, action) => expect(parseAction(body)).toEqual(action));

it.each([
  [null, /JSON object/],
  [{ type: "explode" }, /type must be one of/],
  [{ type: "remove", agents: ["a"], forse: true }, /forse is not a field/],
  [{ type: "remove", agents: "a" }, /agents must be a list/],
  [{ type: "remove", agents: ["a"], force: "yes" }, /force must be true or false/],
  [{ type: "tell", agent: "a", text: " " }, /^text is required and must be/],
  [{ type: "tell", agent: "a", text: "x".repeat(70_000) }, /longer than/],
  [{ type: "start", briefs: { each: { a: 1 } } }, /^briefs\.each\.a is required and must be/],
])("refuses %j", (body, why) =>
  expect(parseAction(body)).toMatchObject({ kind: "usage", message: expect.stringMatching(why) }),
);

it("answers any JSON with an action or a sentence", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom("start", "stop", "purge"), agents: fc.jsonValue() })),
      (body) => {
        expect(parseAction(body)).toHaveProperty(["type" in Object(parseAction(body)) ? "type" : "kind"]);
      },
    ),
  );
});

it("finds an agent by its id, then by its branch", () => {
  const runs = [
    { agent: "a-b" as AgentId, branch: "a/b" },
    { agent: "x" as AgentId, branch: "a-b" },
  ];
  expect(findAgent(runs, "a-b")?.branch).toBe("a/b");
  expect(findAgent(runs, "a/b")?.agent).toBe("a-b");
  expect(findAgent(runs, "nobody")).toBe(null);
});
