import { approve, ask, askUnlessSandboxed, deny, type Judgement, worst } from "../../decision.ts";
import { type Argument, isKnown } from "../../shell/argument.ts";
import { moveTo } from "../../shell/move-to.ts";
import type { Scope } from "../../shell/scope.ts";
import type { Special } from "../entry.ts";
import { judgePassed } from "../judge-passed.ts";
import { type ReadOptions, readOptions } from "../read-options.ts";
import { judgeNpx } from "./judge-npx.ts";
import { TOOLS } from "./tools.ts";

type Name = "npm" | "pnpm" | "yarn" | "bun";

const fetches = askUnlessSandboxed("node.install", "It fetches packages, and their scripts run.");
const publishes = deny("network.publish", "It publishes a package, or changes who may.");
const settings = deny("node.config", "It changes settings of the package manager, which can run programs.");

/** Words of every package manager that are not approved. */
const REFUSED: Readonly<Record<string, Judgement>> = {
  ...Object.fromEntries(
    "install i add remove rm uninstall update upgrade up link dedupe import rebuild"
      .split(" ")
      .map((word) => [word, fetches]),
  ),
  ...Object.fromEntries(
    "publish unpublish deprecate login logout adduser owner dist-tag access token team org hook star profile"
      .split(" ")
      .map((word) => [word, publishes]),
  ),
  ...Object.fromEntries("config set get".split(" ").map((word) => [word, settings])),
  version: ask("node.version.bump", "It changes the version, commits and tags."),
  dlx: ask("npx.option", "It fetches a package and runs it."),
  create: ask("npx.option", "It fetches a package and runs it."),
  init: ask("npx.option", "It can fetch a package and run it."),
  audit: ask("node.audit", "It sends the list of packages to the registry."),
  view: ask("node.view", "It reaches the registry."),
  outdated: ask("node.view", "It reaches the registry."),
  pack: ask("node.pack", "It writes an archive."),
  cache: ask("node.cache", "It changes what other projects share."),
};
const SHOWS = new Set(["ls", "list", "why", "explain", "root", "prefix", "bin", "ll", "-v", "--version", "help"]);

/** Scripts whose name says what they do; the code behind them is the project's, as with `npm test`. */
const USUAL =
  /^(test|tests|build|lint|format|fmt|check|checks|types|typecheck|type-check|tsc|compile|coverage|unit|ci|docs|verify)([:_-][\w:.-]+)?$/;
const OPTIONS =
  "-s --silent --if-present -w= --workspace= --workspaces -ws --include-workspace-root -r --recursive --filter= -F= --prefix/ -C/ --dir/ --cwd/ --no-color --color -q --quiet --loglevel= --foreground-scripts --no-bail --parallel --stream";

export const packageManager = (name: Name): Special => ({
  judge: (words, scope) => judgeManager(name, words, scope),
  stack: "node",
});

function judgeManager(name: Name, words: readonly Argument[], scope: Scope): Judgement {
  if (
    beforeDashes(words).some(({ text }) =>
      /^--(script-shell|shell|node-options|userconfig|globalconfig|git|editor|call)(=|$)|^-c$/.test(text),
    )
  )
    return deny("node.shell", "It makes the package manager run another program, or other settings.");
  const read = readOptions(words, { rule: name, options: OPTIONS, inOrder: true });
  if ("decision" in read) return SHOWS.has(words[0]?.text ?? "") && words.length === 1 ? shows(name) : read;
  const inside = scope.fork();
  const [folder, ...others] = foldersIn(read);
  const moved =
    folder === undefined
      ? null
      : isKnown(folder) && others.length === 0
        ? moveTo(folder.text, inside)
        : ask("path.folder-unknown", "It is not known where it runs.");
  const [first, ...rest] = read.operands;
  if (first === undefined)
    return name === "yarn" || name === "pnpm" ? fetches : ask(`${name}.alone`, "It does nothing that is known.");
  if (!isKnown(first)) return ask("word.unknown", "It is not known what it would do.");
  return worst([moved, judgeWord(name, first.text, rest, inside)]) ?? fetches;
}

