import { AgentClient, type Asked, type Delivered, type Page, type Trouble } from "../broker/agent-client.ts";
import { printable, toJson } from "../core/text/printable.ts";
import { agentPlace } from "./supervisor/state-files.ts";

/** What `say` needs of the process: kept apart from commander and everything else, because agents call it all the time. */
export interface SayIo {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
}

const WAIT_AT_ONCE_SECONDS = 50;

/** The agent's side: `say status|artifact|blocked|question|intent|retract|poll`. Exit code 0 when it was taken in. */
export async function say(argv: readonly string[], io: SayIo): Promise<number> {
  const place = agentPlace(io.cwd, io.env);
  if (place === null)
    return fail(
      io,
      "`banksman say` is for agents: BANKSMAN_URL is not set.",
      "A person says `banksman tell <agent> <text>`.",
    );
  const { words, flags, unknown } = split(argv);
  const [kind = "", ...rest] = words;
  if (unknown !== null) return fail(io, `say does not know ${unknown}.`, USAGE);
  if (flags.wait !== undefined && !/^\d+(\.\d+)?$/.test(flags.wait))
    return fail(io, `--wait needs a number of seconds, not ${JSON.stringify(flags.wait)}.`, USAGE);
  const most = MOST_WORDS[kind];
  if (most !== undefined && rest.length > most.words) return fail(io, most.why, USAGE);
  const client = new AgentClient(place);
  if (kind === "poll") return poll(io, client, rest[0], flags);
  const message = messageOf(kind, rest, flags);
  if (typeof message === "string") return fail(io, message, USAGE);
  const seq = await client.publish(message);
  if (typeof seq !== "number") return failFor(io, seq);
  if (kind === "question" && flags.wait !== undefined)
    return waitForAnswer(io, client, { question: rest.join(" "), seq, seconds: Number(flags.wait) });
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

/** More words than these would be lost: an unquoted text, or a list with spaces. */
const MOST_WORDS: Readonly<Record<string, { readonly words: number; readonly why: string }>> = {
  artifact: { words: 0, why: "say artifact takes no words: name its files with --files." },
  blocked: { words: 2, why: "say blocked takes two words: put what you need in quotes." },
  intent: { words: 3, why: "say intent takes a reason in quotes, the paths separated by commas, and seconds." },
  poll: { words: 1, why: "say poll takes a number, and no more words." },
};

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
      if (third !== undefined && !(Number(third) > 0))
        return "say intent takes the paths as one word, separated by commas, and seconds as its third.";
      return {
        type: "agent.intent",
        payload: {
          summary: first,
          files: list(second),
          ...(third !== undefined && { valid_for_seconds: Number(third) }),
        },
      };
    case "retract":
      return { type: "agent.retract", payload: first === undefined ? {} : { files: list(words.join(",")) } };
    default:
      return kind === "" ? "say needs to know what." : `say does not know ${JSON.stringify(kind)}.`;
  }
}

const list = (text: string | undefined): string[] =>
  (text ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

const printed = ({ seq, type, payload, ...rest }: Delivered): string =>
  `${seq} ${type} ${printable(JSON.stringify(payload ?? rest))}\n`;

async function poll(io: SayIo, client: AgentClient, since: string | undefined, flags: Flags): Promise<number> {
  const which = since === undefined ? "unread=1" : `since=${encodeURIComponent(since)}`;
  const page = await lookUntil(client, which, Date.now() + Number(flags.wait ?? 0) * 1000);
  if ("trouble" in page) return failFor(io, page);
  print(io, page, flags.json !== undefined);
  await client.seen(page);
  return 0;
}

/** The broker waits for a minute at most; whoever wants to wait longer asks again. */
async function lookUntil(client: AgentClient, which: string, until: number): Promise<Page | Trouble> {
  for (;;) {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    const page = await client.look(which, Math.min(WAIT_AT_ONCE_SECONDS, left));
    if ("trouble" in page || page.messages.length > 0 || Date.now() >= until) return page;
  }
}

function print(io: SayIo, page: Page, json: boolean): void {
  if (json) io.out(`${toJson(page)}\n`);
  else if (page.messages.length === 0) io.out("nothing new\n");
  else for (const message of page.messages) io.out(printed(message));
}

/** The answer on standard output; whatever else arrives meanwhile on standard error, so that it is not lost. */
async function waitForAnswer(io: SayIo, client: AgentClient, asked: Asked): Promise<number> {
  const answer = await client.waitForAnswer(asked, (meanwhile, found) => {
    for (const message of meanwhile) io.err(`meanwhile: ${printed(message)}`);
    if (found !== null) io.out(`${found}\n`);
  });
  if (typeof answer === "string") return 0;
  if (answer !== null) return failFor(io, answer);
  return fail(
    io,
    `No answer within ${asked.seconds} s.`,
    "The question stays open; `banksman say poll --wait 60` waits for the answer.",
  );
}

const failFor = (io: SayIo, { trouble, hint }: Trouble): number => fail(io, trouble, hint);

function fail(io: SayIo, message: string, hint: string): number {
  io.err(`${message}\n${hint}\n`);
  return 1;
}
