import { approve, ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import { type Argument, isKnown } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { Entry, Family, Programs } from "./entry.ts";
import { judgeEntry } from "./judge-entry.ts";
import { runFile } from "./run-file.ts";

const fetches = askUnlessSandboxed("python.install", "It fetches packages, and their scripts run.");
const publishes = deny("network.publish", "It publishes a package.");
const inWord = askUnlessSandboxed("script.word", "It runs a program that stands in a word, and is not judged.");

const runs = (name: string, options: string, does: Entry["does"] = "test"): Entry => ({
  rule: `python.${name}`,
  does,
  why: "It tests, checks or formats the project.",
  options,
  operands: ["passed"],
  passes: true,
});

const pytest = runs(
  "pytest",
  "-q -v -vv -x -s -l -k= -m= -n= -r= --maxfail= --lf --ff --nf --sw --tb= --durations= --cov? --cov-report= --cov-branch --cov-fail-under= --no-cov --collect-only --co -h --version --color= --disable-warnings --no-header --no-summary -W= --strict-markers --strict-config --timeout= --randomly-seed= --last-failed --failed-first --exitfirst --verbose --quiet --junitxml> --junit-xml> --ignore= --deselect= --runxfail --showlocals --asyncio-mode= --import-mode=",
);
const ruff: Family = {
  commands: {
    check: runs(
      "ruff",
      "--fix --unsafe-fixes --select= --ignore= --extend-select= --diff --show-fixes --output-format= --statistics --no-fix --watch --exit-zero -q --quiet --preview --line-length= --target-version= --show-files --no-cache",
    ),
    format: runs("ruff", "--check --diff -q --quiet --preview --line-length= --no-cache"),
    rule: runs("ruff", "--all --output-format="),
  },
  options: "--version",
  alone: { rule: "python.ruff", does: "read", why: "It prints its version.", options: "--version" },
  other: ask("python.ruff.other", "It is another command of ruff."),
  stack: "python",
};
const mypy = runs(
  "mypy",
  "-p= -m= --strict --ignore-missing-imports --show-error-codes --pretty --no-error-summary --no-incremental --explicit-package-bases --namespace-packages --follow-imports= --python-version= --version --no-color-output --warn-unused-ignores --check-untyped-defs",
);
const black = runs("black", "--check --diff -q -l= --line-length= -t= --quiet --color --fast --version -S");
const isort = runs("isort", "-c --check --check-only --diff -q --profile= --version");
const flake8 = runs(
  "flake8",
  "--max-line-length= --select= --ignore= --extend-ignore= --exclude= --count --statistics --show-source --version -q",
);
const pyright = runs("pyright", "--outputjson --stats --warnings --version --level= --pythonversion=");
const unittest = runs("unittest", "-v -f -b -q -k= -s= -p= -t=");

const TOOLS: Readonly<Record<string, Entry | Family>> = { pytest, mypy, black, isort, flake8, pyright, unittest, ruff };

/** `python -m <tool>`, a file of the project, or a program in a word. */
function judgePython(words: readonly Argument[], scope: Scope): Judgement {
  const plain = words.findIndex(({ text }) => !/^-[uBIsWqv]$/.test(text));
  const [first, second, ...rest] = plain < 0 ? [] : words.slice(plain);
  if (first === undefined || !isKnown(first)) return inWord;
  if (/^(-V|--version)$/.test(first.text)) return approve("python.version", "read", "It prints its version.");
  if (first.text === "-m" && second !== undefined && isKnown(second)) return judgeModule(second.text, rest, scope);
  if (first.text.startsWith("-")) return inWord;
  return runFile(first, second === undefined ? [] : [second, ...rest], scope);
}

function judgeModule(name: string, words: readonly Argument[], scope: Scope): Judgement {
  if (name === "pip") return judgePip(words, scope);
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined)
    return ask("python.module", `The module ${JSON.stringify(name)} is not one that banksman knows.`);
  return judgeTool(tool, words, scope);
}

function judgeTool(tool: Entry | Family, words: readonly Argument[], scope: Scope): Judgement {
  if (!("commands" in tool)) return judgeEntry(tool, words, scope);
  const [first, ...rest] = words;
  const entry = first !== undefined && Object.hasOwn(tool.commands, first.text) ? tool.commands[first.text] : undefined;
  return entry === undefined || "decision" in entry || "commands" in entry
    ? tool.other
    : judgeEntry(entry, rest, scope);
}

function judgePip(words: readonly Argument[], scope: Scope): Judgement {
  const [first, ...rest] = words;
  if (/^(list|show|freeze|check|--version)$/.test(first?.text ?? ""))
    return judgeEntry(
      {
        rule: "python.pip.show",
        does: "read",
        why: "It only says what is installed.",
        options: "--format= -f --files --outdated",
        operands: ["name"],
      },
      rest,
      scope,
    );
  return first?.text === "config" ? deny("python.config", "It changes settings of pip.") : fetches;
}

/** `uv run pytest` and its kind: the tool in the project's own environment. */
const runner = (name: string): Programs[string] => ({
  stack: "python",
  judge: (words, scope) => {
    const [first, second, ...rest] = words;
    if (first?.text === "publish") return publishes;
    if (first?.text === "--version") return approve(`${name}.version`, "read", "It prints its version.");
    if (first?.text !== "run" || second === undefined || !isKnown(second)) return fetches;
    if (/^python3?$/.test(second.text)) return judgePython(rest, scope);
    return judgeModule(second.text, rest, scope);
  },
});

export const PYTHON: Programs = {
  python: { judge: judgePython, stack: "python" },
  python3: { judge: judgePython, stack: "python" },
  pytest: { ...pytest, stack: "python" },
  mypy: { ...mypy, stack: "python" },
  black: { ...black, stack: "python" },
  isort: { ...isort, stack: "python" },
  flake8: { ...flake8, stack: "python" },
  pyright: { ...pyright, stack: "python" },
  ruff,
  tox: { ...runs("tox", "-e= -q -v -p= --version"), stack: "python" },
  nox: { ...runs("nox", "-s= -l --list --session= -r --version"), stack: "python" },
  pip: { judge: judgePip, stack: "python" },
  pip3: { judge: judgePip, stack: "python" },
  uv: runner("uv"),
  poetry: runner("poetry"),
  pdm: runner("pdm"),
  hatch: runner("hatch"),
  pipenv: fetches,
  pipx: fetches,
  uvx: fetches,
  conda: fetches,
  twine: publishes,
};
