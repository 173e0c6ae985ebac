import { approve, ask, deny, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { readOptions } from "./read-options.ts";
import { judgeSedScript } from "./sed-script.ts";

/** sed, whose scripts can write files and run commands. */
export function judgeSed(words: readonly Argument[], scope: Scope): Judgement {
  const read = readOptions(words, {
    rule: "text.sed",
    options: "-n -E -r -s -u -z -i? --quiet --silent --regexp-extended --in-place? --posix --sandbox -e= --expression=",
    refused: { "-f": ask("text.sed.file", "The script of sed is in a file that is not judged.") },
  });
  if ("decision" in read) return read;
  const given = read.options.filter(({ name }) => name === "-e" || name === "--expression");
  const inPlace = read.options.filter(({ name }) => name === "-i" || name === "--in-place");
  const scripts = given.length > 0 ? given.map(({ value }) => value) : read.operands.slice(0, 1);
  const files = given.length > 0 ? read.operands : read.operands.slice(1);
  if (scripts.length === 0) return ask("text.sed.script", "sed gets no script.");
  return (
    worst([
      inPlace.length > 0
        ? approve("text.sed.in-place", "change", "It edits files of the worktree.")
        : approve("text.sed", "read", "It only prints what it changes."),
      ...inPlace.map(({ value }) =>
        value !== null && value.text !== ""
          ? ask("text.sed.suffix", "It keeps the old file under another name.")
          : null,
      ),
      ...scripts.map((script) =>
        script !== null && isKnown(script)
          ? judgeSedScript(script.text)
          : ask("word.unknown", "The script of sed is not known."),
      ),
      ...files.map((file) => judgeArgument(file, "read", scope)),
      ...(inPlace.length > 0 ? files.map((file) => judgeArgument(file, "write", scope)) : []),
    ]) ?? deny("text.sed", "It is not known.")
  );
}
