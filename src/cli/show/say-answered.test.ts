import { expect, it } from "vitest";
import { sayAnswered } from "./say-answered.ts";

const asked = { id: "q1", kind: "approval", agent: "feat-a", agents: ["feat-a"] } as const;

it.each([
  ["allow", "q1: allowed. feat-a continues."],
  ["deny use another file", "q1: denied. feat-a gets your reason."],
  ["deny: not that", "q1: denied. feat-a gets your reason."],
  ["deny", "q1: denied. feat-a hears only that; `banksman tell feat-a …` says what to do instead."],
])("%s: %s", (answer, said) => expect(sayAnswered({ ...asked, answer })).toBe(said));

it("names both who are in a conflict, not whoever asked", () => {
  const conflict = { id: "q2", kind: "conflict", agent: "supervisor", agents: ["feat-a", "feat-b"] } as const;
  expect(sayAnswered({ ...conflict, answer: "feat-a first" })).toBe("q2 answered. feat-a and feat-b get the answer.");
});
