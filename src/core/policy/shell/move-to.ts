import { below } from "../../text/paths.ts";
import { ask, type Judgement } from "../decision.ts";
import { normalize } from "../paths/normalize.ts";
import type { Scope } from "./scope.ts";

/** Moves the shell into a folder of the worktree; says what is wrong with any other. */
export function moveTo(folder: string, scope: Scope): Judgement | null {
  const { context } = scope;
  const targets = (scope.folders ?? []).map((from) => normalize(folder, from));
  if (scope.folders === null)
    return ask("path.folder-unknown", "It is not known in which folder this command would run.");
  scope.folders = [...new Set(targets)];
  const roots = [context.worktree, ...(context.temp === null ? [] : [context.temp])];
  const inside = (path: string) => roots.some((root) => below(path, root));
  const places = targets.flatMap((target) => [target, context.facts.resolve(target)]);
  if (places.every(inside)) return null;
  return ask("shell.cd.outside", "It goes to a folder outside the worktree, and what follows would run there.");
}
