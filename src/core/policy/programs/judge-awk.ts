import { approve, ask, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { readOptions } from "./read-options.ts";

/** awk with a program that only prints. */
export function judgeAwk(words: readonly Argument[], scope: Scope): Judgement {
  const read = readOptions(words, {
    rule: "text.awk",
    options: "-F= -v= --field-separator=",
    inOrder: true,
    refused: { "-f": ask("text.awk.file", "The program of awk is in a file that is not judged.") },
  });
  if ("decision" in read) return read;
  const [program, ...files] = read.operands;
  if (program === undefined || !isKnown(program)) return ask("word.unknown", "The program of awk is not known.");
  return (
    worst([
      approve("text.awk", "read", "Its program only prints."),
      onlyPrints(program.text) ? null : ask("text.awk.runs", "The program of awk can run commands or write files."),
      ...files
        .filter(({ text }) => !/^[A-Za-z_]\w*=[^/~]*$/.test(text))
        .map((file) => (file.text === "-" ? null : judgeArgument(file, "read", scope))),
    ]) ?? ask("text.awk.runs", "It is not known.")
  );
}

/**
 * awk runs commands by `system`, `|` and `getline`, writes by `>`, and reads other files by `ARGV`. A comparison by `>` is told apart only where there
 * are neither texts nor patterns that could hide a brace, and it stands before all braces.
 */
function onlyPrints(program: string): boolean {
  if (/system|getline|@|ARG[VCI]|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|close|fflush|\\\n|\|&/.test(program)) return false;
  if (/(^|[^|])\|([^|]|$)/.test(program)) return false;
  if (!program.includes(">")) return true;
  const [condition = "", ...rest] = program.split("{");
  return !/["/]/.test(condition) && !/\bprint/.test(condition) && !rest.join("{").includes(">");
}
