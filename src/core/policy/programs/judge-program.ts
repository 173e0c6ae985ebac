import { approve, ask, deny, type Judgement, worst } from "../decision.ts";
import { type Argument, HOLE, isKnown } from "../shell/argument.ts";
import { moveTo } from "../shell/move-to.ts";
import type { Scope } from "../shell/scope.ts";
import type { Family, Program } from "./entry.ts";
import { judgeEntry } from "./judge-entry.ts";
import { readOptions } from "./read-options.ts";
import { judgeFile } from "./run-file.ts";
import { PROGRAMS } from "./table.ts";
import { unwrap } from "./unwrap.ts";

/** What a command's first word names, with the words that follow it. */
export function judgeProgram(argv: readonly Argument[], scope: Scope): Judgement {
  const inner = unwrap(argv);
  if ("decision" in inner) return inner;
  const [first, ...words] = inner;
  if (first === undefined) return ask("program.none", "It names no program.");
  if (!isKnown(first)) return ask("program.unknown-name", "The name of the program is not known before it runs.");
  // Behind another program `cd` moves that program, and not the shell.
  if (first.text === "cd" && inner !== argv) return ask("shell.cd.unknown", "It is not known to which folder it goes.");
  const judged = judgeNamed(first.text, words, scope);
  if (judged.decision !== "deny" && isExtra(inner, scope))
    return { ...approve("extra", "test", "Your config lists it under `extra` or `safe_commands`."), listed: true };
  return judged;
}

const FOLDERS = /^(\/usr\/(local\/)?bin|\/bin)\/(?=[^/]+$)/;

function judgeNamed(path: string, words: readonly Argument[], scope: Scope): Judgement {
  const name = path.replace(FOLDERS, "");
  if (name.includes("/") && !Object.hasOwn(PROGRAMS, name)) return judgeFile(name, words, scope);
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program === undefined) {
    if (/^mkfs(\.|$)/.test(name)) return deny("disk.format", "It would overwrite a disk.");
    return ask("program.unknown", `The program ${JSON.stringify(name)} is not one that banksman knows.`);
  }
  return underStack(program, judgeOne(name, program, words, scope), scope, name);
}

function underStack(program: Program, judged: Judgement, { context }: Scope, name: string): Judgement {
  const stack = "stack" in program ? program.stack : undefined;
  if (stack === undefined || judged.decision !== "approve" || context.stacks.includes(stack)) return judged;
  return ask("preset.stack", `\`${name}\` belongs to the preset \`${stack}\`, which is not in use here.`);
}

function judgeOne(name: string, program: Program, words: readonly Argument[], scope: Scope): Judgement {
  if ("decision" in program) return program;
  if ("judge" in program) return program.judge(words, scope);
  if ("commands" in program) return judgeFamily(name, program, words, scope);
  return judgeEntry(program, words, scope);
}

/** Global options first; then the word that says what is done. */
function judgeFamily(name: string, family: Family, words: readonly Argument[], scope: Scope): Judgement {
  const { commands, options, refused, alone, other } = family;
  const read = readOptions(words, { rule: name, options, refused, longDash: family.longDash, inOrder: true });
  if ("decision" in read) return read;
  const folders = read.options.flatMap(({ kind, value }) => (kind === "folder" && value !== null ? [value] : []));
  if (folders.length > 1) return ask("path.folder-unknown", "It goes from folder to folder before it runs.");
  const folder = folders[0] ?? null;
  const [first, ...rest] = read.operands;
  if (first === undefined)
    return alone === undefined ? other : "decision" in alone ? alone : judgeEntry(alone, words, scope);
  const found = Object.hasOwn(commands, first.text) ? commands[first.text] : undefined;
  if (!isKnown(first) || found === undefined) return other;
  return inFolder(folder, scope, (inside) => judgeOne(`${name}.${first.text}`, found, rest, inside));
}

/** As if the shell had gone to a folder before. */
function inFolder(folder: Argument | null, scope: Scope, judge: (scope: Scope) => Judgement): Judgement {
  if (folder === null) return judge(scope);
  if (folder.text.includes(HOLE) || folder.pattern || scope.folders === null)
    return ask("path.folder-unknown", "It is not known in which folder this command would run.");
  const inside = scope.fork();
  const refused = moveTo(folder.text, inside);
  const judged = judge(inside);
  return worst([refused, judged]) ?? judged;
}

/** Words of `extra` are compared one by one: `just check` is not `just checkout`. */
function isExtra(argv: readonly Argument[], { context }: Scope): boolean {
  if (!argv.every(isKnown)) return false;
  return context.extra.some((words) => words.length > 0 && words.every((word, i) => argv[i]?.text === word));
}
