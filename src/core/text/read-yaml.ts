import { type Document, isAlias, isCollection, isMap, isPair, isScalar, parseDocument } from "yaml";

/** Nobody writes more by hand; and the time of the library grows with the square of many a text: up to 0.3 s at this size. */
export const MOST_YAML = 16 * 1024;
const MOST_ALIASES = 10;
/** How far to the right a block may begin, how many brackets may be open, how many keys may follow each other in them. */
const DEEPEST_COLUMN = 100;
const DEEPEST_BRACKETS = 20;
const MOST_COLONS = 200;

/**
 * A small YAML document that somebody else wrote, or why it cannot be used. What makes the library slow on hostile texts
 * is done here instead: it compares every key with every other one, and resolves aliases one by one.
 */
export function readYaml(text: string): Document.Parsed | string {
  if (text.length > MOST_YAML) return `it is longer than ${MOST_YAML / 1024} KB`;
  if (nestsTooDeeply(text)) return "it nests too deeply";
  const document = parsed(text);
  if (document === null) return "it nests too deeply";
  const [problem] = document.errors;
  if (problem !== undefined) return problem.message.split("\n")[0] ?? "";
  return problemIn(document.contents) ?? document;
}

function parsed(text: string): Document.Parsed | null {
  try {
    return parseDocument(text, { uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The library goes down by recursion. An overflow of it is an error like others, unless it happens while a regular
 * expression is compiled: that ends the whole process. Brackets in texts count as well.
 */
function nestsTooDeeply(text: string): boolean {
  let brackets = 0;
  let colons = 0;
  let column = 0;
  let begins = true;
  for (const char of text) {
    if (char === "[" || char === "{") brackets++;
    else if ((char === "]" || char === "}") && brackets > 0) brackets--;
    else if (char === ":") colons++;
    else if (char === "\n" && brackets === 0) colons = 0;
    column = char === "\n" ? 0 : column + 1;
    begins = column === 0 || (begins && " -?:\t".includes(char));
    if (brackets > DEEPEST_BRACKETS || colons > MOST_COLONS || (begins && column > DEEPEST_COLUMN)) return true;
  }
  return false;
}

function problemIn(contents: unknown): string | null {
  let aliases = 0;
  const todo = [contents];
  while (todo.length > 0) {
    const node = todo.pop();
    if (isAlias(node) && ++aliases > MOST_ALIASES) return `it has more than ${MOST_ALIASES} aliases`;
    if (isMap(node)) {
      const twice = keyTwice(node.items);
      if (twice !== null) return `it has the key ${JSON.stringify(twice.slice(0, 60))} twice`;
    }
    if (isPair(node)) todo.push(node.key, node.value);
    else if (isCollection(node)) for (const item of node.items) todo.push(item);
  }
  return null;
}

function keyTwice(pairs: readonly { readonly key: unknown }[]): string | null {
  const seen = new Set<unknown>();
  for (const { key } of pairs) {
    if (!isScalar(key)) continue;
    if (seen.has(key.value)) return String(key.value);
    seen.add(key.value);
  }
  return null;
}
