import type { Assignment, Command, Word } from "unbash";
import { type Judgement, pass, worst } from "../decision.ts";
import { judgeProgram } from "../programs/judge-program.ts";
import { settle } from "../settle.ts";
import { type Argument, HOLE } from "./argument.ts";
import { judgeAssignments } from "./judge-assignments.ts";
import { type JudgeScript, judgeParts } from "./judge-parts.ts";
import { judgeRedirections } from "./judge-redirections.ts";
import { readWord } from "./read-word.ts";
import type { Scope } from "./scope.ts";

/** One command: what its words make the shell do, its assignments, its redirections, and the program itself. */
export function judgeCommand(node: Command, scope: Scope, judgeScript: JudgeScript): Judgement | null {
  const assignments = node.prefix.filter((each): each is Assignment => each.type === "Assignment");
  const words = node.suffix.filter(
    (each): each is Word | Assignment => each.type === "Word" || each.type === "Assignment",
  );
  const read = [...assignments, ...(node.name === undefined ? [] : [node.name]), ...words];
  return worst([
    pass("shell.empty", "It runs no program."),
    ...read.map((each) => judgeParts(each, scope, judgeScript)),
    judgeRedirections(node.redirects, scope, judgeScript),
    judgeAssignments(assignments, scope, node.name === undefined),
    node.name === undefined ? null : judgeRun(node.name, words, scope),
  ]);
}

function judgeRun(name: Word, words: readonly (Word | Assignment)[], scope: Scope): Judgement {
  const names = readWord(name, scope);
  // The name of a program is one word: braces that make two of it hide what is run.
  const named = names.length === 1 ? names : [{ text: HOLE, pattern: false, splits: true }];
  const argv = [...named, ...words.flatMap((each) => readAny(each, scope))];
  return settle(judgeProgram(argv, scope), scope.context);
}

/** `NAME=value` behind the name of a command is a word like any other, but for `export` and its kind. */
function readAny(node: Word | Assignment, scope: Scope): Argument[] {
  if (node.type === "Word") return readWord(node, scope);
  if (node.value.type !== "Word" || node.index !== undefined) return [{ text: HOLE, pattern: true, splits: true }];
  const operator = node.append ? "+=" : "=";
  return readWord(node.value, scope).map((value) => ({ ...value, text: `${node.name}${operator}${value.text}` }));
}
