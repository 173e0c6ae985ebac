import { below, inGitFolder } from "../../text/paths.ts";
import { isSecretName } from "../../text/secret-names.ts";
import { ask, deny, type Judgement } from "../decision.ts";

/** Folders and files of a worktree that say what a coding CLI or banksman may do; also where they are not there yet. */
const SETTINGS =
  /^(\.banksman|\.claude|\.codex|\.gemini|\.opencode|\.pi|\.qwen|\.copilot|\.cursor|\.aider[^/]*|\.continue|\.windsurf|\.git-paw)$/i;
const SETTINGS_FILES = /^(\.mcp\.json|opencode\.jsonc?|\.claude\.json|\.github\/copilot[^/]*)$/i;
/** What runs by itself at somebody's place: on a push, a checkout, an install, or when an editor opens the folder. */
const RUNS_ELSEWHERE: readonly RegExp[] = [
  /(^|\/)\.(npmrc|yarnrc|yarnrc\.yml|pnpmfile\.c?js|envrc|gitattributes|gitmodules|gitconfig|lfsconfig|pre-commit-config\.ya?ml)$/,
  /(^|\/)\.(husky|vscode|idea|devcontainer|githooks|cargo)(\/|$)/,
  /^\.github\/(workflows|actions)(\/|$)|^\.github\/dependabot\.ya?ml$/,
  /^(\.gitlab-ci\.ya?ml|\.travis\.ya?ml|azure-pipelines\.ya?ml|Jenkinsfile|\.drone\.ya?ml|bitbucket-pipelines\.ya?ml|appveyor\.ya?ml)$/,
  /^\.(circleci|buildkite|woodpecker)(\/|$)/,
];

/** What may not be written in the worktree itself; `inside` is the path from its top. */
export function judgeInside(inside: string): Judgement | null {
  if (inGitFolder(inside)) return deny("path.git", "It writes into git's own folder, which decides what git runs.");
  const [first = ""] = inside.split("/");
  if (SETTINGS.test(first) || SETTINGS_FILES.test(inside) || inside.split("/").some((part) => SETTINGS.test(part)))
    return deny("path.settings", `It writes ${JSON.stringify(inside)}, which says what an agent may do.`);
  if (RUNS_ELSEWHERE.some((pattern) => pattern.test(inside)))
    return ask("path.runs-elsewhere", `It writes ${JSON.stringify(inside)}, which can run programs by itself later.`);
  if (isSecretName(inside))
    return ask("path.secret.write", `It writes ${JSON.stringify(inside)}, which by its name holds secrets.`);
  return null;
}

/** Whether a path is one of those that are protected here, or lies in one. */
export const isProtected = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => below(path, folder));
