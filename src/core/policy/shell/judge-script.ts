import type { AndOr, CommandNode, CompoundList, For, ParsedScript, Pipeline, PipelineNode, Statement } from "unbash";
import { ask, askUnlessSandboxed, type Judgement, pass, worst } from "../decision.ts";
import { settle } from "../settle.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeParts } from "./judge-parts.ts";
import { judgePipe } from "./judge-pipe.ts";
import { judgeRedirections } from "./judge-redirections.ts";
import { judgeTest } from "./judge-test.ts";
import { readWord } from "./read-word.ts";
import type { Scope } from "./scope.ts";

/** Every command in a script, in the order in which the shell would come to it. */
export function judgeScript(script: ParsedScript, scope: Scope): Judgement | null {
  if ((script.errors?.length ?? 0) > 0)
    return ask("shell.syntax", "It cannot be parsed, so nobody can say what it would run.");
  if (script.shebang !== undefined) return ask("shell.shebang", "It begins like a script for another program.");
  return judgeStatements(script.commands, scope);
}

const judgeStatements = (statements: readonly Statement[], scope: Scope): Judgement | null =>
  worst(statements.map((each) => judgeStatement(each, scope)));

const judgeList = (list: CompoundList, scope: Scope): Judgement | null => judgeStatements(list.commands, scope);

/** Whether a `cd` in it succeeds is not known: what follows may run in the old folder or in the new one. */
function judgeStatement({ command, background }: Statement, scope: Scope): Judgement | null {
  const before = scope.folders;
  if (background) {
    const judged = judgeAny(command, scope.fork());
    const why = "It leaves a program running in the background, which nobody ends.";
    return worst([judged, settle(askUnlessSandboxed("shell.background", why), scope.context)]);
  }
  const judged = judgeAny(command, scope);
  scope.folders = union(before, scope.folders);
  return judged;
}

const judgeAny = (node: PipelineNode | AndOr, scope: Scope): Judgement | null =>
  node.type === "AndOr" ? judgeChain(node, scope) : judgePipeline(node, scope);

function judgeChain({ commands, operators }: AndOr, scope: Scope): Judgement | null {
  let seen = scope.folders;
  const judged = commands.map((command, i) => {
    if (operators[i - 1] === "||") scope.folders = seen;
    const found = i === 0 ? judgePipeline(command, scope) : scope.perhaps(() => judgePipeline(command, scope));
    seen = union(seen, scope.folders);
    return found;
  });
  scope.folders = seen;
  return worst(judged);
}

const MOST_FOLDERS = 8;
function union(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > MOST_FOLDERS ? null : all;
}

function judgePipeline(node: PipelineNode, scope: Scope): Judgement | null {
  if (node.type !== "Pipeline") return judgeNode(node, scope);
  if (node.commands.length === 1) return worst(node.commands.map((each) => judgeNode(each, scope)));
  return worst([...node.commands.map((each) => judgeNode(each, scope.fork())), judgePipe(node as Pipeline)]);
}

function judgeNode(node: CommandNode, scope: Scope): Judgement | null {
  switch (node.type) {
    case "Command":
      scope.spend();
      return judgeCommand(node, scope, judgeScript);
    case "Redirected":
      return worst([judgeNode(node.command, scope), judgeRedirections(node.redirects, scope, judgeScript)]);
    case "Subshell":
      return judgeList(node.body, scope.fork());
    case "BraceGroup":
      return judgeList(node.body, scope);
    case "If": {
      const branches = [node.clause, node.then, ...node.elif.flatMap((each) => [each.clause, each.then])];
      return inAnyOrder(node.else === undefined ? branches : [...branches, node.else], scope);
    }
    case "While":
      return inAnyOrder([node.clause, node.body], scope, true);
    case "For":
      return judgeFor(node, scope);
    case "Case":
      return worst([
        judgeParts(node.word, scope, judgeScript),
        ...node.items.flatMap(({ pattern }) => pattern.map((each) => judgeParts(each, scope, judgeScript))),
        inAnyOrder(
          node.items.map(({ body }) => body),
          scope,
        ),
      ]);
    case "TestCommand":
      return judgeTest(node, scope, judgeScript);
    case "Function": {
      const judged = node.body.type === "CompoundList" ? null : judgeNode(node.body, scope.fork());
      return worst([judged, ask("shell.function", "It gives a new meaning to the name of a command.")]);
    }
    default:
      return ask("shell.construct", `It uses a construct of the shell that is not judged: ${node.type}.`);
  }
}

/** Parts of which some run and some do not. In a loop, a part that moves the shell would move the others too. */
function inAnyOrder(lists: readonly CompoundList[], scope: Scope, repeats = false): Judgement | null {
  const before = scope.folders;
  const judged = scope.perhaps(() => lists.map((list) => judgeList(list, scope)));
  const moved = JSON.stringify(scope.folders) !== JSON.stringify(before);
  return worst([...judged, repeats && moved ? ask("shell.cd.loop", "A loop changes the folder it runs in.") : null]);
}

/** The body for each value of the list. */
function judgeFor({ name, wordlist, body }: For, scope: Scope): Judgement | null {
  if (wordlist === undefined) return ask("shell.for", "It loops over values that are not known.");
  const variable = name.value;
  if (!/^[a-z][a-z0-9_]*$|^[A-Z]$/.test(variable) || PROXIES.test(variable))
    return ask("shell.assign", `It changes the variable ${variable}, which other programs may read.`);
  const values = wordlist.flatMap((word) => readWord(word, scope));
  const words = wordlist.map((word) => judgeParts(word, scope, judgeScript));
  const judged = (values.length === 0 ? [null] : values).map((value) => {
    if (value !== null && !value.splits) scope.bind(variable, value);
    const found = inAnyOrder([body], scope, true);
    scope.forget(variable);
    return found;
  });
  return worst([pass("shell.for", "A loop over what is known."), ...words, ...judged]);
}

const PROXIES = /proxy$/;
