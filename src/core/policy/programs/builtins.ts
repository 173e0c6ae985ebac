import { ask, type Judgement, pass } from "../decision.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import { isHarmlessName } from "../shell/judge-assignments.ts";
import { moveTo } from "../shell/move-to.ts";
import type { Scope } from "../shell/scope.ts";
import type { Programs } from "./entry.ts";
import { judgeTestWords } from "./judge-test-words.ts";

const evaluates = (what: string): Judgement =>
  ask("shell.evaluates", `\`${what}\` evaluates its words, and can run commands that no parser sees.`);
const unseen = (what: string): Judgement =>
  ask("shell.unseen", `\`${what}\` runs commands that are not in the text that is judged.`);
const changesShell = (what: string): Judgement => ask("shell.changes", `\`${what}\` changes what later commands mean.`);

/** What the shell does itself. */
export const BUILTINS: Programs = {
  cd: { judge: changeFolder },
  pwd: { rule: "shell.pwd", does: "read", why: "It prints the folder it is in.", options: "-P -L" },
  echo: {
    rule: "text.echo",
    does: "read",
    why: "It prints its words.",
    operands: ["text"],
    options: "-n -e -E",
    anyOption: true,
  },
  printf: {
    rule: "text.printf",
    does: "read",
    why: "It prints its words.",
    operands: ["text"],
    refused: { "-v": evaluates("printf -v") },
  },
  true: { rule: "shell.true", does: "read", why: "It does nothing.", operands: ["text"], anyOption: true },
  false: { rule: "shell.false", does: "read", why: "It does nothing.", operands: ["text"], anyOption: true },
  ":": { rule: "shell.true", does: "read", why: "It does nothing.", operands: ["text"], anyOption: true },
  test: { judge: (words) => judgeTestWords(words) },
  "[": { judge: (words) => judgeTestWords(words.at(-1)?.text === "]" ? words.slice(0, -1) : []) },
  ...Object.fromEntries(
    ["break", "continue", "return"].map((name) => [
      name,
      { rule: "shell.exit", does: "read", why: "It ends a loop or the script.", operands: ["name"], most: 1 } as const,
    ]),
  ),
  exit: { rule: "shell.exit", does: "read", why: "It ends the script.", operands: ["text"], most: 1 },
  wait: { rule: "shell.wait", does: "read", why: "It waits for programs of the script.", operands: ["name"] },
  jobs: { rule: "shell.jobs", does: "read", why: "It lists programs of the script.", options: "-l -p -r" },
  type: {
    rule: "shell.which",
    does: "read",
    why: "It says where a program is.",
    operands: ["name"],
    options: "-a -p -t",
  },
  command: {
    rule: "shell.which",
    does: "read",
    why: "It says where a program is.",
    options: "-v -V",
    operands: ["name"],
    inOrder: true,
  },
  set: { judge: setOptions },
  export: { judge: exportNames },
  eval: evaluates("eval"),
  let: evaluates("let"),
  read: evaluates("read"),
  declare: evaluates("declare"),
  typeset: evaluates("typeset"),
  local: evaluates("local"),
  readonly: evaluates("readonly"),
  mapfile: evaluates("mapfile"),
  readarray: evaluates("readarray"),
  getopts: evaluates("getopts"),
  unset: evaluates("unset"),
  source: unseen("source"),
  ".": unseen("."),
  exec: unseen("exec"),
  builtin: unseen("builtin"),
  trap: unseen("trap"),
  alias: changesShell("alias"),
  unalias: changesShell("unalias"),
  shopt: changesShell("shopt"),
  enable: changesShell("enable"),
  hash: changesShell("hash"),
  umask: changesShell("umask"),
  ulimit: changesShell("ulimit"),
};

function changeFolder(words: readonly Argument[], scope: Scope): Judgement {
  const operands = words[0]?.text === "--" ? words.slice(1) : words;
  const [folder] = operands;
  if (
    folder === undefined ||
    operands.length > 1 ||
    !isKnown(folder) ||
    folder.text.startsWith("-") ||
    folder.text === ""
  ) {
    scope.folders = null;
    return ask("shell.cd.unknown", "It is not known to which folder it goes.");
  }
  return moveTo(folder.text, scope) ?? pass("shell.cd", "It goes to a folder of the worktree.");
}

/** What makes a script stop at errors, and nothing else. */
function setOptions(words: readonly Argument[]): Judgement {
  const texts = words.map((each) => (isKnown(each) ? each.text : "?"));
  const plain = texts.every((text, i) =>
    texts[i - 1]?.endsWith("o") ? text === "pipefail" : /^[-+](?=.)[eux]*o?$/.test(text),
  );
  return plain && texts.length > 0 && !texts.at(-1)?.endsWith("o")
    ? pass("shell.set", "It says when the script stops.")
    : changesShell("set");
}

function exportNames(words: readonly Argument[]): Judgement {
  const harmless = words.every((each) => isKnown(each) && isHarmlessName(each.text.split("=")[0] ?? ""));
  return harmless && words.length > 0
    ? pass("shell.export", "It sets variables that run nothing.")
    : ask("shell.export", "It sets variables for all later commands, and it is not known which programs read them.");
}
