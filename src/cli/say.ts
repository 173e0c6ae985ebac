import { randomBytes } from "node:crypto";
import { call, type Unreachable } from "../broker/client.ts";
import { printable, toJson } from "../core/printable.ts";
import { findHere, readRun } from "./place.ts";

/** What `say` needs of the process: kept apart from commander and everything else, because agents call it all the time. */
export interface SayIo {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
}

const WAIT_AT_ONCE_SECONDS = 50;
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;

/** The agent's side: `say status|artifact|blocked|question|intent|retract|poll`. Exit code 0 when it was taken in. */
export async function say(argv: readonly string[], io: SayIo): Promise<number> {
  const url = io.env.BANKSMAN_URL;
  const agent = io.env.BANKSMAN_AGENT;
  if (!url || !agent)
    return fail(
      io,
      "`banksman say` is for agents: BANKSMAN_URL is not set.",
      "A person says `banksman tell <agent> <text>`.",
    );
  const { words, flags, unknown } = split(argv);
  const [kind = "", ...rest] = words;
  if (unknown !== null) return fail(io, `say does not know ${unknown}.`, USAGE);
  if (flags.wait !== undefined && !(Number(flags.wait) >= 0))
    return fail(io, `--wait needs a number of seconds, not ${JSON.stringify(flags.wait)}.`, USAGE);
  if (kind === "poll") return poll(io, url, agent, rest[0], flags);
  const message = messageOf(kind, rest, flags);
  if (typeof message === "string") return fail(io, message, USAGE);
  // With a key, so that asking again when a supervisor dies over it stores it once.
  const body = { ...message, agent_id: agent, key: `say-${randomBytes(8).toString("hex")}` };
  const answer = await reachInTime(io, url, PATIENCE_MS, (base) =>
    call({ url: base, token: null }, "POST", "/publish", body),
  );
  if (typeof answer === "string") return fail(io, unreachable(answer), "Try again in a moment; nothing was stored.");
  if (answer.status !== 202) return fail(io, errorOf(answer.body), `HTTP ${answer.status}`);
  const { seq } = answer.body as { seq: number };
  if (kind === "question" && flags.wait !== undefined)
    return waitForAnswer(io, { url, agent, question: rest.join(" "), asked: seq, seconds: Number(flags.wait) });
  io.out(`${kind} published (${seq})\n`);
  return 0;
}

const USAGE = `banksman say status <message>
banksman say artifact [--exports a,b] [--files a,b]
banksman say blocked <what you need> <agent>
banksman say question <text> [--wait seconds]
banksman say intent <why> <path,path> [seconds]
banksman say retract [path,path]
banksman say poll [since] [--wait seconds] [--json]`;

type Flags = Readonly<Record<string, string | undefined>>;

function split(argv: readonly string[]): { words: string[]; flags: Flags; unknown: string | null } {
  const words: string[] = [];
  const flags: Record<string, string> = {};
  let unknown: string | null = null;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    const [, name, value] = /^--(exports|files|wait|status|json)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === "--") return { words: [...words, ...argv.slice(i + 1)], flags, unknown };
    if (name === undefined && /^--[a-z]/.test(word)) unknown ??= word;
    else if (name === undefined) words.push(word);
    else flags[name] = value ?? (name === "json" ? "" : (argv[++i] ?? ""));
  }
  return { words, flags, unknown };
}

/** The message a command line stands for, or what is wrong with it. */
function messageOf(kind: string, words: readonly string[], flags: Flags): object | string {
  const [first, second, third] = words;
  switch (kind) {
    case "status":
      return first === undefined
        ? "say status needs a message."
        : { type: "agent.status", payload: { status: "working", message: words.join(" ") } };
    case "artifact":
      return {
        type: "agent.artifact",
        payload: { status: flags.status ?? "done", exports: list(flags.exports), modified_files: list(flags.files) },
      };
    case "blocked":
      if (first === undefined || second === undefined)
        return "say blocked needs what you need, and the agent it should come from.";
      return { type: "agent.blocked", payload: { needs: first, from: second } };
    case "question":
      return first === undefined
        ? "say question needs a text."
        : { type: "agent.question", payload: { question: words.join(" ") } };
    case "intent":
      if (first === undefined || second === undefined)
        return "say intent needs a reason and the paths, separated by commas.";
      if (third !== undefined && !(Number(third) > 0)) return "say intent takes seconds as its third word.";
      return {
        type: "agent.intent",
        payload: {
          summary: first,
          files: list(second),
          ...(third !== undefined && { valid_for_seconds: Number(third) }),
        },
      };
    case "retract":
      return { type: "agent.retract", payload: first === undefined ? {} : { files: list(first) } };
    default:
      return kind === "" ? "say needs to know what." : `say does not know ${JSON.stringify(kind)}.`;
  }
}

const list = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

