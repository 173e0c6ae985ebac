import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Cli } from "../../core/clis/cli.ts";
import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import { type AgentEvent, addUsage, type EndHow, type Exit, NO_USAGE, type Usage } from "../../core/clis/events.ts";
import { kindNamed, variablesOf } from "../../core/clis/kinds.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentId, Branch, Instant, RunId } from "../../core/text/ids.ts";
import { prepareHeadless } from "../../engine/agents/prepare-agent.ts";
import type { Ports } from "../../ports/ports.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What a round trip with somebody's own CLI showed. */
export interface Trial {
  readonly what: "headless" | "permissions" | "resume" | "cost";
  readonly status: "works" | "cannot" | "fails";
  readonly detail: string;
  readonly seconds: number;
}

export interface TryOptions {
  readonly cli: Cli;
  readonly env: NodeJS.ProcessEnv;
  readonly ports: Pick<Ports, "agents" | "files" | "command">;
  readonly program: readonly string[];
  onTrial(trial: Trial): void;
}

const FILE = "banksman-was-here.txt";
const WORD = "heron";

/**
 * Three short prompts to the user's own model, in a folder that is gone afterwards: does it answer, does it ask before it
 * runs something, does it remember. One that fails ends the trying.
 */
export async function tryCli(options: TryOptions): Promise<readonly Trial[]> {
  const folder = temporaryFolder("try");
  const trials: Trial[] = [];
  const say = (trial: Trial) => {
    trials.push(trial);
    options.onTrial(trial);
  };
  try {
    await makeRepository(options, folder);
    const first = await turn(options, folder, `Remember the word ${WORD}. Reply with exactly: ready`);
    say(verdict("headless", first, first.how === "ok"));
    if (first.how !== "ok") return trials;
    say(await permissions(options, folder));
    say(await resume(options, folder, first));
    const { input, output, cached, cost } = first.usage;
    const tokens = input + output + cached;
    say({
      what: "cost",
      status: tokens > 0 ? "works" : "cannot",
      detail:
        tokens === 0
          ? "it reports no tokens over this channel"
          : `${tokens} tokens${cost === null ? "; it reports no cost" : `, $${cost.toFixed(4)}`} for the first prompt`,
      seconds: 0,
    });
    return trials;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeRepository({ ports, env }: TryOptions, folder: string): Promise<void> {
  for (const args of [
    ["init", "-q", "-b", "main"],
    ["-c", "user.name=banksman", "-c", "user.email=banksman@invalid", "commit", "-q", "--allow-empty", "-m", "start"],
  ])
    await ports.command.run({ argv: ["git", ...args], cwd: folder, env: defined(env), timeoutMs: 30_000 });
}

async function permissions(options: TryOptions, folder: string): Promise<Trial> {
  const ran = await turn(options, folder, `Run exactly this shell command: \`echo ${WORD} > ${FILE}\``);
  const done = contentOf(join(folder, FILE)) === WORD;
  if (ran.asked > 0)
    return { ...verdict("permissions", ran, done), detail: done ? "it asked, was allowed, and did it" : ran.message };
  if (ran.how !== "ok") return verdict("permissions", ran, false);
  const detail = done
    ? `it ran a command without asking (over ${ran.channel})`
    : `it did not run the command, and did not ask (over ${ran.channel})`;
  return { what: "permissions", status: "cannot", detail, seconds: ran.seconds };
}

async function resume(options: TryOptions, folder: string, first: Turned): Promise<Trial> {
  if (first.session === null)
    return { what: "resume", status: "cannot", detail: "it names no conversation", seconds: 0 };
  const again = await turn(options, folder, "Which word did I ask you to remember? Reply with that word.", first);
  const same = again.session === first.session;
  const detail = same ? `it went on in ${first.session}` : again.message || "it began a new conversation";
  return { ...verdict("resume", again, same && again.how === "ok"), detail };
}

function verdict(what: Trial["what"], { how, message, seconds, channel }: Turned, works: boolean): Trial {
  const detail = works ? `it answers over ${channel}` : `${how}: ${message}`;
  return { what, status: works ? "works" : "fails", detail, seconds };
}

interface Turned {
  readonly how: EndHow;
  readonly message: string;
  readonly asked: number;
  readonly session: string | null;
  readonly since: Instant;
  readonly usage: Usage;
  readonly channel: string;
  readonly seconds: number;
}

/** One prompt, everything it asks allowed, and away. */
async function turn(options: TryOptions, folder: string, prompt: string, past?: Turned): Promise<Turned> {
  const { cli, ports, program } = options;
  const begun = Date.now();
  const state = join(folder, ".git", "banksman");
  const order = {
    cli: { ...cli, approval: "manual" as const },
    worktree: folder,
    branch: "main" as Branch,
    brief: prompt,
    terminal: false,
    port: null,
    log: join(state, "log"),
    conversation: past?.session ?? null,
  };
  const agent = "try" as AgentId;
  const ready = await prepareHeadless(
    { ...ports, place: { state, program, repository: join(folder, ".git") } },
    agent,
    order,
    prompt,
  );
  const events: AgentEvent[] = [];
  let leave: (exit: Exit) => void = () => {};
  const left = new Promise<Exit>((resolve) => {
    leave = resolve;
  });
  const live = await ports.agents.launch({
    run: `banksman.try.${process.pid}.${begun.toString(36)}` as RunId,
    argv: ready.argv,
    speaks: ready.speaks,
    cwd: folder,
    env: { ...environment(options), ...ready.env, BANKSMAN_AGENT: agent },
    // What is asked here is the prompt itself, in an old conversation too.
    prompt,
    conversation: order.conversation,
    conversationSince: past?.since ?? null,
    idleSeconds: cli.limits?.idleSeconds ?? null,
    workSeconds: LONGEST_SECONDS,
    log: order.log,
    secrets: [],
    onSign: () => undefined,
    onExit: leave,
    onEvent: (event) => {
      events.push(event);
      if (event.type === "permission") void live.answer(event.request, true, "").catch(() => undefined);
      if (event.type === "end") void live.dismiss();
    },
  });
  const stop = () => void live.end();
  process.once("SIGINT", stop);
  const exit = await left;
  process.off("SIGINT", stop);
  return {
    how: exit.end?.how ?? "error",
    message: exit.end?.message || exit.lastLine,
    asked: events.filter(({ type }) => type === "permission").length,
    session: events.findLast((event) => event.type === "session")?.id ?? null,
    since: begun as Instant,
    usage: events.reduce((sum, event) => (event.type === "usage" ? addUsage(sum, event.usage) : sum), NO_USAGE),
    channel: ready.channel,
    seconds: (Date.now() - begun) / 1000,
  };
}

const LONGEST_SECONDS = 180;

const environment = ({ cli, env }: TryOptions): Environment =>
  agentEnvironment(defined(env), variablesOf(cli, defined(env)), {});

const defined = (env: NodeJS.ProcessEnv): Environment =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

/** Whether there is anything to try, in a sentence when not. */
export function refuseToTry(cli: Cli): Failed | null {
  if (kindNamed(cli.protocol) !== null) return null;
  return new Failed({
    kind: "usage",
    message: `${cli.name} speaks the protocol ${cli.protocol}: there is nothing to try that we know of.`,
    hint: "Start a session with it: `banksman start --headless --branches try --cli " + cli.name + "`.",
  });
}
