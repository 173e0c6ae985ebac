import { Failed } from "../../core/failure/failed.ts";
import { ASSUMED_FACTS } from "../../core/policy/assumed-facts.ts";
import { type PolicyContext, STACKS, type Stack } from "../../core/policy/context.ts";
import { decide } from "../../core/policy/decide.ts";
import type { Decision } from "../../core/policy/decision.ts";
import { normalize } from "../../core/policy/paths/normalize.ts";
import { parseObject } from "../../core/text/json-fields.ts";
import { LineCutter } from "../../core/text/lines.ts";
import { onOneLine, toJson } from "../../core/text/printable.ts";
import { shellWord } from "../../core/text/quote.ts";
import { type Input, type Io, OK, printJson } from "../command.ts";
import { atLaunch, settingsFolders } from "./at-launch.ts";
import { observeContext } from "./observe-context.ts";

/** Longer than any command that is judged, with its escapes in JSON. */
const LONGEST_LINE = 1024 * 1024;

/** What the policy would say of a command, or of each command on standard input. */
export async function explainCommand(words: readonly string[], options: Input["options"], io: Io): Promise<number> {
  if (options.batch === true) {
    if (words.length > 0) throw usage("With --batch, commands are read from standard input.", "Give it no words.");
    await explainBatch(await contextOf(options, io), io);
    return OK;
  }
  const command = words.length === 1 ? (words[0] ?? "") : words.map(asWord).join(" ");
  if (command.trim() === "")
    throw usage("There is no command to explain.", 'Give it one: `banksman explain command -- "git push"`.');
  const decision = decide(command, await contextOf(options, io));
  if (options.json) printJson(io, { command, ...decision });
  else io.out(`${decision.decision}: ${onOneLine(decision.why)}\nrule: ${decision.rule}\n`);
  return OK;
}

const usage = (message: string, hint: string): Failed => new Failed({ kind: "usage", message, hint });

/** The shell has taken the quotes off; what needs them gets them back. */
const asWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word));

async function contextOf(options: Input["options"], io: Io): Promise<PolicyContext> {
  const { worktree, branch, home, remote, broker } = options;
  const context = typeof worktree === "string" ? assumed(worktree, io) : await observeContext(io);
  return {
    ...context,
    ...(typeof branch === "string" && { branch }),
    ...(typeof home === "string" && {
      home: absolute(home, io),
      protectedPaths: [...context.protectedPaths, ...settingsFolders(absolute(home, io))],
    }),
    ...(typeof remote === "string" && { remote }),
    ...(typeof broker === "string" && { broker: broker.replace(/\/+$/, "") }),
    ...(typeof options.preset === "string" && { stacks: stacksOf(options.preset) }),
  };
}

/** A worktree that is only spoken of: nothing is read from the disk. */
function assumed(worktree: string, io: Io): PolicyContext {
  const path = absolute(worktree, io);
  const home = io.env.HOME || "/";
  return {
    ...atLaunch(io.env),
    worktree: path,
    cwd: path,
    branch: "",
    remote: "origin",
    otherWorktrees: [],
    home,
    protectedPaths: settingsFolders(home),
    level: "safe",
    usual: true,
    stacks: [],
    extra: [],
    facts: ASSUMED_FACTS,
  };
}

const absolute = (path: string, io: Io): string => normalize(path, io.cwd);

function stacksOf(names: string): Stack[] {
  const given = names.split(",").filter((name) => name !== "" && name !== "universal");
  const unknown = given.find((name) => !STACKS.some((stack) => stack === name));
  if (unknown !== undefined)
    throw usage(
      `There is no preset ${JSON.stringify(unknown)}.`,
      `Presets: ${STACKS.join(", ")}; universal is always on.`,
    );
  return STACKS.filter((stack) => given.includes(stack));
}

/** One line in, one line out, in the same order. */
async function explainBatch(context: PolicyContext, io: Io): Promise<void> {
  const cutter = new LineCutter(LONGEST_LINE);
  process.stdin.setEncoding("utf8");
  for await (const text of process.stdin as AsyncIterable<string>)
    io.out(
      cutter
        .push(text)
        .map((line) => explainLine(line, context))
        .join(""),
    );
  io.out(
    cutter
      .end()
      .map((line) => explainLine(line, context))
      .join(""),
  );
}

function explainLine(line: string, context: PolicyContext): string {
  const command = parseObject(line)?.command;
  const decision: Decision =
    typeof command === "string"
      ? decide(command, context)
      : { decision: "ask", rule: "input.invalid", why: 'The line is not JSON with a text as its "command".' };
  return `${toJson({ command: typeof command === "string" ? command : line, ...decision })}\n`;
}
