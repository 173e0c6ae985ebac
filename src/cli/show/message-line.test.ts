import { expect, it } from "vitest";
import { messageLine } from "./message-line.ts";

const line = (type: string, text: string, from = "feat-a", to: string[] = []) =>
  messageLine({ from, to, text, message: { type } });

it.each([
  [line("agent.status", "working"), "feat-a → log  status: working"],
  [
    line("agent.blocked", "blocked: needs b from feat-9", "feat-a", ["feat-9"]),
    "feat-a → feat-9  blocked: needs b from feat-9",
  ],
  [
    line("supervisor.verify-now", "verify feat-2 now", "supervisor", ["supervisor"]),
    "supervisor  verify-now: verify feat-2 now",
  ],
  [line("agent.feedback", "one\ntwo", "supervisor", ["feat-a"]), "supervisor → feat-a  feedback: one"],
  [line("agent.status", "\u001b[2Jx"), "feat-a → log  status: \ufffd[2Jx"],
])("%s", (shown, expected) => expect(shown).toBe(expected));
