import { below } from "../../text/paths.ts";
import { approve, askUnlessSandboxed, deny, type Judgement, worst } from "../decision.ts";
import { judgeArgument } from "../paths/judge-argument.ts";
import { normalize } from "../paths/normalize.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { readOptions } from "./read-options.ts";

/** `rm`: what is committed comes back by git; everything else is a person's to say, but for our temporary folder. */
export function judgeRemoval(words: readonly Argument[], scope: Scope): Judgement {
  const read = readOptions(words, {
    rule: "files.rm",
    options: "-f -r -R -v -i -d --force --recursive --verbose",
    refused: { "--no-preserve-root": deny("files.rm.root", "It would remove everything.") },
  });
  if ("decision" in read) return read;
  return (
    worst([
      approve("files.rm.committed", "change", "Git has what it removes, or it is in the agent's own temporary folder."),
      ...read.operands.map((each) => judgeTarget(each, scope)),
    ]) ?? askUnlessSandboxed("files.rm", "It removes files.")
  );
}

function judgeTarget(target: Argument, scope: Scope): Judgement | null {
  const { worktree, temp, facts } = scope.context;
  const judged = judgeArgument(target, "write", scope);
  if (judged !== null && !(judged.decision === "ask" && isKnown(target))) return judged;
  if (!isKnown(target)) return askUnlessSandboxed("files.rm.pattern", "It removes whatever a pattern matches.");
  const paths = (scope.folders ?? []).map((folder) => normalize(target.text, folder));
  if (paths.some((path) => below(worktree, path)))
    return deny("files.rm.worktree", "It would remove the worktree itself.");
  if (judged !== null) return judged;
  const fine = (path: string) =>
    facts.isCommitted(path) ||
    (temp !== null && path !== temp && below(path, temp) && below(facts.resolve(path), temp));
  return paths.every(fine)
    ? null
    : askUnlessSandboxed("files.rm", "It removes something that git does not have, and that would be lost.");
}
