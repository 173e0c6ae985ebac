import type { Redirection } from "unbash";
import { approve, ask, type Judgement, pass, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { settle } from "../settle.ts";
import { isKnown } from "./argument.ts";
import { type JudgeScript, judgeParts } from "./judge-parts.ts";
import { readWord } from "./read-word.ts";
import type { Scope } from "./scope.ts";

/** Where a command reads from and writes to by `<`, `>` and their kind. */
export function judgeRedirections(
  redirections: readonly Redirection[],
  scope: Scope,
  judgeScript: JudgeScript,
): Judgement | null {
  return worst(redirections.map((each) => judgeRedirection(each, scope, judgeScript)));
}

function judgeRedirection(node: Redirection, scope: Scope, judgeScript: JudgeScript): Judgement | null {
  if (node.descriptor?.type === "FileDescriptorVariable")
    return ask("shell.descriptor", "It opens a file under the name of a variable.");
  const parts = judgeParts(node, scope, judgeScript);
  if (node.type === "HereString") return parts;
  if (node.type === "HereDoc")
    return node.closing === undefined || node.delimiter === undefined
      ? ask("shell.here-document", "A here-document in it has no end.")
      : parts;
  if (node.target === undefined) return ask("shell.syntax", "A redirection in it has no target.");
  const [target, ...others] = readWord(node.target, scope);
  if (target === undefined || others.length > 0 || !isKnown(target))
    return worst([parts, ask("shell.redirection", "It is not known which file it would open.")]);
  if (node.operator.endsWith("&") && /^(\d+|-)$/.test(target.text)) return parts;
  const use = node.operator === "<" ? "read" : "write";
  const judged = judgeArgument(target, use, scope);
  if (judged !== null) return worst([parts, settle(judged, scope.context)]);
  return worst([parts, settle(written(target.text, use), scope.context)]);
}

const written = (path: string, use: "read" | "write"): Judgement =>
  use === "read" || path.startsWith("/dev/")
    ? pass("shell.redirection", "It opens a file in the worktree.")
    : approve("file.write", "change", "It writes a file in the worktree or in the agent's own temporary folder.");
