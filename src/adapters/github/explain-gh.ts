import type { Failure } from "../../core/failure/failure.ts";
import type { CommandResult } from "../../ports/command.ts";

/** gh ends with this code where it would need a login. */
const NEEDS_LOGIN = 4;

/** What a failure of `gh issue view` means, by its exit code and its own words (as of gh 2). */
export function explainGh({ code, timedOut, stderr }: CommandResult, number: number): Failure {
  if (timedOut) return { kind: "forge.failed", detail: "GitHub did not answer in time" };
  if (code === null && /ENOENT/.test(stderr)) return { kind: "forge.missing", program: "gh" };
  if (/Could not resolve to an issue/i.test(stderr)) return { kind: "issue.unknown", number, is: null };
  if (/no git remotes found|none of the git remotes|not a git repository|No default remote repository/i.test(stderr))
    return { kind: "forge.no-repository" };
  if (/Could not resolve to a Repository/i.test(stderr)) return { kind: "forge.no-repository" };
  if (code === NEEDS_LOGIN || /gh auth login|GH_TOKEN|Bad credentials|HTTP 401/i.test(stderr))
    return { kind: "forge.login" };
  return { kind: "forge.failed", detail: stderr.trim() || `gh ended with exit code ${code}` };
}
