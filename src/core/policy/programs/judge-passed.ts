import { ask, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, HOLE } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";

/**
 * A word that goes to a program of the project: a test runner, a script. That program runs the agent's own code anyway, so
 * its options are its own affair; but what is outside the worktree is not reached by its words.
 */
export function judgePassed(word: Argument, scope: Scope): Judgement | null {
  if (word.text.includes(HOLE)) return ask("word.unknown", "One of its words is not known.");
  return worst([word.text, ...word.text.split(/[=,:]/).slice(1)].map((text) => judgeText(text, word, scope)));
}

function judgeText(text: string, word: Argument, scope: Scope): Judgement | null {
  if (/^\w+:\/\//.test(word.text)) return ask("word.address", "One of its words is an address.");
  if (!/^[/~.]|\.\.|^-\w\//.test(text) && !text.includes("/..")) return null;
  const path = text.replace(/^-\w(?=\/)/, "");
  const judged = judgeArgument({ ...word, text: path }, "write", scope);
  const isGo = path === "./..." || path.endsWith("/...");
  if (isGo) return judgeArgument({ ...word, text: path.replace(/\/\.\.\.$/, "") }, "list", scope);
  return judged === null || judged.decision === "ask"
    ? judged
    : { ...judged, decision: judged.rule === "path.secret" ? "deny" : "ask" };
}
