import { approve, ask, type Judgement, worst } from "../../decision.ts";
import { type Argument, isKnown } from "../../shell/argument.ts";
import type { Scope } from "../../shell/scope.ts";
import { judgePassed } from "../judge-passed.ts";
import { TOOLS } from "./tools.ts";

/** In which package a tool is, where the two have different names. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  tsc: ["typescript"],
  biome: ["@biomejs/biome"],
  playwright: ["@playwright/test", "playwright"],
  attw: ["@arethetypeswrong/cli"],
  swc: ["@swc/cli"],
  babel: ["@babel/cli"],
  markdownlint: ["markdownlint-cli"],
};

/** `npx <tool>`: runs what the lock file names, and never fetches anything. */
export function judgeNpx(words: readonly Argument[], scope: Scope): Judgement {
  const [first, ...rest] = words[0]?.text === "--no-install" || words[0]?.text === "--no" ? words.slice(1) : words;
  if (first === undefined || !isKnown(first) || first.text.startsWith("-"))
    return ask("npx.option", "It could fetch a package and run it.");
  const tool = first.text;
  if (!Object.hasOwn(TOOLS, tool)) return ask("npx.tool", `\`${tool}\` is not a tool that banksman knows.`);
  const { folders, context } = scope;
  const names = PACKAGES[tool] ?? [tool];
  if (
    !(folders ?? []).every((folder) => names.some((name) => context.facts.isLocked(folder, name))) ||
    folders === null
  )
    return ask("npx.not-locked", `The lock file does not name \`${tool}\`, so it could be fetched.`);
  const may = TOOLS[tool] ?? null;
  const word = rest[0];
  if (may !== null && (word === undefined ? tool !== "vitest" : !isKnown(word) || !may.test(word.text)))
    return ask("npx.command", `It is not known what this command of \`${tool}\` does.`);
  return (
    worst([
      approve("npx.locked", "test", "It runs a tool of the project that the lock file names."),
      ...rest.map((each) => judgePassed(each, scope)),
    ]) ?? ask("npx.tool", "It is not known.")
  );
}
