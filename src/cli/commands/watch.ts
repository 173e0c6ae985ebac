import { readInput } from "../../core/console-input.ts";
import { Failed } from "../../core/failure.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { Source } from "../../dashboard/watch.tsx";
import type { LogView } from "../../engine/views.ts";
import { type Command, OK } from "../command.ts";
import { act, ask, connect } from "../connect.ts";
import { requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { speaker } from "../render.ts";

const WAIT_SECONDS = 5;
const RETRY_MS = 1_000;
const MESSAGES = 500;

export const command: Command = {
  name: "watch",
  summary: "Watch the session live: what needs you, every agent, and what is said; quitting stops nothing",
  examples: [
    { run: "banksman watch", does: "until q; t tells an agent something, r answers a question" },
    { run: "banksman watch   # in another terminal", does: "as many as you like, each at its own size" },
  ],
  ownSignals: true,
  async run(_, io) {
    const here = await requireHere(io);
    if (!io.terminal)
      throw new Failed({
        kind: "usage",
        message: "`watch` needs a terminal.",
        hint: "For programs: `banksman status --json`, `banksman log --jsonl`.",
      });
    const { showDashboard } = await import("../../dashboard/watch.tsx");
    await showDashboard(sourceOf(here));
    // A question to the supervisor may still be open, which waits for news on purpose.
    return process.exit(OK);
  },
};

/** Over HTTP, like everybody: a supervisor that comes back is found again. */
function sourceOf(here: Here): Source {
  return {
    follow(show) {
      let over = false;
      const turn = async (): Promise<void> => {
        while (!over) {
          const problem = await look(here, show).catch((error: unknown) => error);
          if (problem === undefined) continue;
          if (!(problem instanceof Failed)) throw problem;
          show(problem.message);
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      };
      void turn();
      return () => {
        over = true;
      };
    },
    send: (line, snapshot) => send(here, line, snapshot).catch((error: Error) => error.message),
  };
}

type Show = Parameters<Source["follow"]>[0];

async function look(here: Here, show: Show): Promise<void> {
  const line = await connect(here, "never");
  const snapshot = await ask<Snapshot & { version: number }>(line, "/snapshot");
  const { last_seq } = await ask<{ last_seq: number }>(line, "/status");
  const { entries } = await ask<LogView>(line, `/log?since=${Math.max(0, last_seq - MESSAGES)}&limit=${MESSAGES}`);
  const log = entries.map(({ seq, at, from, to, text, message }) => {
    const type = String((message as { type?: unknown }).type).replace(/^(agent|supervisor)\./, "");
    return { seq, at, from: speaker(from, to), text, message, type };
  });
  show({ snapshot, log });
  await ask(line, `/snapshot?since=${snapshot.version}&wait=${WAIT_SECONDS}`, (WAIT_SECONDS + 10) * 1000);
}

async function send(here: Here, text: string, snapshot: Snapshot | null): Promise<string> {
  const input = readInput(text, snapshot?.agents ?? []);
  const line = await connect(here, "never");
  if (input.kind === "directive") {
    const { seq } = await act<{ seq: number }>(line, { type: "tell", agent: input.agent, text: input.text });
    return `told ${input.agent} (message ${seq})`;
  }
  if (input.kind === "answer") {
    const { id } = await act<{ id: string }>(line, { type: "answer", question: input.question, answer: input.text });
    return `${id} answered`;
  }
  return input.kind === "unknown-agent"
    ? `there is no agent ${input.name}`
    : "tell <agent> <text>, or answer <question> <text>";
}
