import type { Epic } from "../file/epic.ts";
import { isMalformed, type Malformed, parseCritic, parsePlanner, parseVerifier } from "./answers.ts";
import { applyCritic } from "./apply-critic.ts";
import { applyPlanner } from "./apply-planner.ts";
import { applyVerifier } from "./apply-verifier.ts";
import type { Moment } from "./decided.ts";
import { type Decided, type RoleRequest, recorded } from "./decided.ts";

/** What an answer comes to. Any text may be one: what is not understood, or not allowed, is a row and nothing else. */
export function applyAnswer(epic: Epic, request: RoleRequest, raw: string, { now, policy }: Moment): Decided {
  const decided = decide(epic, request, raw, { now, policy });
  if (!isMalformed(decided)) return { ...decided, next: "applied" };
  const about = request.item === null ? "" : ` on ${request.item}`;
  const row = {
    class: "verdict_malformed",
    decision: `${request.role} answer${about} refused`,
    notes: decided.malformed,
  } as const;
  return { next: "applied", ...recorded(epic, row, now, policy.rows), effects: [] };
}

/** Whoever plays the role could not answer: a row like any answer that is none. */
export function applySilence(epic: Epic, request: RoleRequest, why: string, { now, policy }: Moment): Decided {
  const about = request.item === null ? "" : ` on ${request.item}`;
  const row = { class: "verdict_malformed", decision: `${request.role} did not answer${about}`, notes: why } as const;
  return { next: "applied", ...recorded(epic, row, now, policy.rows), effects: [] };
}

function decide(epic: Epic, request: RoleRequest, raw: string, moment: Moment): Decided | Malformed {
  switch (request.role) {
    case "planner": {
      const answer = parsePlanner(raw);
      return isMalformed(answer) ? answer : applyPlanner(epic, request, answer, moment);
    }
    case "verifier": {
      const answer = parseVerifier(raw);
      return isMalformed(answer) ? answer : applyVerifier(epic, request.item, answer, moment);
    }
    case "critic": {
      const answer = parseCritic(raw);
      return isMalformed(answer) ? answer : applyCritic(epic, request.item, answer, moment);
    }
  }
}
