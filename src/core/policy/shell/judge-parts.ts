import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { ask, type Judgement, worst } from "../decision.ts";
import type { Scope } from "./scope.ts";

export type JudgeScript = (script: ParsedScript, scope: Scope) => Judgement | null;

/**
 * Everything that a word, a value or the body of a here-document makes the shell do while it is read: the commands in
 * substitutions are judged, and what bash evaluates without showing it to a parser is asked about.
 */
export function judgeParts(node: SyntaxNode, scope: Scope, judgeScript: JudgeScript): Judgement | null {
  const found: (Judgement | null)[] = [];
  const left: SyntaxNode[] = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const trap = trapIn(next);
    if (trap !== null) found.push(trap);
    if (next.type === "CommandExpansion" || next.type === "ProcessSubstitution")
      found.push(inner(next, scope, judgeScript));
    else forEachChild(next, (child) => left.push(child));
  }
  return worst(found.reverse());
}

function inner(
  node: Extract<SyntaxNode, { type: "CommandExpansion" | "ProcessSubstitution" }>,
  scope: Scope,
  judgeScript: JudgeScript,
): Judgement | null {
  const { script } = node;
  if (script === undefined) return ask("shell.syntax", "A substitution in it cannot be parsed.");
  return judgeScript(script, scope.fork());
}

/** What runs commands by the value of a variable: no parser can see them. */
function trapIn(node: SyntaxNode): Judgement | null {
  switch (node.type) {
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticCommandExpansion":
      return ask("shell.arithmetic", "Arithmetic runs commands that stand in the variables it reads.");
    case "ParameterExpansion":
      if (node.prefix === "!") return ask("shell.indirect", "It reads a variable whose name is not known, by `!`.");
      if (node.index !== undefined && !/^(\d+|[@*])$/.test(node.index.text))
        return ask("shell.index", "The index of an array is evaluated, and can run commands.");
      return null;
    case "Transform":
      return ask("shell.transform", "It evaluates what stands in a variable, by `@`.");
    case "Slice":
      return /^ ?-?\d+$/.test(node.offset.text) && /^-?\d*$/.test(node.length?.text ?? "")
        ? null
        : ask("shell.arithmetic", "Arithmetic runs commands that stand in the variables it reads.");
    case "Default":
      return node.operator.includes("=")
        ? ask("shell.assign", "It changes a variable while it reads it, by `:=`.")
        : null;
    case "Unknown":
      return ask("shell.unknown", "It holds an expansion that banksman does not know.");
    case "ExtendedGlob":
      return ask("shell.extglob", "It holds a pattern that shells read in different ways.");
    case "LocaleString":
      return ask("shell.locale", "It holds a text that the shell translates first.");
    default:
      return null;
  }
}