interface Delivered {
  readonly seq: number;
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

interface Page {
  readonly messages: readonly Delivered[];
  readonly last_seq: number;
}

/** What is in the inbox, or the exit code of having said why not. Only looked at: `seen` says what was read. */
async function look(io: SayIo, url: string, agent: string, which: string, wait: number): Promise<Page | number> {
  const path = `/messages/${agent}?${which}&peek=1&wait=${wait}`;
  const answer = await reachInTime(io, url, Math.max(PATIENCE_MS, wait * 1000), (base) =>
    call({ url: base, token: null }, "GET", path, undefined, (wait + 30) * 1000),
  );
  if (typeof answer === "string") return fail(io, unreachable(answer), "Try again in a moment; nothing is lost.");
  if (answer.status !== 200) return fail(io, errorOf(answer.body), `HTTP ${answer.status}`);
  return answer.body as Page;
}

/** After it was printed, not before: what a crash keeps from being printed is there the next time. */
async function seen(io: SayIo, url: string, agent: string, { messages, last_seq }: Page): Promise<void> {
  if (messages.length > 0)
    await reach(io, url, (base) =>
      call({ url: base, token: null }, "GET", `/messages/${agent}?since=${last_seq}&ack=1`, undefined, 10_000),
    );
}

const printed = ({ seq, type, payload, ...rest }: Delivered): string =>
  `${seq} ${type} ${printable(JSON.stringify(payload ?? rest))}\n`;

async function poll(io: SayIo, url: string, agent: string, since: string | undefined, flags: Flags): Promise<number> {
  const which = since === undefined ? "unread=1" : `since=${encodeURIComponent(since)}`;
  const page = await look(io, url, agent, which, Math.min(60, Math.floor(Number(flags.wait ?? 0))));
  if (typeof page === "number") return page;
  if (flags.json !== undefined) io.out(`${toJson(page)}\n`);
  else if (page.messages.length === 0) io.out("nothing new\n");
  else for (const message of page.messages) io.out(printed(message));
  await seen(io, url, agent, page);
  return 0;
}

interface Waiting {
  readonly url: string;
  readonly agent: string;
  readonly question: string;
  readonly asked: number;
  readonly seconds: number;
}

/** The answer on standard output; whatever else arrives meanwhile on standard error, so that it is not lost. */
async function waitForAnswer(io: SayIo, { url, agent, question, asked, seconds }: Waiting): Promise<number> {
  const until = Date.now() + seconds * 1000;
  const shown = new Set<number>();
  // First what was unread before; then by number, for the answer may also have been told over the agent's channel.
  for (let which = "unread=1", wait = 0; ; ) {
    const page = await look(io, url, agent, which, wait);
    if (typeof page === "number") return page;
    const found = page.messages.find(
      ({ seq, type, payload }) =>
        seq > asked && type === "agent.answer" && (payload?.re === undefined || payload.re === question),
    );
    for (const message of page.messages)
      if (message !== found && !shown.has(message.seq)) io.err(`meanwhile: ${printed(message)}`);
    for (const { seq } of page.messages) shown.add(seq);
    if (found !== undefined) io.out(`${String(found.payload?.answer ?? "")}\n`);
    await seen(io, url, agent, page);
    if (found !== undefined) return 0;
    if (Date.now() >= until) break;
    wait = Math.max(1, Math.min(WAIT_AT_ONCE_SECONDS, Math.ceil((until - Date.now()) / 1000)));
    which = `since=${which === "unread=1" ? asked : Math.max(asked, page.last_seq)}`;
  }
  return fail(
    io,
    `No answer within ${seconds} s.`,
    "The question stays open; `banksman say poll --wait 60` waits for the answer.",
  );
}

/** An agent in tmux outlives its supervisor: whoever says something meanwhile waits a while for the next one. */
async function reachInTime<T>(
  io: SayIo,
  url: string,
  patienceMs: number,
  work: (base: string) => Promise<T | Unreachable>,
): Promise<T | Unreachable> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const answer = await reach(io, url, work);
    const gone = typeof answer === "string" || (answer as { status?: number }).status === 503;
    if (!gone || Date.now() >= until) return answer;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** By the URL we were given; if nobody listens there any more, by the port the supervisor has now. */
async function reach<T>(
  io: SayIo,
  url: string,
  work: (base: string) => Promise<T | Unreachable>,
): Promise<T | Unreachable> {
  const answer = await work(url);
  if (answer !== "refused") return answer;
  const here = findHere(io.cwd, io.env);
  const run = here === null ? null : readRun(here.state);
  const token = /\/a\/[^/]+$/.exec(url)?.[0];
  return run === null || token === undefined ? answer : work(`${run.url}${token}`);
}

const unreachable = (why: Unreachable): string =>
  why === "refused" ? "The supervisor is not running." : "The supervisor does not answer.";

const errorOf = (body: unknown): string => {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === "string" ? error : "The supervisor refused the message.";
};

function fail(io: SayIo, message: string, hint: string): number {
  io.err(`${message}\n${hint}\n`);
  return 1;
}
