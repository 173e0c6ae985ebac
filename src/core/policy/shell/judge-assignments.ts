import type { Assignment } from "unbash";
import { ask, deny, type Judgement, pass, worst } from "../decision.ts";
import { isKnown } from "./argument.ts";
import { readWord } from "./read-word.ts";
import type { Scope } from "./scope.ts";

/** Read by programs for looks and for how thorough they are; none of them runs or loads anything. */
const HARMLESS =
  /^(CI|NODE_ENV|RUST_BACKTRACE|RUST_LOG|RUST_TEST_THREADS|CARGO_TERM_COLOR|FORCE_COLOR|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|TZ|LANG|LC_ALL|LC_CTYPE|COLUMNS|LINES|TERM|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|CGO_ENABLED|GOARCH|GOOS|DEBUG|VERBOSE|SEED|HUSKY|DOTNET_CLI_TELEMETRY_OPTOUT|NEXT_TELEMETRY_DISABLED|VITEST_MAX_THREADS|TEST_TIMEOUT)$/;
/** Names that change what later commands mean, or what they load. */
const CHANGES_MEANING =
  /^(PATH|IFS|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|HOME|SHELL|EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE|MANPAGER|(LD|DYLD|GIT|NPM|BANKSMAN|NODE|JAVA|JDK|MAVEN|GRADLE|CARGO|RUST|DOTNET|SSH|npm)_\w*|(PYTHON|PERL|RUBY|RUSTC|RUSTFLAGS|RUSTDOC)\w*|GO(FLAGS|PATH|ROOT|BIN|ENV|PROXY|CACHE|MODCACHE|TOOLCHAIN|EXPERIMENT|WORK)|.*_(OPTIONS|OPTS|FLAGS|WRAPPER|PRELOAD)|.*(PROXY|proxy))$/;

export const isHarmlessName = (name: string): boolean => HARMLESS.test(name) && name !== "HUSKY";

/** Assignments before a command, or instead of one. Husky's own switch turns hooks off, as `--no-verify` does. */
export function judgeAssignments(assignments: readonly Assignment[], scope: Scope, alone: boolean): Judgement | null {
  return worst(assignments.map((each) => judgeAssignment(each, scope, alone)));
}

function judgeAssignment(node: Assignment, scope: Scope, alone: boolean): Judgement | null {
  const { name, value, index, append } = node;
  if (CHANGES_MEANING.test(name) && !HARMLESS.test(name))
    return deny("shell.assign.meaning", `It changes ${name}, which decides what later commands run or load.`);
  if (name === "HUSKY") return ask("git.commit.no-verify", "It switches the hooks of the project off.");
  if (index !== undefined || value.type !== "Word")
    return ask("shell.assign.array", "It assigns an array, whose index can run commands.");
  if (HARMLESS.test(name)) return pass("shell.assign", "It sets a variable that runs nothing.");
  if (!alone || !/^[a-z][a-z0-9_]*$|^[A-Z]$|^(FILE|FILES|DIR|OUT|NAME|MSG|BASE|BRANCH|ROOT|TARGET|PATTERN)$/.test(name))
    return ask("shell.assign", `It sets ${name}, and it is not known which programs read that.`);
  const words = readWord(value, scope);
  const [word] = words;
  if (append !== true && word !== undefined && words.length === 1 && isKnown(word)) scope.assign(name, word);
  return pass("shell.assign", "It sets a variable that runs nothing.");
}
