import { ask, type Judgement, worst } from "../decision.ts";
import { type Argument, HOLE, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import { judgePath, type Use } from "./judge-path.ts";
import { couldMatch } from "./matches-glob.ts";
import { SECRET_NAMES } from "./secrets.ts";

/** A word of a command that names a file or folder, from wherever the shell may stand. */
export function judgeArgument(argument: Argument, use: Use, scope: Scope): Judgement | null {
  if (argument.text.includes(HOLE)) return ask("path.unknown", "It names a file by a value that is not known yet.");
  if (!argument.text.startsWith("/") && scope.folders === null)
    return ask("path.folder-unknown", "It is not known in which folder this command would run.");
  const folders = argument.text.startsWith("/") ? ["/"] : (scope.folders ?? []);
  const paths = folders.map((folder) => (argument.text.startsWith("/") ? argument.text : `${folder}/${argument.text}`));
  if (isKnown(argument)) return worst(paths.map((path) => judgePath(path, use, scope.context)));
  return worst([
    judgePattern(argument.text, use),
    ...paths.map((path) => judgePath(fixedPart(path), use, scope.context)),
  ]);
}

/** The folders before the first part with a pattern in it. */
function fixedPart(path: string): string {
  const parts = path.split("/");
  const at = parts.findIndex((part) => /[*?[]/.test(part));
  return parts.slice(0, at).join("/") || "/";
}

/** What a pattern could name in the place where it looks. */
function judgePattern(pattern: string, use: Use): Judgement | null {
  const parts = pattern.split("/");
  const from = parts.findIndex((part) => /[*?[]/.test(part));
  if (parts.slice(from).some((part) => part === "..")) return ask("path.pattern", "A pattern is followed by `..`.");
  if (use === "write" && parts.slice(from).some((part) => PROTECTED_NAMES.some((name) => couldMatch(part, name))))
    return ask("path.pattern", "The pattern could name a file that decides what an agent or git may do.");
  if (use === "write" && SENSITIVE_PARTS.some((name) => parts.includes(name)))
    return ask("path.pattern", "The pattern could name a file that runs by itself later.");
  const last = parts.at(-1) ?? "";
  if (use !== "list" && SECRET_NAMES.some((name) => couldMatch(last, name)))
    return ask("path.pattern.secret", "The pattern could name a file with secrets.");
  return null;
}

const PROTECTED_NAMES = [".git", ".banksman", ".claude", ".codex", ".gemini", ".opencode", ".pi", ".npmrc", ".github"];
const SENSITIVE_PARTS = [".github", ".husky", ".vscode"];
