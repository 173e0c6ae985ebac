import { approve, ask, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, couldBeOption, HOLE } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { Entry, Operand } from "./entry.ts";
import { judgePassed } from "./judge-passed.ts";
import { type GivenOption, type ReadOptions, readOptions } from "./read-options.ts";

/** One entry of a table, for the words that follow the program and its sub-command. */
export function judgeEntry(entry: Entry, words: readonly Argument[], scope: Scope): Judgement {
  const read = readOptions(words, entry);
  if ("decision" in read) return worst([read, denied(words, scope)]) ?? read;
  return (
    worst([
      approve(entry.rule, entry.does, entry.why),
      ...read.options.map((each) => judgeValue(each, scope)),
      ...judgeOperands(entry, read, scope),
      ...read.passed.map((each) => judgePassed(each, scope)),
      entry.check?.(read, scope) ?? null,
    ]) ?? ask(`${entry.rule}.option`, "It is not known.")
  );
}

/** A secret among the words is one whatever the options are. */
function denied(words: readonly Argument[], scope: Scope): Judgement | null {
  const found = words.map((each) =>
    couldBeOption(each) || each.text.includes(HOLE) ? null : judgeArgument(each, "read", scope),
  );
  return worst(found.filter((each) => each?.decision === "deny"));
}

function judgeValue({ name, value, kind }: GivenOption, scope: Scope): Judgement | null {
  if (value === null || kind === "flag" || kind === "optional" || kind === "value") return null;
  if (kind === "folder") return judgeArgument(value, "list", scope);
  if (value.text === "-") return null;
  return judgeArgument(value, kind, scope) && named(judgeArgument(value, kind, scope), name);
}

const named = (judgement: Judgement | null, name: string): Judgement | null =>
  judgement === null ? null : { ...judgement, why: `${judgement.why.replace(/\.$/, "")} (by the option ${name}).` };

function judgeOperands({ rule, operands = [], most }: Entry, read: ReadOptions, scope: Scope): (Judgement | null)[] {
  const limit = operands.length === 0 ? 0 : (most ?? Number.POSITIVE_INFINITY);
  if (read.operands.length > limit) {
    const word = read.operands[limit]?.text.replaceAll(HOLE, "…") ?? "";
    return [
      ask(`${rule}.operand`, `The word ${JSON.stringify(word)} is more than banksman knows this command to take.`),
    ];
  }
  return read.operands.map((word, i) =>
    judgeOperand(word, operands[Math.min(i, operands.length - 1)] ?? "text", scope),
  );
}

function judgeOperand(word: Argument, kind: Operand, scope: Scope): Judgement | null {
  if (kind === "text") return null;
  if (kind === "passed") return judgePassed(word, scope);
  if (kind === "name")
    return word.text.includes(HOLE) || word.pattern || /^[/~]|(^|\/)\.\.(\/|$)|:\/\//.test(word.text)
      ? ask("word.unknown", "One of its words is not a plain name.")
      : null;
  return word.text === "-" ? null : judgeArgument(word, kind, scope);
}
