/** Lock files name addresses and digests, and package.json is read in part: only the others can name files that are run. */
export const mayNameFiles = (name: string): boolean =>
  !/(^|\/)(package(-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|\.gitmodules)$/.test(name);

const LONGEST_NAME = 200;
const MOST_NAMES = 400;
/** As `require` completes a name. */
const ENDINGS = ["", ".js", ".cjs", ".mjs", ".json", "/index.js"];
const WORDS = /[\s"'`=,;:()[\]{}<>|&]+/;

/**
 * Every word of a text that could be the name of a file in the checkout, as `git=./tools/git.sh` names one: seen from the
 * checkout, and from the folder that the text itself lies in. Values as a whole as well: a name may hold spaces and commas.
 */
export function namedIn(text: string, folder = ""): string[] {
  return [...distinctNames(text, folder)]
    .slice(0, MOST_NAMES)
    .flatMap((name) => ENDINGS.map((ending) => `${name}${ending}`));
}

function distinctNames(text: string, folder: string): ReadonlySet<string> {
  const words = text.split(WORDS).filter(isWord);
  const values = text.split("\n").map(valueIn).filter(isWord);
  const names = [...words, ...values].flatMap((word) => [normalised(word), normalised(`${folder}/${word}`)]);
  return new Set(names.filter((name) => name !== null));
}

const isWord = (word: string): boolean => word.length <= LONGEST_NAME && /\w/.test(word) && !/^[/~]/.test(word);

/** What stands behind the first `=` or `: ` of a line, or the dash of a list, without quotes. */
const valueIn = (line: string): string =>
  line
    .replace(/^[^=:]{0,200}(?:=|: )|^ *- /, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");

/** Without `//`, `/./` and `..`; null for the folder itself and for what leads out of it. */
function normalised(name: string): string | null {
  const parts: string[] = [];
  for (const part of name.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length === 0 ? null : parts.join("/");
}

/** Files of settings, whose every line is a key and a value. */
export const isSettings = (name: string): boolean =>
  /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|pnpm-workspace\.yaml)$/.test(name);

const LONGEST_SETTINGS = 64 * 1024;

/**
 * Whether settings name a file that nobody can look at: outside of the checkout, by a variable, or in a way that only the
 * package manager reads (escapes, YAML's tags), or more of them than are looked at. Who may log in where is no file.
 */
export function leadsOut(text: string): boolean {
  if (text.length > LONGEST_SETTINGS || distinctNames(text, "").size > MOST_NAMES) return true;
  return text.split("\n").some((line) => !/^\s*([#;]|$)/.test(line) && lineLeadsOut(line));
}

/** Values that are no files: `//registry.example/:_authToken=${TOKEN}`. */
const ACCESS =
  /^[\s"']*(?:[^\s"'=]*:)?(?:_authToken|_auth|_password|username|email|registry|(?:https?-?)?proxy|npmAuthToken|npmAuthIdent|npmRegistryServer|npmPublishRegistry)["']?\s*(?:=|:?\s)/i;

function lineLeadsOut(line: string): boolean {
  if (line.includes("\\") || line.includes("!!")) return true;
  if (ACCESS.test(line)) return false;
  const value = line.replaceAll(/\b(?!file:)[a-z][a-z0-9+.-]*:\/\/[^\s"'$]+/gi, " ");
  if (value.includes("${")) return true;
  const afterKey = value.replace(/^\s*\/\/[^\s=]*=/, "");
  return afterKey.split(WORDS).some((word) => /^[/~]/.test(word) || (word.includes("..") && normalised(word) === null));
}
