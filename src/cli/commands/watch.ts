import { readInput } from "../../core/actions/console-input.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { Source } from "../../dashboard/watch.tsx";
import type { LogView } from "../../engine/views/views.ts";
import { type Command, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { carryOut } from "../session/carry-out.ts";
import { localTime } from "../show/local-time.ts";
import { speaker } from "../show/render.ts";
import { ask, connect } from "../supervisor/connect.ts";
import type { Repository } from "../wire/find-repository.ts";

const WAIT_SECONDS = 5;
const RETRY_MS = 1_000;
const MESSAGES = 500;

export const command: Command = {
  name: "watch",
  summary: "Show the session live: what needs you, every agent, every message; quitting stops nothing",
  examples: [
    { run: "banksman watch", does: "opens the dashboard until q; t sends a message, r answers a question" },
    { run: "banksman watch   # in another terminal", does: "opens a second one; each has its own size" },
  ],
  ownSignals: true,
  async run(_, io) {
    const repository = await requireRepository(io);
    if (!io.terminal)
      throw new Failed({
        kind: "usage",
        message: "`watch` needs a terminal.",
        hint: "For programs: `banksman status --json`, `banksman log --jsonl`.",
      });
    const { showDashboard } = await import("../../dashboard/watch.tsx");
    await showDashboard(sourceOf(repository), !io.env.NO_COLOR);
    // A question to the supervisor may still be open, which waits for news on purpose.
    return process.exit(OK);
  },
};

/** Over HTTP, like everybody: a supervisor that comes back is found again. */
function sourceOf(repository: Repository): Source {
  return {
    follow(show) {
      let over = false;
      const turn = async (): Promise<void> => {
        while (!over) {
          const problem = await look(repository, show).catch((error: unknown) => error);
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
    send: (line, snapshot) => send(repository, line, snapshot).catch((error: Error) => error.message),
  };
}

type Show = Parameters<Source["follow"]>[0];

async function look(repository: Repository, show: Show): Promise<void> {
  const connection = await connect(repository, "never");
  const snapshot = await ask<Snapshot & { version: number }>(connection, "/snapshot");
  const { last_seq } = await ask<{ last_seq: number }>(connection, "/status");
  const since = Math.max(snapshot.after, last_seq - MESSAGES);
  const { entries } = await ask<LogView>(connection, `/log?since=${since}&limit=${MESSAGES}`);
  const log = entries.map(({ seq, at, from, to, text, message }) => {
    const type = String((message as { type?: unknown }).type).replace(/^(agent|supervisor)\./, "");
    return { seq, time: localTime(at, Date.now()), from: speaker(from, to), text, message, type };
  });
  show({ snapshot, log });
  await ask(connection, `/snapshot?since=${snapshot.version}&wait=${WAIT_SECONDS}`, { ms: (WAIT_SECONDS + 10) * 1000 });
}

async function send(repository: Repository, text: string, snapshot: Snapshot | null): Promise<string> {
  const input = readInput(text, snapshot?.agents ?? []);
  if (input.kind === "directive" || input.kind === "answer" || input.kind === "permission")
    return carryOut(await connect(repository, "never"), input, snapshot ?? { needsYou: [] });
  return input.kind === "unknown-agent"
    ? `There is no agent called ${input.name}.`
    : "Type `tell <agent> <text>` or `answer <question> <text>`.";
}
