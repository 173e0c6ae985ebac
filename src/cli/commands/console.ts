import { createInterface } from "node:readline";
import { call } from "../../broker/client.ts";
import { type Blocked, type ConsoleInput, readInput, settle } from "../../core/console-input.ts";
import { Failed } from "../../core/failure.ts";
import { type AgentId, SUPERVISOR } from "../../core/ids.ts";
import { onOneLine } from "../../core/printable.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { LogView } from "../../engine/views.ts";
import { type Command, type Io, OK } from "../command.ts";
import { act, ask, connect } from "../connect.ts";
import { requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { renderAgents, renderStatus, speaker } from "../render.ts";

const WAIT_SECONDS = 20;
const PROMPT = "> ";

const HELP = `how's feat-auth going? · anything blocked?   answered here, nobody is told
tell feat-auth to use bcrypt                  a directive into its inbox
should feat-a land before feat-b?             answered from what is known, else asked once
/agents  /status [agent]  /tell <agent> <text>  /answer <question> <answer>  /help  /quit`;

export const command: Command = {
  name: "console",
  summary: "Talk to the session: ask how it goes, direct agents, answer questions; what happens scrolls by",
  examples: [
    { run: "banksman console", does: "until Ctrl-D; it is also pane 0 of `start --supervisor`" },
    { run: 'echo "/agents" | banksman console', does: "one line from a script" },
  ],
  async run(_, io) {
    return converse(await requireHere(io), io);
  },
};

async function converse(here: Here, io: Io): Promise<number> {
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
  let over = false;
  if (io.terminal) {
    say("banksman console: /help says what you can say here");
    void follow(here, say, () => over);
  }
  for await (const line of lines) {
    try {
      if ((await respond(here, line, say)) === "quit") break;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      say(error.message);
    }
    if (io.terminal) lines.prompt();
  }
  over = true;
  lines.close();
  return OK;
}

async function respond(here: Here, text: string, say: (text: string) => void): Promise<"quit" | undefined> {
  const line = await connect(here, "never");
  const snapshot = await ask<Snapshot>(line, "/snapshot");
  const input = readInput(
    text,
    snapshot.agents.map(({ id, branch }) => ({ id, branch })),
  );
  switch (input.kind) {
    case "quit":
      return "quit";
    case "directive": {
      const { seq } = await act<{ seq: number }>(line, { type: "tell", agent: input.agent, text: input.text });
      say(`Told ${input.agent} (message ${seq}); \`banksman inbox ${input.agent}\` says when it has seen it.`);
      return undefined;
    }
    case "answer": {
      const done = await act<{ id: string; agent: string | null }>(line, {
        ...input,
        type: "answer",
        answer: input.text,
      });
      say(`${done.id} answered; ${done.agent ?? "it"} goes on.`);
      return undefined;
    }
    case "judgement":
      say(await judge(line, input));
      return undefined;
    default:
      say(reply(input, snapshot));
      return undefined;
  }
}

type Replied = Exclude<ConsoleInput, { kind: "quit" | "directive" | "answer" | "judgement" }>;

/** From what is known: nothing of it is published. */
function reply(input: Replied, snapshot: Snapshot): string {
  switch (input.kind) {
    case "nothing":
      return "";
    case "help":
      return HELP;
    case "agents":
      return renderAgents(snapshot.agents, Date.now()).join("\n");
    case "status": {
      if (input.about === null && input.only === null) return renderStatus(snapshot, Date.now()).trimEnd();
      const held = ["blocked", "stuck", "waiting", "failed"];
      const shown = snapshot.agents.filter(({ id, state }) =>
        input.about === null ? held.includes(state) : id === input.about,
      );
      const needs = snapshot.needsYou.filter(({ agent }) => shown.some(({ id }) => id === agent));
      if (shown.length === 0) return "Nobody is blocked, stuck or waiting.";
      return [...renderAgents(shown, Date.now()), ...needs.map(({ id, text }) => `  ${id}: ${onOneLine(text)}`)].join(
        "\n",
      );
    }
    case "unknown-agent":
      return `There is no agent ${input.name}${input.near === null ? `: ${snapshot.agents.map(({ id }) => id).join(", ")}` : `; did you mean ${input.near}`}.`;
    case "unclear":
      return input.hint;
  }
}

/** Answered from what agents have said; what stays open is asked once, in everybody's sight. */
async function judge(
  line: Awaited<ReturnType<typeof connect>>,
  { text, between }: Extract<ConsoleInput, { kind: "judgement" }>,
): Promise<string> {
  const { entries } = await ask<LogView>(line, "/log?limit=10000");
  const blocked = entries.flatMap(({ message, from }): Blocked[] => {
    const { type, payload } = message as { type?: string; payload?: { from?: AgentId } };
    return type === "agent.blocked" && payload?.from ? [{ agent: from, by: payload.from }] : [];
  });
  const known = settle(between, blocked);
  if (known !== null) return known;
  const asked = await call(line, "POST", "/publish", {
    type: "agent.question",
    agent_id: SUPERVISOR,
    payload: { question: text },
  });
  if (typeof asked === "string" || asked.status !== 202) return "I do not know, and it could not be written down.";
  return "I do not know; it is an open question now: `banksman questions`.";
}

/** What is said and done, as it happens. */
async function follow(here: Here, say: (text: string) => void, over: () => boolean): Promise<void> {
  let since: number | null = null;
  while (!over()) {
    try {
      const line = await connect(here, "never");
      const snapshot = await ask<Snapshot & { version: number }>(line, "/snapshot");
      const { entries, last_seq }: LogView = await ask<LogView>(line, `/log?since=${since ?? 0}&limit=10000`);
      if (since !== null)
        for (const { at, from, to, text } of entries)
          say(`${at.slice(11, 19)} ${speaker(from, to)}: ${onOneLine(text)}`);
      since = last_seq;
      await ask(line, `/snapshot?since=${snapshot.version}&wait=${WAIT_SECONDS}`, (WAIT_SECONDS + 10) * 1000);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
    }
  }
}
