import type { CommandExpansionPart } from "unbash";
import { type Argument, literal } from "./argument.ts";
import type { Scope } from "./scope.ts";

/**
 * What a few commands print is known, or known to be no option and no path: the branch, the top of the worktree, a
 * commit. Their substitution stands for that. Whether they may run is judged as everything else.
 */
export function standIn({ text }: CommandExpansionPart, { context, folders }: Scope): Argument | null {
  const command = /^\$\((.*)\)$/s.exec(text)?.[1]?.trim() ?? "";
  if (command === "git branch --show-current" || command === "git rev-parse --abbrev-ref HEAD")
    return literal(context.branch);
  if (command === "git rev-parse --show-toplevel") return literal(context.worktree);
  if (command === "pwd" && folders?.length === 1) return literal(folders[0] ?? "");
  if (/^git (merge-base|rev-parse)( --short)?( [A-Za-z0-9][\w./~^-]*){1,2}$/.test(command)) return literal("0000000");
  return null;
}
