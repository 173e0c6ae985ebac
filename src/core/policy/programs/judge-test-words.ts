import { approve, ask, type Judgement } from "../decision.ts";
import { type Argument, HOLE } from "../shell/argument.ts";

const UNARY = /^-[bcdefghknprstuwxzLNOSG]$/;
const BINARY = /^(=|==|!=|-nt|-ot|-ef)$/;
const NUMBERS = /^-(eq|ne|lt|le|gt|ge)$/;
const JOINS = /^(-a|-o|!)$/;

/**
 * The words of `test` and `[`. `-v` and `-R` evaluate a name, and so run commands in it: every word that is not known has
 * to stand where it cannot be one of these.
 */
export function judgeTestWords(words: readonly Argument[]): Judgement {
  const texts = words.map(({ text }) => text);
  const fine = words.every((word, i) => isFine(word, texts[i - 1] ?? "", texts[i + 1] ?? "", words.length));
  return fine && words.length > 0
    ? approve("shell.test", "read", "It compares texts or looks whether a file is there.")
    : ask("shell.test.evaluates", "A test in it evaluates its operands, and can run commands in them.");
}

function isFine({ text, splits, pattern }: Argument, before: string, after: string, count: number): boolean {
  if (splits || pattern) return false;
  if (text.includes(HOLE)) return count === 1 || UNARY.test(before) || BINARY.test(before) || BINARY.test(after);
  if (NUMBERS.test(text)) return /^-?\d+$/.test(before) && /^-?\d+$/.test(after);
  return !text.startsWith("-") || /^-\d+$/.test(text) || UNARY.test(text) || BINARY.test(text) || JOINS.test(text);
}
