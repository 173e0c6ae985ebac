import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "../cli/say.ts";
import type { Channel } from "./channel.ts";
import type { ScriptStep } from "./script.ts";

export interface Stage {
  readonly channel: Channel;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Set by a step that ends the performance before the script does. */
export type Ending = { readonly how: string; readonly message: string } | null;

/** Does one step, as a coding CLI would: files, git and the broker are real. */
export async function play(step: ScriptStep, stage: Stage, index: number): Promise<Ending> {
  const { channel, cwd, env } = stage;
  const path = (name: string) => join(cwd, name);
  switch (step.do) {
    case "say":
      channel.emit({ type: "text", text: step.text });
      return null;
    case "status":
      return spoken(stage, ["status", step.text]);
    case "intent":
      return spoken(stage, ["intent", step.why, step.files.join(",")]);
    case "retract":
      return spoken(stage, ["retract"]);
    case "blocked":
      return spoken(stage, ["blocked", step.needs, step.from]);
    case "artifact":
      return spoken(stage, [
        "artifact",
        "--exports",
        (step.exports ?? []).join(","),
        "--files",
        (step.files ?? []).join(","),
      ]);
    case "question":
      return spoken(stage, ["question", step.text, "--wait", "3600"]);
    case "ask":
      return ask(stage, step.command, `ask-${index}`);
    case "write":
      mkdirSync(dirname(path(step.path)), { recursive: true });
      writeFileSync(path(step.path), step.text);
      return null;
    case "append":
      appendFileSync(path(step.path), step.text);
      return null;
    case "run":
      return run(stage, step.argv);
    case "commit":
      return commit(stage, step.message);
    case "usage":
      channel.emit({ type: "usage", input: step.input, output: step.output, cached: 0, cost: step.cost ?? null });
      return null;
    case "wait":
      channel.emit({
        type: "text",
        text: `heard: ${JSON.stringify(await channel.next(({ type }) => type === "message"))}`,
      });
      return null;
    case "hear": {
      const said = await channel.next(({ type }) => type === "message" || type === "prompt");
      writeFileSync(path(step.path), "text" in said ? said.text : "");
      return null;
    }
    case "sleep":
      await sleep(step.ms);
      return null;
    case "stall":
      setInterval(() => undefined, 60_000);
      return new Promise(() => undefined);
    case "deaf":
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
      return null;
    case "daemon":
      // Leaves the group and the parent, as some CLIs' helpers do; only its marker still tells whose it is.
      spawn("sh", ["-c", "exec sleep 100000"], { cwd, env, detached: true, stdio: "ignore" }).unref();
      return null;
    case "crash":
      process.exit(step.code);
      return null;
    case "end":
      return { how: step.how, message: step.text };
  }
}

async function spoken({ channel, cwd, env }: Stage, words: readonly string[]): Promise<Ending> {
  let printed = "";
  const keep = (text: string) => {
    printed += text;
  };
  const code = await say(words, { cwd, env, out: keep, err: keep });
  channel.emit({ type: "text", text: `${words[0]}: ${printed.trim()}` });
  return code === 0 ? null : { how: "error", message: `say ${words[0]} failed: ${printed.trim()}` };
}

async function ask(stage: Stage, command: string, request: string): Promise<Ending> {
  const { channel } = stage;
  channel.emit({ type: "permission", request, text: `May I run this? ${command}`, command });
  const answer = await channel.next((said) => said.type === "permission" && said.request === request);
  if (answer.type !== "permission" || !answer.allow) {
    const note = answer.type === "permission" && answer.note !== "" ? `: ${answer.note}` : "";
    channel.emit({ type: "text", text: `not allowed${note}` });
    return null;
  }
  return run(stage, ["sh", "-c", command]);
}

function run({ channel, cwd, env }: Stage, argv: readonly string[]): Ending {
  const [program = "", ...args] = argv;
  const id = argv.join(" ").slice(0, 200);
  channel.emit({ type: "tool.start", id, name: program, input: args.join(" ") });
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  channel.emit({ type: "tool.end", id, ok: status === 0 });
  channel.emit({ type: "text", text: (stdout + stderr).trim().slice(-2000) });
  return status === 0 ? null : { how: "error", message: error?.message ?? `${id} ended with exit code ${status}` };
}

/** Everything that is there; when a crash came between the commit and its note, there is nothing left to commit. */
function commit(stage: Stage, message: string): Ending {
  const { cwd, env } = stage;
  const failed = run(stage, ["git", "add", "--all"]);
  if (failed !== null) return failed;
  const { status } = spawnSync("git", ["diff", "--cached", "--quiet"], { cwd, env });
  if (status === 0) return null;
  return run(stage, ["git", "commit", "--quiet", "--message", message]);
}
