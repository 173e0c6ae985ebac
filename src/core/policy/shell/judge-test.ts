import type { TestCommand, TestExpression } from "unbash";
import { approve, ask, type Judgement, worst } from "../decision.ts";
import { settle } from "../settle.ts";
import { type JudgeScript, judgeParts } from "./judge-parts.ts";
import type { Scope } from "./scope.ts";

/** Tests of text and files that evaluate nothing. `-v` and `-eq` run commands that stand in their operands. */
const UNARY = /^-[bcdefghknprstuwxzLNOS]$/;
const BINARY = new Set(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef"]);

/** `[[ … ]]`. */
export function judgeTest({ expression }: TestCommand, scope: Scope, judgeScript: JudgeScript): Judgement | null {
  return worst([
    isPlain(expression)
      ? settle(approve("shell.test", "read", "It compares texts or looks whether a file is there."), scope.context)
      : ask("shell.test.evaluates", "A test in it evaluates its operands, and can run commands in them."),
    judgeParts(expression, scope, judgeScript),
  ]);
}

function isPlain(expression: TestExpression): boolean {
  switch (expression.type) {
    case "TestUnary":
      return UNARY.test(expression.operator);
    case "TestBinary":
      return BINARY.has(expression.operator);
    case "TestLogical":
      return expression.operands.every(isPlain);
    case "TestNot":
      return isPlain(expression.operand);
    case "TestGroup":
      return isPlain(expression.expression);
  }
}
