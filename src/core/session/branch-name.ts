import { utf8 } from "../text/hash.ts";

/** Longer names are legal, but slug + `.git/worktrees/<name>` + ref lock files must fit into 255 bytes of a file name. */
const LONGEST_NAME = 240;

/**
 * Why git would refuse `name` as a branch, or null when it would take it.
 * The rules of `git check-ref-format --branch`, so that bad input is refused before anything is made; the contract
 * suite of the Git port holds this function next to git itself. Git takes two more things that we do not: characters that
 * make a name look like another one where it is shown, and `refs/heads/main`, which from then on means two branches.
 */
export function branchProblem(name: string): string | null {
  if (name === "") return "it is empty";
  if (name.startsWith("-")) return "it starts with `-`";
  if (name === "@") return "`@` alone stands for HEAD";
  if (name === "HEAD") return "`HEAD` is not a branch";
  if (name.startsWith("refs/")) return "it starts with `refs/`, as the full names of other branches do";
  if (utf8(name).length > LONGEST_NAME) return `it is longer than ${LONGEST_NAME} bytes`;
  if (name.startsWith("/") || name.endsWith("/") || name.includes("//")) return "it has an empty part between slashes";
  if (name.endsWith(".")) return "it ends with a dot";
  if (name.includes("..")) return "it contains `..`";
  if (name.includes("@{")) return "it contains `@{`";
  const bad = [...name].find((char) => FORBIDDEN.has(char) || isControl(char));
  if (bad !== undefined) return isControl(bad) ? "it contains a control character" : `it contains \`${bad}\``;
  if (MISLEADING.test(name)) return "it contains a character that changes how the text around it is shown";
  const part = name.split("/").find((each) => each.startsWith(".") || each.endsWith(".lock"));
  if (part?.startsWith(".")) return "a part of it starts with a dot";
  if (part !== undefined) return "a part of it ends with `.lock`";
  return null;
}

const FORBIDDEN = new Set([" ", "~", "^", ":", "?", "*", "[", "\\"]);

/** Controls of the writing direction, and line ends that git does not know. */
const MISLEADING = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const isControl = (char: string) => char < " " || char === "\x7f";
