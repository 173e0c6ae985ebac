export interface Glob {
  matches(path: string): boolean;
  /** Whether it could match something below a folder. */
  reachesInto(folder: string): boolean;
}

/**
 * `*` and `?` stay within one level of folders, `**` does not, `[ab]` and `[!a-c]` are one character, `{a,b}` is either.
 * Globs come from agents, so there is no regular expression behind it: of two that a library made of one line, one held
 * the whole supervisor for 17 s and the other for 55 s. Here every part between two stars is looked for once, from where
 * the part before it was found.
 */
export function compileGlob(glob: string): Glob {
  const ways = alternatives(glob).map((way) => way.split("/").map(readLevel));
  return {
    matches(path) {
      const names = path.split("/");
      return ways.some((levels) => matchesLevels(levels, names));
    },
    reachesInto(folder) {
      const names = folder.split("/").filter((name) => name !== "");
      return ways.some((levels) => {
        const deep = levels.indexOf(ANY_DEPTH);
        if (deep >= 0 && deep <= names.length) return matchesEach(levels.slice(0, deep), names);
        return levels.length > names.length && matchesEach(levels, names);
      });
    },
  };
}

const ANY_DEPTH = "**";
/** What one level of a path has to be: a name, or the parts between stars; the first and the last are at its ends. */
type Level = typeof ANY_DEPTH | string | readonly Part[];
/** A text, or one entry per character. */
type Part = string | readonly ((char: string) => boolean)[];

/** Only the last `**` is ever come back to: what an earlier one could take more, the later one can take as well. */
function matchesLevels(levels: readonly Level[], names: readonly string[]): boolean {
  let [at, level] = [0, 0];
  let back: { at: number; level: number } | null = null;
  while (at < names.length) {
    const wanted = levels[level];
    if (wanted === ANY_DEPTH) {
      back = { at, level: ++level };
    } else if (wanted !== undefined && matchesLevel(wanted, names[at] ?? "")) {
      at++;
      level++;
    } else if (back !== null) {
      back.at++;
      ({ at, level } = back);
    } else return false;
  }
  return levels.slice(level).every((each) => each === ANY_DEPTH);
}

const matchesEach = (levels: readonly Level[], names: readonly string[]): boolean =>
  names.slice(0, levels.length).every((name, i) => matchesLevel(levels[i] ?? "", name));

function matchesLevel(level: Level, name: string): boolean {
  if (typeof level === "string") return level === name;
  const isText = level.every((part) => typeof part === "string");
  const chars = isText ? name : [...name];
  const [first = "", ...rest] = level;
  const last = rest.pop();
  if (last === undefined) return chars.length === first.length && isAt(first, chars, 0);
  let from = first.length;
  const end = chars.length - last.length;
  if (from > end || !isAt(first, chars, 0) || !isAt(last, chars, end)) return false;
  for (const part of rest) {
    const found = find(part, chars, from, end);
    if (found < 0) return false;
    from = found + part.length;
  }
  return true;
}

type Name = string | readonly string[];

function isAt(part: Part, chars: Name, at: number): boolean {
  if (typeof part === "string" && typeof chars === "string") return chars.startsWith(part, at);
  for (let i = 0; i < part.length; i++) {
    const fits = part[i];
    if (typeof fits === "string" ? fits !== chars[at + i] : fits?.(chars[at + i] ?? "") !== true) return false;
  }
  return true;
}

function find(part: Part, chars: Name, from: number, end: number): number {
  if (typeof part === "string" && typeof chars === "string") {
    const found = chars.indexOf(part, from);
    return found + part.length <= end ? found : -1;
  }
  for (let at = from; at + part.length <= end; at++) if (isAt(part, chars, at)) return at;
  return -1;
}

function readLevel(text: string): Level {
  if (text === ANY_DEPTH || !/[*?[]/.test(text)) return text;
  if (!/[?[]/.test(text)) return text.split(/\*+/);
  const parts: ((char: string) => boolean)[][] = [[]];
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\*/.test(token)) parts.push([]);
    else parts.at(-1)?.push(readOne(token));
  }
  return parts;
}

/** Stars, a class of characters, or one character. Brackets that hold nothing, or that nothing closes, are just that. */
const TOKEN = /\*+|\[[!^]?[^\]]+\]|./gsu;

function readOne(token: string): (char: string) => boolean {
  if (token === "?") return () => true;
  if (token.length === 1 || !token.startsWith("[")) return (char) => char === token;
  const inside = token.slice(1, -1);
  const not = /^[!^]/.test(inside);
  const ranges = [...(not ? inside.slice(1) : inside).matchAll(/(.)-(.)|./gsu)].map(
    ([each, low = each, high = each]) => [low, high] as const,
  );
  return (char) => ranges.some(([low, high]) => low <= char && char <= high) !== not;
}

/** Beyond so many, braces are taken as they are written. */
const MOST_WAYS = 64;

function alternatives(glob: string): string[] {
  const done: string[] = [];
  const todo = [glob];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const ways = splitBraces(next);
    if (ways.length === 1 || done.length + todo.length + ways.length > MOST_WAYS) done.push(next);
    else todo.push(...ways);
  }
  return done;
}

/** By the first braces that hold a comma; `{id}` is a name like any other. */
function splitBraces(text: string): string[] {
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", open + 1)) {
    const cuts: number[] = [open];
    for (let i = open + 1, depth = 1; i < text.length; i++) {
      if (text[i] === "{") depth++;
      else if (text[i] === "}") depth--;
      if (depth === 0 || (depth === 1 && text[i] === ",")) cuts.push(i);
      if (depth > 0) continue;
      const options = cuts.slice(1).map((cut, n) => text.slice((cuts[n] ?? 0) + 1, cut));
      if (options.length > 1) return options.map((each) => text.slice(0, open) + each + text.slice(i + 1));
      break;
    }
  }
  return [text];
}
