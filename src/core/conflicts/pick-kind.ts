import type { ConflictKind } from "./prediction.ts";

/** One version of a path that git could not bring together: 1 is the base's, 2 ours, 3 theirs. */
export interface Stage {
  readonly stage: number;
  readonly mode: string;
  readonly blob: string;
}

/** Git's own short names of what happened, which it promises to keep; the first that fits is the one to tell. */
const BY_NAME: readonly (readonly [RegExp, ConflictKind])[] = [
  [/submodule/, "submodule"],
  [/file\/directory/, "directory/file"],
  [/distinct (modes|types)/, "type"],
  [/rename\/rename/, "rename/rename"],
  [/rename\/delete/, "rename/delete"],
  [/rename involved in collision/, "rename/add"],
  [/directory rename/, "directory rename"],
  [/modify\/delete/, "modify/delete"],
  [/binary/, "binary"],
];

const SUBMODULE = "160000";

/** What kind of conflict a path is in, of what git calls it and of the versions it left. */
export function pickKind(names: readonly string[], stages: readonly Stage[]): ConflictKind {
  const named = BY_NAME.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  if (named !== undefined) return named;
  const [base, ours, theirs] = [1, 2, 3].map((number) => stages.find(({ stage }) => stage === number));
  if (stages.some(({ mode }) => mode === SUBMODULE)) return "submodule";
  if (ours === undefined || theirs === undefined) return "modify/delete";
  if (ours.blob === theirs.blob && ours.mode !== theirs.mode) return "mode";
  return base === undefined ? "add/add" : "content";
}
