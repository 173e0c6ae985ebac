import type { BraceExpansionPart, DoubleQuotedChild, Word, WordPart } from "unbash";
import { type Argument, HOLE } from "./argument.ts";
import { expandBraces } from "./expand-braces.ts";
import type { Scope } from "./scope.ts";
import { standIn } from "./stand-in.ts";
import { variableValue } from "./variable-value.ts";

/** The words that a program gets for one word of a script: more than one by braces. */
export function readWord(word: Word, scope: Scope): Argument[] {
  const pieces = word.parts ?? [plain(word)];
  if (isCut(pieces) || /^\\\n/.test(word.text)) return [UNKNOWN];
  const braces = pieces.flatMap((part) => (part.type === "BraceExpansion" ? [part] : []));
  if (braces.length === 0) return [isOddBrace(pieces, word.text) ? UNKNOWN : joined(pieces, scope)];
  const choices = braces.map(expandBraces);
  if (choices.some((each) => each === null) || product(choices) > MOST_WORDS || !pieces.every(standsByBraces))
    return [UNKNOWN];
  const words = combinations(choices as string[][]).map((chosen) => joined(pieces, scope, chosen));
  // An empty word without quotes is none.
  return words.filter(({ text }) => text !== "" || pieces.some(({ type }) => type.endsWith("Quoted")));
}

const UNKNOWN: Argument = { text: HOLE, pattern: true, splits: true };

/** Bash joins lines before it looks for names: `$HO\⏎ME` is `$HOME`, and the parser sees `$HO`. An open `$[` is an error. */
const isCut = (parts: readonly WordPart[]): boolean =>
  parts.some(
    (part, i) =>
      (part.type === "SimpleExpansion" && (parts[i + 1]?.text ?? "").startsWith("\\\n")) ||
      (part.type === "Literal" && /\$(\\\n|\[)/.test(part.text)),
  );

/** Bash finds braces that the parser does not: `{a}\{b,c}` is two words. Without a comma or dots there are none. */
const isOddBrace = (parts: readonly WordPart[], text: string): boolean =>
  /,|\.\./.test(text) && parts.some((part) => part.type === "Literal" && part.text.includes("{"));

/** Braces come first: `$x{a,b}` is `$xa` and `$xb`, and `~{/a,b}` is `~/a` and `~b`. Only plain text stays what it is. */
function standsByBraces(part: WordPart): boolean {
  if (part.type === "Literal") return part.text === part.value && !/[~{}]/.test(part.text);
  if (part.type === "DoubleQuoted") return part.parts.every((each) => each.type === "Literal");
  return part.type === "SingleQuoted" || part.type === "BraceExpansion";
}

const MOST_WORDS = 64;
const product = (choices: readonly (readonly string[] | null)[]): number =>
  choices.reduce((so, each) => so * (each?.length ?? 1), 1);
const combinations = (choices: readonly (readonly string[])[]): string[][] =>
  choices.reduce<string[][]>((so, each) => so.flatMap((begun) => each.map((next) => [...begun, next])), [[]]);

/** A word without parts is unquoted, perhaps with backslashes. */
const plain = ({ text, value }: Word): WordPart => ({ type: "Literal", text, value, pos: 0, end: 0 });

function joined(parts: readonly WordPart[], scope: Scope, braces: readonly string[] = []): Argument {
  let text = "";
  let pattern = false;
  let splits = false;
  let brace = 0;
  parts.forEach((part, i) => {
    const piece: Argument =
      part.type === "BraceExpansion"
        ? known(braces[brace++] ?? HOLE)
        : readPart(part, scope, i === 0, parts.length === 1);
    text += piece.text;
    pattern ||= piece.pattern;
    splits ||= piece.splits;
  });
  return { text, pattern, splits };
}

const known = (text: string): Argument => ({ text, pattern: false, splits: false });
const unknown = (quoted: boolean): Argument => ({ text: HOLE, pattern: !quoted, splits: !quoted });

type SinglePart = Exclude<WordPart, BraceExpansionPart>;

function readPart(part: SinglePart, scope: Scope, first: boolean, alone: boolean): Argument {
  switch (part.type) {
    case "Literal":
      return readLiteral(part.text, part.value, scope, first, alone);
    case "SingleQuoted":
      return known(part.value);
    case "AnsiCQuoted":
      // Only what every shell and parser reads in one way.
      return /^\$'(?:[^\\]|\\[nt\\'"])*'$/.test(part.text) ? known(part.value) : unknown(true);
    case "DoubleQuoted":
      return quoted(part.parts, scope);
    case "Glob":
      return { text: part.text, pattern: true, splits: false };
    case "SimpleExpansion":
    case "ParameterExpansion":
      return unquoted(variableValue(part, scope));
    case "CommandExpansion":
      return unquoted(standIn(part, scope));
    case "ProcessSubstitution":
      // A file that is read once; what fills it is judged by itself.
      return part.operator === "<" && alone ? known("/dev/stdin") : unknown(false);
    default:
      return unknown(false);
  }
}

/** A tilde counts at the beginning of a word, and in bash also after the `=` of what looks like an assignment. */
function readLiteral(text: string, value: string, scope: Scope, first: boolean, alone: boolean): Argument {
  if (first && text.startsWith("~")) {
    if (text === "~" && alone) return known(scope.context.home);
    if (text.startsWith("~/")) return known(scope.context.home + value.slice(1));
    return unknown(false);
  }
  return /[=:]~/.test(text) ? unknown(true) : known(value);
}

function quoted(parts: readonly DoubleQuotedChild[], scope: Scope): Argument {
  if (isCut(parts)) return unknown(true);
  let text = "";
  let pattern = false;
  for (const part of parts) {
    const piece =
      part.type === "Literal"
        ? known(part.value)
        : part.type === "CommandExpansion"
          ? standIn(part, scope)
          : part.type === "ArithmeticExpansion"
            ? null
            : variableValue(part, scope);
    text += piece?.text ?? HOLE;
    pattern ||= piece?.pattern ?? false;
  }
  // `"$@"` is as many words as there are.
  const all = parts.some((part) => /^\$(\{?[@*]|\{.*\[[@*]\])/.test(part.text));
  return { text, pattern, splits: all };
}

/** Outside of quotes a value is split at blanks, and patterns in it count. */
const unquoted = (value: Argument | null): Argument =>
  value === null || /[\s*?[\]\\]/.test(value.text) ? { text: value?.text ?? HOLE, pattern: true, splits: true } : value;
