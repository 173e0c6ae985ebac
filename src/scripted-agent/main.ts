import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Channel, Lines } from "./channel.ts";
import { Memory } from "./memory.ts";
import { play } from "./play.ts";
import { readScript, type ScriptStep } from "./script.ts";
import { Terminal } from "./terminal.ts";

const HELP = `banksman-scripted-agent: follows a script where a coding CLI would follow a model. It is not a model.

  --script <file>     the script, a JSON list of steps
  --scripts <folder>  <folder>/<agent>.json, by BANKSMAN_AGENT (also: BANKSMAN_SCRIPTS)
  --resume <session>  go on after the last step that was done

On a terminal it has an input line, as a coding CLI has. Otherwise it reads its brief and answers as JSON lines on
standard input and writes its events on standard output.
`;

async function main(): Promise<number> {
  const options = {
    script: { type: "string" },
    scripts: { type: "string" },
    resume: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  const { values } = parseArgs({ options, strict: true });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const agent = process.env.BANKSMAN_AGENT ?? "agent";
  const steps = findSteps(values.script, values.scripts ?? process.env.BANKSMAN_SCRIPTS, agent);
  const memory = new Memory(values.resume ?? randomUUID(), process.env);
  const onTerminal = process.stdin.isTTY === true;
  const channel = onTerminal
    ? new Terminal(agent, () => process.exit(1))
    : new Lines(process.stdin, leave("aborted"), leave("aborted"));
  channel.emit({ type: "session", id: memory.session });
  if (values.resume === undefined) await channel.next(({ type }) => type === "prompt");
  const stage = { channel, cwd: process.cwd(), env: process.env };
  for (let i = memory.next; i < steps.length; i++) {
    const ending = await play(steps[i] as ScriptStep, stage, i);
    // One that ended well and is told more goes on with its next step.
    if (ending === null || ending.how === "ok") memory.done(i);
    if (ending !== null) return end(channel, ending.how, ending.message);
  }
  if (onTerminal) return stayAt(channel);
  return end(channel, "ok", "the script is done");
}

/** On a terminal a coding CLI is never done: it stands at its prompt until somebody ends it. */
async function stayAt(channel: Channel): Promise<never> {
  channel.emit({ type: "text", text: "the script is done" });
  for (;;) {
    const said = await channel.next(({ type }) => type === "message" || type === "prompt");
    channel.emit({ type: "text", text: `heard: ${"text" in said ? said.text : ""}` });
  }
}

function end(channel: Channel, how: string, message: string): number {
  channel.emit({ type: "end", how, message });
  return how === "ok" ? 0 : 1;
}

/** Told to stop, or left alone by a supervisor that died. */
const leave = (how: string) => () => {
  process.stdout.write(`${JSON.stringify({ type: "end", how, message: "stopped" })}\n`);
  process.exit(1);
};

function findSteps(script: string | undefined, folder: string | undefined, agent: string): ScriptStep[] {
  if (script !== undefined) return readScript(script);
  const own = folder === undefined ? null : join(folder, `${agent}.json`);
  if (own !== null && existsSync(own)) return readScript(own);
  return [
    { do: "status", text: "booting" },
    { do: "write", path: `scripted/${agent}.txt`, text: `${agent} was here.\n` },
    { do: "commit", message: `Add a note by ${agent}` },
    { do: "artifact", files: [`scripted/${agent}.txt`] },
  ];
}

main().then(
  (code) => {
    // The channel's open input would keep the process: it has said its last word.
    process.stdout.write("", () => process.exit(code));
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);
