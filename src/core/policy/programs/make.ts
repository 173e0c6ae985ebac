import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import { normalize } from "../paths/normalize.ts";
import type { Scope } from "../shell/scope.ts";
import type { Entry, Programs } from "./entry.ts";
import type { ReadOptions } from "./read-options.ts";

const TARGETS =
  /^(all|test|tests|check|build|lint|fmt|format|typecheck|types|unit|unit-test|test-unit|compile|docs?|help|coverage|verify|vet)$/;

/** Whether one of these files is there as the project has it, wherever the shell may stand. */
export const isProjects = (names: readonly string[], { folders, context }: Scope): boolean =>
  folders?.every((folder) => names.some((name) => context.facts.isUnchanged(normalize(name, folder)))) ?? false;

const targets =
  (program: string, files: readonly string[]) =>
  ({ options, operands }: ReadOptions, scope: Scope): Judgement | null => {
    if (options.some(({ name, value }) => name === "-j" && !/^\d*$/.test(value?.text ?? "")))
      return ask(`${program}.option`, "The number behind -j is not one.");
    const other = operands.find(({ text }) => !TARGETS.test(text));
    if (other !== undefined)
      return ask(`${program}.target`, `It is not known what the target ${JSON.stringify(other.text)} does.`);
    return isProjects(files, scope)
      ? null
      : askUnlessSandboxed(`${program}.changed`, "The file with its targets is not as the project has it.");
  };

const make: Entry = {
  rule: "make.run",
  does: "test",
  why: "It runs a target of the project, from a file that the agent has not changed.",
  options: "-j? -s -k -B -n --silent --keep-going --always-make --dry-run --no-print-directory -l=",
  operands: ["text"],
  refused: {
    "--eval": deny("make.eval", "It makes make run a text."),
    "-f": ask("make.file", "It is not known what is in another Makefile."),
    "-C": ask("make.folder", "It is not known what is in another folder's Makefile."),
  },
  check: targets("make", ["Makefile", "makefile", "GNUmakefile"]),
};

const JUSTFILES = ["justfile", "Justfile", ".justfile"];

export const MAKE: Programs = {
  make,
  gmake: make,
  just: {
    rule: "just.run",
    does: "test",
    why: "It runs a recipe of the project, from a file that the agent has not changed.",
    options: "--list -l --summary --quiet -q --verbose -v --dry-run -n --color=",
    operands: ["text"],
    refused: {
      "--shell": deny("just.shell", "It makes just run another shell."),
      "--set": ask("just.set", "It changes variables of the recipes."),
      "-f": ask("just.file", "It is not known what is in another justfile."),
    },
    check: targets("just", JUSTFILES),
  },
  mdbook: {
    commands: {
      build: {
        rule: "mdbook.build",
        does: "test",
        why: "It builds the project's book.",
        options: "-d> --dest-dir>",
        operands: ["list"],
      },
      test: { rule: "mdbook.test", does: "test", why: "It tests the code in the project's book.", operands: ["list"] },
    },
    other: ask("mdbook.other", "It does something else with the book."),
  },
  openspec: {
    commands: Object.fromEntries(
      ["list", "show", "validate"].map((name) => [
        name,
        {
          rule: `openspec.${name}`,
          does: "read",
          why: "It only reads the specs.",
          options: "--json --strict --all --specs --changes --type= --no-interactive --long",
          operands: ["name"],
        } satisfies Entry,
      ]),
    ),
    other: ask("openspec.other", "It changes the specs."),
  },
};
