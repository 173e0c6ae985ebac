import { expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import type { Need } from "./snapshot.ts";
import { ofWhom, whatToDo } from "./what-to-do.ts";

const need = (kind: Need["kind"], more: Partial<Need> = {}): Need => ({
  id: "q4",
  kind,
  text: "?",
  since: "2026-11-18T00:00:00.000Z",
  ...more,
});

it("what concerns no single agent leaves no gap where the agent would stand", () => {
  expect(`decision${ofWhom(need("decision"))}:`).toBe("decision:");
  expect(`question${ofWhom(need("question", { agent: "feat-a" as AgentId }))}:`).toBe("question feat-a:");
});

it.each([
  // An edit: it has no command.
  [need("approval", { agent: "feat-a" as AgentId }), "banksman answer q4 allow   (or deny, with a reason if you like)"],
  [need("decision", { options: ["land", "not now"] }), "banksman answer q4 land   (or not now)"],
  [need("gate", { options: ["accept", "refuse"] }), "banksman answer q4 accept   (or refuse)"],
  [need("gate"), 'banksman answer q4 "…"'],
  [need("question"), 'banksman answer q4 "…"'],
])("%o", (given, expected) => expect(whatToDo(given)).toBe(expected));
