import { Failed, oneOrSeveral } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import { type Issue, issueBranch, parseIssueNumbers, writeIssueTask } from "../../core/specs/issue.ts";
import type { Forge } from "../../ports/forge.ts";

export interface IssueWork {
  readonly branches: readonly string[];
  readonly briefs: Readonly<Record<string, string>>;
}

/** The open issues that were named, as branches with their tasks. If one of them is wrong, that is said, and none is. */
export async function chooseIssues(
  forge: Forge,
  option: string | boolean,
  { issuePrefix }: Pick<SessionSettings, "issuePrefix">,
): Promise<IssueWork> {
  const numbers = parseIssueNumbers(String(option));
  if ("kind" in numbers) throw new Failed(numbers);
  const found = await Promise.all(numbers.map((number) => readOpen(forge, number)));
  const wrong = found.filter((each): each is Failure => "kind" in each);
  if (wrong.length > 0) throw new Failed(oneOrSeveral(different(wrong)));
  const issues = found.filter((each): each is Issue => !("kind" in each));
  const branch = ({ number }: Issue) => issueBranch(issuePrefix, number);
  return {
    branches: issues.map(branch),
    briefs: Object.fromEntries(issues.map((issue) => [branch(issue), writeIssueTask(issue)])),
  };
}

async function readOpen(forge: Forge, number: number): Promise<Issue | Failure> {
  try {
    const issue = await forge.issue(number);
    return issue.open ? issue : { kind: "issue.closed", number, title: issue.title };
  } catch (error) {
    if (error instanceof Failed) return error.failure;
    throw error;
  }
}

/** Not logged in is said once, however many issues were asked for. */
const different = (failures: readonly Failure[]): Failure[] => [
  ...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values(),
];
