/** What runs a file that is named to it. */
const INTERPRETERS =
  /^(?:.*\/)?(?:node|bun|deno|tsx|ts-node|sh|bash|dash|zsh|ksh|python[\d.]*|ruby|perl|php|source|\.)$/;
/** Words before the program: they run what follows. */
const BEFORE = /^(?:exec|time|env|command|nice|nohup|sudo|npx|run|cross-env|\w+=.*)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const MOST_COMMANDS = 200;

/**
 * Files of the project that a command runs: `sh scripts/test.sh`, `./check`, `node run.mjs`. Scripts of the package that it
 * calls (`npm test`, `yarn lint`) are followed. What is only given to a program (`tsc src/a.ts`) is not among them.
 */
export function runFiles(commands: readonly string[], scripts: Readonly<Record<string, unknown>>): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const todo = [...commands];
  for (let at = 0; at < todo.length && at < MOST_COMMANDS; at++)
    for (const words of simpleCommands(todo[at] ?? "")) {
      const file = fileRunBy(words);
      if (file !== null) files.add(file);
      for (const name of scriptsCalledBy(words)) {
        const line = scripts[name];
        if (seen.has(name) || typeof line !== "string") continue;
        seen.add(name);
        todo.push(line);
      }
    }
  return [...files];
}

/** Cut where a shell begins another command; rough, as quotes are only taken away. */
const simpleCommands = (line: string): string[][] =>
  line
    .slice(0, 10_000)
    .split(/&&|\|\||[;|&\n(){}]/)
    .map((part) => part.split(/\s+/).map((word) => word.replaceAll(/["'`]/g, "")))
    .map((words) => words.filter((word) => word !== ""))
    .map((words) =>
      words.slice(
        Math.max(
          0,
          words.findIndex((word) => !BEFORE.test(word)),
        ),
      ),
    );

function fileRunBy([program = "", ...rest]: readonly string[]): string | null {
  if (INTERPRETERS.test(program)) {
    const named = rest.find((word) => !word.startsWith("-") && word !== "run");
    return named === undefined ? null : inProject(named);
  }
  return program.includes("/") ? inProject(program) : null;
}

/** As git names it; null for what lies elsewhere. */
function inProject(word: string): string | null {
  const path = word.replace(/^(?:\.\/+)+/, "").replaceAll(/\/{2,}/g, "/");
  return path === "" || path.startsWith("/") || path.startsWith("../") || path.includes("$") ? null : path;
}

/** With those that run before and after it. */
function scriptsCalledBy([program = "", ...rest]: readonly string[]): string[] {
  if (!MANAGERS.test(program)) return [];
  const names = rest.filter((word) => !word.startsWith("-") && word !== "run" && word !== "run-script");
  const [name] = names;
  if (name === undefined) return [];
  const called = name === "t" || name === "tst" ? "test" : name;
  return [`pre${called}`, called, `post${called}`];
}
