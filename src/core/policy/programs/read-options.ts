import { ask, type Judgement } from "../decision.ts";
import { type Argument, couldBeOption, HOLE } from "../shell/argument.ts";

export interface GivenOption {
  readonly name: string;
  readonly value: Argument | null;
  readonly kind: OptionKind;
}

export interface ReadOptions {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Argument[];
  /** What follows `--`, where that goes to somebody else. */
  readonly passed: readonly Argument[];
}

interface How {
  readonly rule: string;
  readonly options?: string;
  readonly refused?: Readonly<Record<string, Judgement>>;
  readonly longDash?: true;
  readonly anyOption?: true;
  readonly passes?: true;
  readonly inOrder?: true;
}

type OptionKind = "flag" | "value" | "optional" | "read" | "write" | "folder";
const KINDS: Readonly<Record<string, OptionKind>> = {
  "=": "value",
  "?": "optional",
  "<": "read",
  ">": "write",
  "/": "folder",
};

/** The words of a command as its program reads them; a judgement where an option is refused or not known. */
export function readOptions(words: readonly Argument[], how: How): ReadOptions | Judgement {
  const known = tableOf(how.options ?? "");
  const options: GivenOption[] = [];
  const operands: Argument[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Argument;
    if (word.text === "--" && !word.pattern) {
      const rest = words.slice(i + 1);
      return how.passes
        ? { options, operands, passed: rest }
        : { options, operands: [...operands, ...rest], passed: [] };
    }
    if (!couldBeOption(word) || word.text === "-" || (how.anyOption && !word.text.startsWith("-"))) {
      operands.push(word);
      if (how.inOrder) return { options, operands: [...operands, ...words.slice(i + 1)], passed: [] };
      continue;
    }
    const read = readOption(word, words[i + 1], known, how);
    if ("decision" in read) return read;
    options.push(...read.options);
    i += read.used;
  }
  return { options, operands, passed: [] };
}

interface Read {
  readonly options: readonly GivenOption[];
  /** How many of the words that follow belong to it. */
  readonly used: number;
}

function readOption(word: Argument, next: Argument | undefined, known: Table, how: How): Read | Judgement {
  const [, name = "", rest] = /^(--?[^=]*)(?:=(.*))?$/s.exec(word.text) ?? [];
  // `--include=*.ts` stays that option, whatever the pattern finds.
  const named = !word.pattern || (rest !== undefined && name.startsWith("--") && !/[*?[]/.test(name));
  if (word.splits || !named || name === "" || name.includes(HOLE))
    return ask("word.unknown", "It is not known whether one of its words is an option.");
  if (!name.startsWith("--") && !how.longDash) return readLetters(word, next, known, how);
  const refused = refusal(name, how);
  if (refused !== null) return refused;
  const kind = known.get(name);
  if (kind === undefined) return unknown(name, how);
  const value = rest === undefined ? null : { ...word, text: rest };
  if (kind === "flag" || kind === "optional")
    return value !== null && kind === "flag" ? unknown(word.text, how) : { options: [{ name, value, kind }], used: 0 };
  return withValue(name, kind, value, next, how);
}

/** `-la`, `-n5`, `-20`. */
function readLetters(word: Argument, next: Argument | undefined, known: Table, how: How): Read | Judgement {
  if (known.has("-#") && /^-\d+$/.test(word.text)) return { options: [], used: 0 };
  const options: GivenOption[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const name = `-${word.text[at]}`;
    const refused = refusal(name, how);
    if (refused !== null) return refused;
    const kind = known.get(name);
    if (kind === undefined) return unknown(name, how);
    const rest = word.text.slice(at + 1);
    if (kind === "optional") return { options: [...options, { name, value: { ...word, text: rest }, kind }], used: 0 };
    if (kind !== "flag") {
      const read = withValue(name, kind, rest === "" ? null : { ...word, text: rest }, next, how);
      return "decision" in read ? read : { options: [...options, ...read.options], used: read.used };
    }
    options.push({ name, value: null, kind });
  }
  return { options, used: 0 };
}

function withValue(
  name: string,
  kind: OptionKind,
  own: Argument | null,
  next: Argument | undefined,
  how: How,
): Read | Judgement {
  const value = own ?? next;
  if (value === undefined) return ask(`${how.rule}.option`, `The option ${name} has no value.`);
  if (value.splits) return ask("word.unknown", `It is not known what the value of ${name} would be.`);
  return { options: [{ name, value, kind }], used: own === null ? 1 : 0 };
}

const refusal = (name: string, { refused }: How): Judgement | null =>
  refused !== undefined && Object.hasOwn(refused, name) ? (refused[name] ?? null) : null;

const unknown = (name: string, { rule }: How): Judgement =>
  ask(`${rule}.option`, `The option ${JSON.stringify(name)} is not one that banksman knows to be harmless here.`);

type Table = ReadonlyMap<string, OptionKind>;
const tables = new Map<string, Table>();

function tableOf(text: string): Table {
  const found = tables.get(text);
  if (found !== undefined) return found;
  const names = text.split(/\s+/).filter((each) => each !== "");
  const table = new Map(
    names.map((each): [string, OptionKind] => {
      const kind = KINDS[each.at(-1) ?? ""];
      return kind === undefined ? [each, "flag"] : [each.slice(0, -1), kind];
    }),
  );
  tables.set(text, table);
  return table;
}