const shows = (name: Name): Judgement => approve(`${name}.show`, "read", "It only says what is installed.");

function judgeWord(name: Name, word: string, rest: readonly Argument[], scope: Scope): Judgement {
  if (word === "test" || word === "t" || word === "tst") return runScript(name, "test", rest, scope);
  if (word === "start" || word === "stop") return runScript(name, word, rest, scope);
  if (
    word === "ci" ||
    (name !== "npm" && word === "install" && rest.some(({ text }) => /^--(frozen-lockfile|immutable)$/.test(text)))
  )
    return installLocked(rest, scope);
  if (word === "exec" || word === "x") return judgeNpx(rest[0]?.text === "--" ? rest.slice(1) : rest, scope);
  if (word === "run" || word === "run-script") {
    const read = readOptions(rest, { rule: `${name}.run`, options: OPTIONS, inOrder: true });
    if ("decision" in read) return read;
    if (foldersIn(read).length > 0) return ask("path.folder-unknown", "It is not known where it runs.");
    const [script, ...passed] = read.operands;
    if (script === undefined) return shows(name);
    return isKnown(script)
      ? runScript(name, script.text, passed, scope)
      : ask("word.unknown", "It is not known which script it runs.");
  }
  if (SHOWS.has(word)) return worst([shows(name), ...rest.map((each) => judgePassed(each, scope))]) ?? fetches;
  if (word === "pkg" && rest[0]?.text === "get") return shows(name);
  if (Object.hasOwn(REFUSED, word)) return REFUSED[word] ?? fetches;
  if (name === "npm") return ask("npm.other", "It is a command of npm that banksman does not know to be routine.");
  // The others run scripts and tools without a word before them.
  return Object.hasOwn(TOOLS, word)
    ? judgeNpx([{ text: word, pattern: false, splits: false }, ...rest], scope)
    : runScript(name, word, rest, scope);
}

/** `--ignore-scripts` and the like are fine; the lock file says what comes. */
function installLocked(rest: readonly Argument[], { folders, context }: Scope): Judgement {
  const plain = rest.every(({ text }) =>
    /^--(ignore-scripts|no-audit|no-fund|prefer-offline|offline|frozen-lockfile|immutable|silent|omit=\w+|include=\w+)$/.test(
      text,
    ),
  );
  if (!plain) return fetches;
  return folders?.every((folder) => context.facts.hasLock(folder))
    ? approve("node.install.locked", "change", "It installs exactly what the project's lock file names.")
    : fetches;
}

function runScript(name: Name, script: string, passed: readonly Argument[], scope: Scope): Judgement {
  const { folders, context } = scope;
  const unchanged = folders?.every((folder) => context.facts.isScriptUnchanged(folder, script));
  const fine = USUAL.test(script) || unchanged;
  // npm takes options before `--` for itself.
  const own = name === "npm" ? beforeDashes(passed) : [];
  const odd = own.find(
    ({ text }) =>
      text.startsWith("-") &&
      !/^(-s|--silent|--if-present|--workspaces|--workspace=[\w@/.-]+|-w|-q|--quiet)$/.test(text),
  );
  return (
    worst([
      fine
        ? approve(`${name}.run`, "test", "It runs a script of the project.")
        : askUnlessSandboxed(
            "node.script.changed",
            `The script ${JSON.stringify(script)} is not as the project has it.`,
          ),
      odd === undefined
        ? null
        : ask(`${name}.option`, `The option ${JSON.stringify(odd.text)} goes to npm and not to the script.`),
      ...passed.filter(({ text }) => text !== "--").map((each) => judgePassed(each, scope)),
    ]) ?? fetches
  );
}

function beforeDashes(words: readonly Argument[]): readonly Argument[] {
  const at = words.findIndex(({ text }) => text === "--");
  return at < 0 ? words : words.slice(0, at);
}

const foldersIn = ({ options }: ReadOptions): Argument[] =>
  options.flatMap(({ kind, value }) => (kind === "folder" && value !== null ? [value] : []));
