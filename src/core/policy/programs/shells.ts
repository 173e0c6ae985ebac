import { ask, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { Programs } from "./entry.ts";
import { runFile } from "./run-file.ts";

const unseen = ask("shell.inner", "It runs a script that stands in a word or comes from elsewhere, and is not judged.");

/** `bash f.sh` runs a file; everything else of a shell runs what nobody has seen. */
function judgeShell(words: readonly Argument[], scope: Scope): Judgement {
  const [first, second] = words;
  if (first === undefined || !isKnown(first)) return unseen;
  if (first.text === "-n" && words.length === 2 && second !== undefined)
    return (
      worst([
        {
          decision: "approve",
          rule: "shell.check",
          does: "read",
          why: "It only looks whether a script can be parsed.",
        },
        judgeArgument(second, "read", scope),
      ]) ?? unseen
    );
  if (/^-[eux]+$/.test(first.text) && second !== undefined) return judgeShell(words.slice(1), scope);
  return first.text.startsWith("-") ? unseen : runFile(first, words.slice(1), scope);
}

export const SHELLS: Programs = {
  ...Object.fromEntries(["bash", "sh", "dash"].map((name) => [name, { judge: judgeShell }])),
  zsh: unseen,
  fish: unseen,
  ksh: unseen,
  perl: ask("script.perl", "`perl` runs a program that is not judged."),
  ruby: ask("script.ruby", "`ruby` runs a program that is not judged."),
  php: ask("script.php", "`php` runs a program that is not judged."),
};
