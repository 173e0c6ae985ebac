import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure.ts";
import { onOneLine } from "../../core/printable.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { LogView } from "../../engine/views.ts";
import { type Command, type Io, OK } from "../command.ts";
import { ask, connect } from "../connect.ts";
import { requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { renderStatus } from "../render.ts";

const WAIT_SECONDS = 5;
const RETRY_MS = 1_000;
const MESSAGES = 200;
const SCREEN_ON = "\u001b[?1049h\u001b[?25l";
const SCREEN_OFF = "\u001b[?25h\u001b[?1049l";
const HOME_AND_CLEAR = "\u001b[H\u001b[J";

export const command: Command = {
  name: "watch",
  summary: "Watch the session live: what needs you, every agent, and what is said; quitting stops nothing",
  examples: [
    { run: "banksman watch", does: "until q or Ctrl-C" },
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
    return watch(here, io);
  },
};

async function watch(here: Here, io: Io): Promise<number> {
  let over = false;
  let wake = () => {};
  const leave = () => {
    over = true;
    wake();
  };
  process.stdout.write(SCREEN_ON);
  process.stdin.setRawMode?.(true);
  process.stdin.on("data", (keys: Buffer) => {
    if (["q", "\u0003", "\u0004"].some((key) => keys.toString().includes(key))) leave();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, leave);
  const gone = new Promise<void>((resolve) => {
    wake = resolve;
  });
  try {
    while (!over) {
      const shown = await Promise.race([look(here, io), gone]).catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        process.stdout.write(`${HOME_AND_CLEAR}${error.message}\r\n`);
        return "wait" as const;
      });
      if (shown === "wait") await Promise.race([sleep(RETRY_MS), gone]);
    }
  } finally {
    process.stdin.setRawMode?.(false);
    process.stdin.pause();
    process.stdout.write(SCREEN_OFF);
  }
  return OK;
}

/** Draws what is so, and waits until something else is, or a while has passed: ages go on. */
async function look(here: Here, io: Io): Promise<void> {
  const line = await connect(here, "never");
  const snapshot = await ask<Snapshot & { version: number }>(line, "/snapshot");
  const { entries } = await ask<LogView>(line, `/log?since=${Math.max(0, await lastSeq(line))}&limit=${MESSAGES}`);
  const rows = process.stdout.rows || 24;
  const columns = process.stdout.columns || 80;
  const top = renderStatus(snapshot, Date.now()).trimEnd().split("\n");
  const said = entries.map(({ at, from, text, message }) => {
    const type = String((message as { type?: unknown }).type).replace(/^agent\./, "");
    return `${at.slice(11, 19)} · ${type} · ${from} · ${onOneLine(text)}`;
  });
  const room = Math.max(0, rows - top.length - 3);
  const lines = [...top, "", ...said.slice(-room)].slice(0, rows - 1);
  io.out(""); // Nothing of an agent's reaches the terminal but through the filter below.
  process.stdout.write(HOME_AND_CLEAR);
  io.out([...lines.map((each) => cut(each, columns)), "q quits; nothing stops"].join("\r\n"));
  await ask(line, `/snapshot?since=${snapshot.version}&wait=${WAIT_SECONDS}`, (WAIT_SECONDS + 10) * 1000);
}

async function lastSeq(line: Awaited<ReturnType<typeof connect>>): Promise<number> {
  const { last_seq } = await ask<{ last_seq: number }>(line, "/status");
  return last_seq - MESSAGES;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours take no room
const COLOUR = /\u001b\[[0-9;]*m/g;

const cut = (text: string, columns: number): string =>
  text.replaceAll(COLOUR, "").length <= columns ? text : text.replaceAll(COLOUR, "").slice(0, columns);
