import type { Failure } from "../failure/failure.ts";
import { inGitFolder } from "../text/paths.ts";
import { isSecretName } from "../text/secret-names.ts";

/**
 * A path somebody asks to read below a repository's root, in its one spelling; empty is the root itself. What would lead
 * out of it, into git's own folder, or to a file that holds secrets by its name is refused. Where links lead is not
 * known here: the real path has to be asked about again.
 */
export function askedPath(asked: string): { readonly path: string } | Failure {
  const refuse = (why: string): Failure => ({ kind: "path.refused", path: asked, why });
  if (asked.includes("\0")) return refuse("it holds a NUL");
  if (asked.startsWith("/") || /^[a-z]:[\\/]/i.test(asked) || asked.startsWith("~"))
    return refuse("it must be relative to the repository");
  const parts = asked.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return refuse("it leads out of the repository");
  if (inGitFolder(asked)) return refuse("that is git's own");
  if (parts.some(isSecretName)) return refuse("by its name it holds secrets");
  return { path: parts.join("/") };
}
