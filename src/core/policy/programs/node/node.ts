import { approve, ask, askUnlessSandboxed, deny, type Judgement, worst } from "../../decision.ts";
import { judgeArgument } from "../../paths/judge-argument.ts";
import { type Argument, isKnown } from "../../shell/argument.ts";
import type { Scope } from "../../shell/scope.ts";
import type { Programs } from "../entry.ts";
import { judgePassed } from "../judge-passed.ts";
import { runFile } from "../run-file.ts";
import { judgeNpx } from "./judge-npx.ts";
import { packageManager } from "./package-manager.ts";
import { TOOLS } from "./tools.ts";

const inWord = askUnlessSandboxed("script.word", "It runs a program that stands in a word, and is not judged.");
const FLAGS =
  /^--(test|test-only|watch|experimental-strip-types|no-warnings|enable-source-maps|trace-warnings|test-reporter=[a-z]+|test-name-pattern=.*|test-(concurrency|timeout)=\d+|experimental-test-coverage|max-old-space-size=\d+|expose-gc)$/;

/** node itself: a file of the project, its own test runner, or a program in a word. */
function judgeNode(words: readonly Argument[], scope: Scope): Judgement {
  const texts = words.map((each) => (isKnown(each) ? each.text : "?"));
  if (/^(-v|--version|--help)$/.test(texts[0] ?? "") && texts.length === 1)
    return approve("node.version", "read", "It prints its version or its help.");
  if (/^(-c|--check)$/.test(texts[0] ?? "") && words.length === 2)
    return (
      worst([
        approve("node.check", "read", "It only looks whether a file can be parsed."),
        ...words.slice(1).map((each) => judgeArgument(each, "read", scope)),
      ]) ?? inWord
    );
  const flags = texts.findIndex((text) => !FLAGS.test(text));
  const rest = flags < 0 ? [] : words.slice(flags);
  if (texts.some((text) => /^(-e|-p|-pe|--eval|--print|-i|-)$/.test(text)) || texts.length === 0) return inWord;
  if (rest[0]?.text.startsWith("-")) return ask("node.option", "The option of node is not one that banksman knows.");
  if (texts.slice(0, flags < 0 ? undefined : flags).includes("--test"))
    return (
      worst([
        approve("node.test", "test", "It runs tests of the project."),
        ...rest.map((each) => judgePassed(each, scope)),
      ]) ?? inWord
    );
  const [file, ...passed] = rest;
  return file === undefined ? inWord : runFile(file, passed, scope);
}

/** Tools that stand in the lock file can also be called by their path. */
const inBin = Object.fromEntries(
  Object.keys(TOOLS).flatMap((name) =>
    [`node_modules/.bin/${name}`, `./node_modules/.bin/${name}`].map((path) => [
      path,
      {
        judge: (words: readonly Argument[], scope: Scope) =>
          judgeNpx([{ text: name, pattern: false, splits: false }, ...words], scope),
        stack: "node" as const,
      },
    ]),
  ),
);

export const NODE: Programs = {
  node: { judge: judgeNode, stack: "node" },
  npx: { judge: judgeNpx, stack: "node" },
  bunx: { judge: judgeNpx, stack: "node" },
  npm: packageManager("npm"),
  pnpm: packageManager("pnpm"),
  yarn: packageManager("yarn"),
  bun: packageManager("bun"),
  ...inBin,
  corepack: ask("node.corepack", "It fetches and runs another package manager."),
  deno: ask("node.deno", "It is not known what it would run."),
  tsx: { judge: runsFile, stack: "node" },
  "ts-node": { judge: runsFile, stack: "node" },
  lerna: ask("node.lerna", "It can publish packages."),
  vercel: deny("network.publish", "It publishes something."),
  wrangler: ask("network.publish", "It can publish something."),
};

function runsFile([file, ...words]: readonly Argument[], scope: Scope): Judgement {
  return file === undefined || file.text.startsWith("-") ? inWord : runFile(file, words, scope);
}
