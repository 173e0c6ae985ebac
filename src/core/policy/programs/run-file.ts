import { approve, ask, askUnlessSandboxed, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { normalize } from "../paths/normalize.ts";
import { type Argument, isKnown, literal } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { judgePassed } from "./judge-passed.ts";

/** A file of the worktree that is run: as it is at the base commit it is the project's, otherwise the agent's. */
export function runFile(file: Argument, words: readonly Argument[], scope: Scope): Judgement {
  if (!isKnown(file)) return ask("path.unknown", "It is not known which file it would run.");
  const { facts } = scope.context;
  const paths = (scope.folders ?? []).map((folder) => normalize(file.text, folder));
  const judged = judgeArgument(file, "read", scope);
  const isProjects = paths.length > 0 && paths.every((path) => facts.isUnchanged(path));
  return (
    worst([
      isProjects
        ? approve("script.unchanged", "test", "It runs a script of the project that the agent has not changed.")
        : askUnlessSandboxed(
            "script.changed",
            "It runs a file that is not the project's, or that the agent has changed.",
          ),
      judged,
      ...words.map((each) => judgePassed(each, scope)),
    ]) ?? ask("script.changed", "It runs a file.")
  );
}

/** `./x`: a program that is named by its path. */
export const judgeFile = (path: string, words: readonly Argument[], scope: Scope): Judgement =>
  runFile(literal(path), words, scope);
