import { Failed } from "../../core/failure/failed.ts";
import { printable, toJson } from "../../core/text/printable.ts";
import type { EffectsView, LogView } from "../../engine/views/views.ts";
import { type Command, type Io, JSON_OPTION, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { localTime } from "../show/local-time.ts";
import { messageLine } from "../show/message-line.ts";
import { openReader, type Reader } from "../supervisor/reader.ts";

const AT_ONCE = 1_000;

export const command: Command = {
  name: "log",
  summary: "Print the audit trail: every message, or everything banksman did",
  options: [
    {
      flags: "--since <n>",
      help: "Print only entries after this number. Without it, the newest 1000 messages; with --json or --jsonl, all.",
    },
    { flags: "--all", help: "Print messages of earlier sessions too." },
    { flags: "--effects", help: "Print what banksman decided and did, instead of the messages." },
    { flags: "--jsonl", help: "Print one JSON object per line." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman log", does: "prints who said what, in order" },
    { run: "banksman log --effects --jsonl --since 120", does: "prints what was done after effect 120, for a program" },
  ],
  async run({ options }, io) {
    const asked = readSince(options.since);
    const reader = await openReader(await requireRepository(io));
    const print = options.json ? printList(io) : printLines(io, options.jsonl === true);
    try {
      if (options.effects) for await (const entry of effects(reader, asked)) print.entry(entry);
      else {
        const begins = options.all === true ? null : (await reader.snapshot()).after;
        const whole = options.json === true || options.jsonl === true;
        const from = asked ?? (whole ? begins : await newest(reader, io, begins ?? 0));
        for await (const entry of messages(reader, from)) print.entry(entry);
      }
    } finally {
      await reader.close();
    }
    print.end();
    return OK;
  },
};

type Entry = LogView["entries"][number] | EffectsView[number];

/** For people the end of the log; where it is longer, they are told how to see all of it. */
async function newest(reader: Reader, io: Io, begins: number): Promise<number> {
  const { head, kept } = await reader.log(null, 1);
  const first = Math.max(kept, begins);
  const from = Math.max(first, head - AT_ONCE);
  if (from > first)
    io.err(
      `The newest ${AT_ONCE} of ${head - first} messages; \`banksman log --since ${first}\` prints all of them.\n`,
    );
  return from;
}

async function* messages(reader: Reader, from: number | null): AsyncGenerator<Entry> {
  for (let after = from; ; ) {
    const { entries, last_seq } = await reader.log(after, AT_ONCE);
    if (entries.length === 0) return;
    yield* entries;
    after = last_seq;
  }
}

async function* effects(reader: Reader, from: number | null): AsyncGenerator<Entry> {
  for (let after = from; ; ) {
    const page = await reader.effects(after, AT_ONCE);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.id ?? after;
  }
}

interface Printer {
  entry(entry: Entry): void;
  end(): void;
}

/** One JSON list, written as it comes: a long log is never in memory as a whole. */
function printList(io: Io): Printer {
  let before = "[";
  return {
    entry(entry) {
      io.out(`${before}\n${toJson(entry)}`);
      before = ",";
    },
    end: () => io.out(before === "[" ? "[]\n" : "\n]\n"),
  };
}

function printLines(io: Io, json: boolean): Printer {
  let count = 0;
  return {
    entry(entry) {
      io.out(json ? `${toJson(entry)}\n` : line(entry));
      count++;
    },
    end() {
      if (count === 0 && !json) io.out("Nothing yet.\n");
    },
  };
}

function readSince(text: unknown): number | null {
  if (text === undefined) return null;
  if (typeof text === "string" && /^\d{1,15}$/.test(text)) return Number(text);
  throw new Failed({
    kind: "usage",
    message: "--since must be a whole number.",
    hint: "The first column of `banksman log` is that number.",
  });
}

function line(entry: Entry): string {
  const time = localTime(entry.at, Date.now());
  if ("seq" in entry) {
    return `${String(entry.seq).padStart(5)}  ${time}  ${messageLine(entry)}\n`;
  }
  const { id, lane, effect, outcome } = entry;
  const how = outcome === null ? "under way" : outcome.ok ? `done${notes(outcome)}` : `failed: ${outcome.failure.kind}`;
  return `${String(id).padStart(5)}  ${time}  ${lane}  ${effect}  ${how}\n`;
}

/** What performing it has to tell beside that it is done. */
function notes({ warnings }: Readonly<Record<string, unknown>>): string {
  return Array.isArray(warnings) && warnings.length > 0 ? `: ${printable(warnings.join("; "))}` : "";
}
