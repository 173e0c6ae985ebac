import { Failed } from "../../core/failure.ts";
import { printable, toJson } from "../../core/printable.ts";
import type { EffectsView, LogView } from "../../engine/views.ts";
import { type Command, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";

const AT_ONCE = 1_000;

export const command: Command = {
  name: "log",
  summary: "The audit trail: every message, or everything banksman did",
  options: [
    { flags: "--since <n>", help: "Only what comes after this number." },
    { flags: "--effects", help: "What banksman decided and did, instead of the messages." },
    { flags: "--jsonl", help: "One JSON object per line." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman log", does: "who said what, in order" },
    { run: "banksman log --effects --jsonl --since 120", does: "what was done since effect 120, for a program" },
  ],
  async run({ options }, io) {
    const since = readSince(options.since);
    const reader = await openReader(await requireHere(io));
    const entries: (LogView["entries"][number] | EffectsView[number])[] = [];
    for (let after = since; ; ) {
      const page = options.effects ? await reader.effects(after, AT_ONCE) : (await reader.log(after, AT_ONCE)).entries;
      entries.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < AT_ONCE) break;
      after = "seq" in last ? last.seq : last.id;
    }
    await reader.close();
    if (options.json) printJson(io, entries);
    else for (const entry of entries) io.out(options.jsonl ? `${toJson(entry)}\n` : line(entry));
    if (entries.length === 0 && !options.json && !options.jsonl) sayNothing(io);
    return OK;
  },
};

function readSince(text: unknown): number | null {
  if (text === undefined) return null;
  if (typeof text === "string" && /^\d{1,15}$/.test(text)) return Number(text);
  throw new Failed({
    kind: "usage",
    message: "--since must be a whole number.",
    hint: "The first column of `banksman log` is that number.",
  });
}

function line(entry: LogView["entries"][number] | EffectsView[number]): string {
  if ("seq" in entry) {
    const { seq, at, from, to, text } = entry;
    const type = String(entry.message.type).replace(/^agent\./, "");
    return `${String(seq).padStart(5)}  ${at.slice(11, 19)}  ${from} → ${to.join(", ") || "log"}  ${type}: ${printable(text.split("\n")[0] ?? "")}\n`;
  }
  const { id, at, lane, effect, outcome } = entry;
  const how = outcome === null ? "under way" : outcome.ok ? "done" : `failed: ${outcome.failure.kind}`;
  return `${String(id).padStart(5)}  ${at.slice(11, 19)}  ${lane}  ${effect}  ${how}\n`;
}

const sayNothing = (io: Io): void => io.out("Nothing yet.\n");
