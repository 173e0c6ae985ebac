import { ask, deny, type Judgement } from "../decision.ts";

/** A script of sed that prints, deletes and replaces, and neither writes files nor runs anything. */
export function judgeSedScript(script: string): Judgement | null {
  let at = 0;
  while (at < script.length) {
    const blank = /[\s;{}]*/y;
    blank.lastIndex = at;
    at += blank.exec(script)?.[0].length ?? 0;
    if (at >= script.length) return null;
    const address = afterAddresses(script, at);
    if (address === null) return notKnown();
    const command = script[address] ?? "";
    if (command === "{") {
      at = address + 1;
      continue;
    }
    if ("wWe".includes(command) && command !== "")
      return deny("text.sed.write", "The script of sed writes a file or runs a command.");
    if ("rR".includes(command) && command !== "") return ask("text.sed.read", "The script of sed reads another file.");
    const next = afterCommand(script, address);
    if (typeof next !== "number") return next;
    at = next;
  }
  return null;
}

const notKnown = (): Judgement => ask("text.sed.script", "The script of sed does more than banksman reads of it.");

/** Behind `3`, `$`, `/re/`, `1,5`, `/a/,/b/`, `0~2`, `5,+3` and `!`; null where one has no end. */
function afterAddresses(script: string, from: number): number | null {
  let at = afterAddress(script, from);
  if (at === null) return null;
  if (at > from && script[at] === ",") {
    const second = afterAddress(script, at + (script[at + 1] === "+" || script[at + 1] === "~" ? 2 : 1));
    if (second === null || second === at + 1) return null;
    at = second;
  }
  const rest = /[\s!]*/y;
  rest.lastIndex = at;
  return at + (rest.exec(script)?.[0].length ?? 0);
}

function afterAddress(script: string, from: number): number | null {
  if (script[from] === "/") {
    const end = afterDelimited(script, from + 1, "/");
    return end === null ? null : end + (script[end] === "I" ? 1 : 0);
  }
  const plain = /(\d+(~\d+)?|\$)?/y;
  plain.lastIndex = from;
  return from + (plain.exec(script)?.[0].length ?? 0);
}

/** Behind the next delimiter that neither a backslash nor brackets take away. */
function afterDelimited(script: string, from: number, delimiter: string, isPattern = true): number | null {
  for (let at = from; at < script.length; at++) {
    if (script[at] === "\n") return null;
    if (script[at] === "\\") at++;
    else if (isPattern && script[at] === "[") {
      const bracket = bracketAt(script, at);
      // Where a bracket ends, and whether a delimiter in it counts, is read in different ways: only plain ones are.
      if (bracket === null || bracket.includes(delimiter)) return null;
      at += bracket.length - 1;
    } else if (script[at] === delimiter) return at + 1;
  }
  return null;
}

function bracketAt(script: string, at: number): string | null {
  const bracket = /\[\^?(?:\[:[a-z]+:\]|[^\][\n])+\]/y;
  bracket.lastIndex = at;
  return bracket.exec(script)?.[0] ?? null;
}

function afterCommand(script: string, at: number): number | Judgement {
  const command = script[at] ?? "";
  if (command === "s") return afterSubstitution(script, at);
  const simple = /([pdDgGhHxnNPl=]|[qQ]\s*\d*)(?=\s*(?:[;}\n]|$))/y;
  simple.lastIndex = at;
  const found = simple.exec(script);
  return found === null ? notKnown() : at + found[0].length;
}

function afterSubstitution(script: string, at: number): number | Judgement {
  const delimiter = script[at + 1] ?? "";
  if (!/[/|#,:@!%_+~]/.test(delimiter)) return notKnown();
  const pattern = afterDelimited(script, at + 2, delimiter);
  const replacement = pattern === null ? null : afterDelimited(script, pattern, delimiter, false);
  if (replacement === null) return notKnown();
  const flags = /[gpiIM\d]*(?=\s*(?:[;}\n]|$))/y;
  flags.lastIndex = replacement;
  const found = flags.exec(script);
  if (found !== null) return replacement + found[0].length;
  return /^[gpiIM\d]*[ew]/.test(script.slice(replacement, replacement + 20))
    ? deny("text.sed.write", "The script of sed writes a file or runs a command.")
    : notKnown();
}
