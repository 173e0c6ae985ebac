import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import type { Entry, Programs } from "./entry.ts";

const fetches = askUnlessSandboxed("dotnet.install", "It fetches packages.");
const property: Judgement = ask("dotnet.property", "A property can change what the build runs.");

const builds = (name: string, options = ""): Entry => ({
  rule: `dotnet.${name}`,
  does: "test",
  why: "It builds, tests or formats the project.",
  options: `-c= -f= -v= -q --configuration= --framework= --no-build --no-restore --nologo --verbosity= ${options}`,
  refused: { "-p": property, "--property": property },
  operands: ["passed"],
  check: ({ operands }) => (operands.some(({ text }) => /^\/?[a-z]+:/i.test(text)) ? property : null),
});
const shows = (options: string): Entry => ({
  rule: "dotnet.show",
  does: "read",
  why: "It only says what is installed.",
  options,
  operands: ["name"],
});

export const DOTNET: Programs = {
  dotnet: {
    stack: "dotnet",
    commands: {
      build: builds("build", "--no-incremental --no-dependencies"),
      test: builds("test", "--filter= --logger= --collect= -l= --blame --list-tests -t --results-directory>"),
      format: builds("format", "--verify-no-changes --include= --exclude= --severity="),
      list: shows("--outdated --include-transitive"),
      "--version": shows(""),
      run: askUnlessSandboxed("dotnet.run", "It runs the program that the agent works on."),
      restore: fetches,
      add: fetches,
      remove: fetches,
      tool: fetches,
      nuget: deny("network.publish", "It publishes or removes packages."),
      publish: ask("dotnet.publish", "It makes what is to be published."),
    },
    options: "--version --info --list-sdks --list-runtimes",
    alone: shows("--version --info --list-sdks --list-runtimes"),
    other: ask("dotnet.other", "It is a command of dotnet that banksman does not know to be routine."),
  },
};
