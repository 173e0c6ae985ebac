import { expect, it } from "vitest";
import type { AgentId } from "../text/ids.ts";
import { pickLog } from "./pick-log.ts";

const AGENTS = [
  { id: "feat-up_x-b915" as AgentId, branch: "Feat/UP_x" },
  { id: "feat-a" as AgentId, branch: "feat/a" },
];

it.each([
  ["feat-up_x-b915", AGENTS, [], "feat-up_x-b915"],
  ["Feat/UP_x", AGENTS, [], "feat-up_x-b915"],
  ["Feat/UP_x", [], ["feat-up_x-b915"], "feat-up_x-b915"],
  ["feat/a", AGENTS, ["feat-a"], "feat-a"],
  ["feat/gone", AGENTS, ["feat-gone"], "feat-gone"],
  ["feat-gone", AGENTS, ["feat-gone"], "feat-gone"],
  ["supervisor", AGENTS, ["supervisor"], "supervisor"],
  ["feat/nobody", AGENTS, ["feat-a"], null],
  ["", AGENTS, ["feat-a"], null],
])("%j is %#", (name, agents, logs, expected) => expect(pickLog(name, agents, logs)).toBe(expected));
