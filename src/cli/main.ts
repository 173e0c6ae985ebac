import { CommanderError, Command as Program } from "commander";
import { explain } from "../core/failure/explain.ts";
import { Failed } from "../core/failure/failed.ts";
import type { Failure } from "../core/failure/failure.ts";
import { nearest } from "../core/text/nearest.ts";
import { toJson } from "../core/text/printable.ts";
import { COMMANDS, GROUPS } from "./catalog.ts";
import { CANCELLED, type Command, ERROR, type Io, OK } from "./command.ts";
import { unexpected } from "./unexpected.ts";

/** argv → command → exit code. Every failure is one sentence and what to do; anything else is a bug, and says so. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const json = argv.includes("--json") || argv.includes("--jsonl");
  try {
    return await run(argv, io);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return OK;
    return printFailure(failureOf(error, argv), json, io);
  }
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name = "start"] = argv;
  if (name === "--help" || name === "-h" || name === "help") return help(argv[1], io);
  const load = commandNamed(name.startsWith("-") ? "start" : name);
  const { command } = await load();
  if (!command.ownSignals) process.once("SIGINT", () => interrupted(command, io));
  let code: number = OK;
  const program = describe(command, io).action(async (...given: unknown[]) => {
    const args = given
      .slice(0, -2)
      .flat()
      .filter((each): each is string => typeof each === "string");
    code = await command.run({ args, options: given.at(-2) as Record<string, string | boolean | undefined> }, io);
  });
  await program.parseAsync(argv.slice(name.startsWith("-") ? 0 : 1), { from: "user" });
  return code;
}

function interrupted({ whenInterrupted = "" }: Command, io: Io): void {
  io.err(`\nInterrupted.${whenInterrupted === "" ? "" : ` ${whenInterrupted}`}\n`);
  process.exit(CANCELLED);
}

function describe(command: Command, io: Io): Program {
  const program = new Program(`banksman ${command.name}`).description(command.summary);
  program.exitOverride().configureOutput({ writeOut: (text) => io.out(text), writeErr: () => undefined });
  for (const { name, help } of command.args ?? []) program.argument(name, help);
  for (const { flags, help } of command.options ?? []) program.option(flags, help);
  for (const { flags } of command.options ?? []) refuseBoth(program, /^--no-([a-z-]+)/.exec(flags)?.[1] ?? null);
  const examples = command.examples.map(({ run, does }) => `  ${run}\n      ${does}`);
  return program.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
}

/** `--x` and `--no-x` on one command line: commander would take the last of them. */
function refuseBoth(program: Program, name: string | null): void {
  if (name === null) return;
  const said = new Set<string>();
  for (const each of [name, `no-${name}`])
    program.on(`option:${each}`, () => {
      if (said.add(each).size < 2) return;
      throw new Failed({
        kind: "usage",
        message: `--${name} and --no-${name} contradict each other.`,
        hint: "Leave one of them out.",
      });
    });
}

async function help(topic: string | undefined, io: Io): Promise<number> {
  if (topic !== undefined) {
    describe((await commandNamed(topic)()).command, io).outputHelp();
    return OK;
  }
  const groups = await Promise.all(Object.entries(GROUPS).map(([title, group]) => describeGroup(title, group)));
  io.out(
    `${HEAD}\n${groups.join("\n\n")}\n\n\`banksman <command> --help\` shows more about a command, with examples.\n`,
  );
  return OK;
}

async function describeGroup(title: string, group: (typeof GROUPS)[string]): Promise<string> {
  const commands = await Promise.all(Object.values(group).map(async (load) => (await load()).command));
  return [`${title}:`, ...commands.map(({ name, summary }) => `  ${name.padEnd(11)} ${summary}`)].join("\n");
}

const HEAD = `banksman: the supervisor for fleets of coding agents

Usage: banksman <command> [options]

  banksman demo                            see it work, with no model and no account
  banksman start --branches a,b --cli x    start one agent per branch, each in its own worktree
`;

/** Only what is in the catalog itself: `constructor` is no command. */
function commandNamed(name: string): () => Promise<{ command: Command }> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw new Failed(unknownCommand(name));
  return load;
}

function unknownCommand(name: string): Failure {
  const near = nearest(name, Object.keys(COMMANDS));
  return {
    kind: "usage",
    message: `There is no command ${JSON.stringify(name)}.`,
    hint: near ? `Did you mean \`banksman ${near}\`?` : "`banksman --help` lists them.",
  };
}

function failureOf(error: unknown, [name = "start"]: readonly string[]): Failure {
  if (error instanceof Failed) return error.failure;
  if (error instanceof CommanderError) return wrongUsage(error.message, name.startsWith("-") ? "start" : name);
  return unexpected(error);
}

/** Commander's own words, as a sentence, with its suggestion if it has one. */
function wrongUsage(said: string, command: string): Failure {
  const [first = "", ...more] = said.replace(/^error: /, "").split("\n");
  const suggestion = /^\((.*)\)$/.exec(more.join(" "))?.[1];
  const help = `See \`banksman ${command} --help\`.`;
  return {
    kind: "usage",
    message: `${first.slice(0, 1).toUpperCase()}${first.slice(1).replace(/\.$/, "")}.`,
    hint: suggestion === undefined ? help : `${suggestion} ${help}`,
  };
}

function printFailure(failure: Failure, json: boolean, io: Io): number {
  const { message, hint } = explain(failure);
  const kind = failure.kind === "told" ? failure.told : failure.kind;
  if (json) io.out(`${toJson({ error: { kind, message, hint } })}\n`);
  io.err(`${message}\n${hint}\n`);
  return failure.kind === "cancelled" ? CANCELLED : ERROR;
}
