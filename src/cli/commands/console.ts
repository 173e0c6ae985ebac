import { createInterface } from "node:readline";
import { type Connection, call } from "../../broker/client.ts";
import { type Blocked, type ConsoleInput, readInput, settle } from "../../core/actions/console-input.ts";
import { explain } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { LandingPlan } from "../../core/landing/view.ts";
import { type AgentId, SUPERVISOR } from "../../core/text/ids.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { newsOf } from "../../core/views/console-news.ts";
import type { Need, Snapshot } from "../../core/views/snapshot.ts";
import { nameOfNeed, ofWhom, whatToDo } from "../../core/views/what-to-do.ts";
import type { InboxView, LogView } from "../../engine/views/views.ts";
import { type Command, type Io, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { carryOut } from "../session/carry-out.ts";
import { localTime } from "../show/local-time.ts";
import { renderAgents, renderStatus, speaker } from "../show/render.ts";
import { renderLandingPlan } from "../show/render-landing.ts";
import { act, ask, connect } from "../supervisor/connect.ts";
import type { Repository } from "../wire/find-repository.ts";

const WAIT_SECONDS = 20;
const PROMPT = "> ";

const HELP = `how's feat-auth going? · anything blocked?   answered here; no agent is told
tell feat-auth to use bcrypt                  sends it to the agent as a directive
should feat-a land before feat-b?             answered from what is known, else written down as a question
allow · deny <why> · allow q5 · deny q5 <why> answers a permission request; y and n do the same
/verify [agent]  /land [--plan] [branch]      tests agents' work, and lands it in the right order
/questions  /answer <question> <answer>  /agents  /status [agent]  /tell <agent> <text>  /help  /quit`;

export const command: Command = {
  name: "console",
  summary: "Talk to the session: ask for its status, direct agents, answer questions; shows events as they happen",
  examples: [
    { run: "banksman console", does: "opens the console until Ctrl-D; pane 0 of `start --supervisor` is the same" },
    { run: 'echo "/agents" | banksman console', does: "runs one command from a script" },
  ],
  async run(_, io) {
    return converse(await requireRepository(io), io);
  },
};

async function converse(repository: Repository, io: Io): Promise<number> {
  const lines = createInterface({
    input: process.stdin,
    output: io.terminal ? process.stdout : undefined,
    prompt: PROMPT,
  });
  const say = (text: string) => {
    if (io.terminal) process.stdout.write("\r\u001b[K");
    io.out(`${text}\n`);
    if (io.terminal) lines.prompt(true);
  };
  const over = new AbortController();
  if (io.terminal) {
    say("banksman console. Type /help for what you can say here.");
    void follow(repository, { say, ring: io.ring }, over.signal);
  }
  for await (const line of lines) {
    try {
      if ((await respond(repository, line, say)) === "quit") break;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      say(error.message);
    }
    if (io.terminal) lines.prompt();
  }
  over.abort();
  lines.close();
  return OK;
}

async function respond(repository: Repository, text: string, say: (text: string) => void): Promise<"quit" | undefined> {
  // Also where no supervisor answers.
  if (readInput(text, []).kind === "quit") return "quit";
  const connection = await connect(repository, "never");
  const snapshot = await ask<Snapshot>(connection, "/snapshot");
  const input = readInput(
    text,
    snapshot.agents.map(({ id, branch }) => ({ id, branch })),
  );
  switch (input.kind) {
    case "directive":
    case "answer":
    case "permission":
      say(await carryOut(connection, input, snapshot));
      return undefined;
    case "judgement":
      say(await judge(connection, input));
      return undefined;
    case "verify":
    case "land":
      say(await checkOrLand(connection, input));
      return undefined;
    case "status":
      say(await describe(connection, input, snapshot));
      return undefined;
    default:
      say(reply(input, snapshot));
      return undefined;
  }
}

/** Asked for here, it goes on in the background; what comes of it is shown here as it is said. */
async function checkOrLand(
  connection: Connection,
  input: Extract<ConsoleInput, { kind: "verify" | "land" }>,
): Promise<string> {
  if (input.kind === "verify") {
    const { names } = await act<{ names: readonly string[] }>(connection, {
      type: "verify",
      refs: input.refs,
      fresh: false,
    });
    return `Verifying ${names.join(", ")}. \`banksman verify ${names[0] ?? ""}\` shows the gates.`;
  }
  const { branches, plan } = input;
  if (plan)
    return renderLandingPlan(await act<LandingPlan>(connection, { type: "land", branches, dryRun: true })).trimEnd();
  const asked = await act<{ branches: readonly string[] }>(connection, { type: "land", branches, dryRun: false });
  return `Landing ${asked.branches.join(", ")}. /status shows the train.`;
}

type Replied = Exclude<
  ConsoleInput,
  { kind: "directive" | "answer" | "permission" | "judgement" | "status" | "verify" | "land" }
>;

/** From what is known: nothing of it is published. */
function reply(input: Replied, snapshot: Snapshot): string {
  switch (input.kind) {
    case "nothing":
    case "quit":
      return "";
    case "help":
      return HELP;
    case "agents":
      return renderAgents(snapshot.agents, Date.now()).join("\n");
    case "questions":
      return snapshot.needsYou.length === 0 ? "Nothing needs you." : snapshot.needsYou.map(needLine).join("\n");
    case "unknown-agent":
      return unknownAgent(input, snapshot);
    case "unclear":
      return input.hint;
  }
}

function unknownAgent({ name, near }: Extract<ConsoleInput, { kind: "unknown-agent" }>, { agents }: Snapshot): string {
  const { message, hint } = explain({ kind: "agent.unknown", agent: name, known: agents.map(({ id }) => id), near });
  return `${message} ${hint}`;
}

const needLine = (need: Need): string =>
  `  ${nameOfNeed(need)}${ofWhom(need)}: ${onOneLine(need.text)}\n      ${whatToDo(need)}`;

const HELD = ["blocked", "stuck", "waiting", "failed"];

/** How it goes: the whole session, those that are held up, or one agent with its unread messages and its screen. */
async function describe(
  connection: Connection,
  { about, only }: Extract<ConsoleInput, { kind: "status" }>,
  snapshot: Snapshot,
): Promise<string> {
  if (about === null && only === null) return renderStatus(snapshot, Date.now()).trimEnd();
  const shown = snapshot.agents.filter(({ id, state }) => (about === null ? HELD.includes(state) : id === about));
  if (shown.length === 0) return "No agent is blocked, stuck or waiting.";
  const needs = snapshot.needsYou.filter(({ agent }) => shown.some(({ id }) => id === agent));
  const lines = [...renderAgents(shown, Date.now()), ...needs.map(needLine)];
  if (about === null) return lines.join("\n");
  const inbox = await ask<InboxView>(connection, `/inbox/${encodeURIComponent(about)}`);
  const unread = inbox.filter(({ delivered }) => !delivered).slice(-SHOWN_MESSAGES);
  const screen = await ask<{ screen: string | null }>(connection, `/screen/${encodeURIComponent(about)}`);
  const last = (screen.screen ?? "").trimEnd().split("\n").slice(-SHOWN_LINES);
  return [
    ...lines,
    ...unread.map(({ from, text }) => `  unread from ${from}: ${onOneLine(text)}`),
    ...(screen.screen === null ? [] : last.map((line) => `  │ ${onOneLine(line)}`)),
  ].join("\n");
}

const SHOWN_MESSAGES = 5;
const SHOWN_LINES = 5;

/** Answered from what agents have said; what stays open becomes one question that everybody can see. */
async function judge(
  connection: Connection,
  { text, between }: Extract<ConsoleInput, { kind: "judgement" }>,
): Promise<string> {
  const { entries } = await ask<LogView>(connection, "/log?limit=10000");
  const blocked = entries.flatMap(({ message, from }): Blocked[] => {
    const { type, payload } = message as { type?: string; payload?: { from?: AgentId } };
    return type === "agent.blocked" && payload?.from ? [{ agent: from, by: payload.from }] : [];
  });
  const known = settle(between, blocked);
  if (known !== null) return known;
  const asked = await call(connection, "POST", "/publish", {
    type: "agent.question",
    agent_id: SUPERVISOR,
    payload: { question: text },
  });
  if (typeof asked === "string" || asked.status !== 202) return "I do not know, and it could not be written down.";
  return "I do not know; it is an open question now: `banksman questions`.";
}

/** What is said and done, as it happens. */
async function follow(
  repository: Repository,
  { say, ring }: { say(text: string): void; ring(): void },
  over: AbortSignal,
): Promise<void> {
  let since: number | null = null;
  let before: readonly Need[] = [];
  while (!over.aborted) {
    try {
      const connection = await connect(repository, "never");
      // The log first: a question that is in it is open at the look after, unless it was answered by then.
      const { entries, last_seq }: LogView = await ask<LogView>(connection, `/log?since=${since ?? 0}&limit=10000`);
      const { needsYou, version } = await ask<Snapshot & { version: number }>(connection, "/snapshot");
      const news = newsOf(since === null ? [] : entries, needsYou, before);
      for (const { at, from, to, text } of news.entries)
        say(`${localTime(at, Date.now())} ${speaker(from, to)}: ${onOneLine(text)}`);
      // Somebody may be looking elsewhere.
      if (news.needs.length > 0) ring();
      for (const need of news.needs) say(needLine(need));
      since = last_seq;
      before = needsYou;
      const patience = { ms: (WAIT_SECONDS + 10) * 1000, signal: over };
      await ask(connection, `/snapshot?since=${version}&wait=${WAIT_SECONDS}`, patience);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
    }
  }
}
