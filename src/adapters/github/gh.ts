import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { parseIssue } from "../../core/specs/issue.ts";
import type { Command, CommandResult } from "../../ports/command.ts";
import type { Forge } from "../../ports/forge.ts";
import { explainGh } from "./explain-gh.ts";

const TIMEOUT_MS = 30_000;
const FIELDS = "number,title,body,author,url,state";

/** GitHub by its own program, `gh`, with whatever login and host its user has given it. */
export function createGh(command: Command, root: string, env: NodeJS.ProcessEnv): Forge {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Nothing but data on its output, and nobody is asked anything.
  const quiet = {
    GH_PROMPT_DISABLED: "1",
    GH_NO_UPDATE_NOTIFIER: "1",
    NO_COLOR: "1",
    CLICOLOR_FORCE: "0",
    GH_PAGER: "cat",
  };
  const run = (...args: string[]): Promise<CommandResult> =>
    command.run({
      argv: ["gh", ...args],
      cwd: root,
      env: { ...Object.fromEntries(given), ...quiet },
      timeoutMs: TIMEOUT_MS,
    });
  return {
    async issue(number) {
      const result = await run("issue", "view", String(number), "--json", FIELDS);
      if (result.code !== 0) throw new Failed(explainGh(result, number));
      const issue = parseIssue(Buffer.from(result.stdout).toString("utf8"));
      if (issue === null || issue.number !== number) throw new Failed(unreadable(number));
      // gh answers for pull requests as well: they share their numbers with issues.
      if (/\/pull\/\d+$/.test(issue.url)) throw new Failed({ kind: "issue.unknown", number, is: "pull request" });
      return issue;
    },
  };
}

const unreadable = (number: number): Failure => ({
  kind: "forge.failed",
  detail: `gh said something about issue #${number} that cannot be read`,
});
