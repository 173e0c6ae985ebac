import { counted } from "../text/counted.ts";
import { at, parseObject, textAt } from "../text/json-fields.ts";
import { readPermission, readUpdate } from "./acp.ts";
import { controlDialect } from "./claude.ts";
import { codexReader } from "./codex.ts";
import { copilotReader } from "./copilot.ts";
import type { Dialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import { geminiReader } from "./gemini.ts";
import { opencodeReader } from "./opencode.ts";
import { eventsDialect } from "./own-dialects.ts";
import { rpcDialect } from "./pi.ts";

/** One thing that was said or done, for people to read. */
export type Entry =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool"; readonly input: string; readonly ok: boolean | null; readonly output: string }
  | { readonly type: "asked"; readonly text: string }
  | { readonly type: "retry"; readonly text: string }
  | { readonly type: "end"; readonly how: string; readonly message: string }
  /** A line that belongs to no protocol: a warning, a stack trace, or all that a plain command prints. */
  | { readonly type: "line"; readonly text: string };

const MARK = '{"banksman":"prompt"';

/** The line of a log that says what an agent was told: of its protocol only its own side is logged. */
export const promptLine = (text: string): string => JSON.stringify({ banksman: "prompt", text });

/** A line that an agent printed, as it is logged: it is never taken for one of ours. */
export const printedLine = (line: string): string => (line.startsWith(MARK) ? ` ${line}` : line);

/**
 * What was said and done in a run without a terminal, from its log. The CLI need not be known: of all readers the one
 * counts that understands most. Null for the log of a pane, which is no protocol.
 */
export function readTranscript(log: string): readonly Entry[] | null {
  const lines = log.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const isOurs = lines.some((line) => line.startsWith(MARK));
  // Logs of earlier versions have no prompts in them; what a pane has shown has escapes.
  if (!isOurs && log.includes("\u001b")) return null;
  const best = mostUnderstood(lines);
  if (best === null && !isOurs) return null;
  const hear = best?.make() ?? null;
  const transcript = new Transcript(best?.pieces ?? false);
  for (const line of lines) {
    if (line.startsWith(MARK))
      transcript.entries.push({ type: "prompt", text: (textAt(parseObject(line), "text") ?? "").trimEnd() });
    else if (hear === null || parseObject(line) === null) transcript.entries.push({ type: "line", text: line });
    else for (const event of hear(line)) transcript.add(event);
  }
  return transcript.entries;
}

/** Enough lines to tell one protocol from another. */
const SAMPLE = 500;

function mostUnderstood(lines: readonly string[]): LogReader | null {
  const sample = lines.filter((line) => line.startsWith("{") && !line.startsWith(MARK)).slice(0, SAMPLE);
  let best: { readonly reader: LogReader | null; readonly count: number } = { reader: null, count: 0 };
  for (const reader of READERS) {
    const hear = reader.make();
    const count = sample.reduce((sum, line) => sum + hear(line).length, 0);
    if (count > best.count) best = { reader, count };
  }
  return best.reader;
}

class Transcript {
  readonly entries: Entry[] = [];
  private readonly tools = new Map<string, number>();

  /** `pieces`: one text comes in several events. */
  constructor(private readonly pieces: boolean) {}

  add(event: AgentEvent): void {
    switch (event.type) {
      case "text":
        return this.addText(event.text);
      case "tool.start":
        this.tools.set(event.id, this.entries.length);
        this.entries.push({ type: "tool", input: callText(event), ok: null, output: "" });
        return;
      case "tool.end":
        return this.endTool(event);
      case "permission":
        this.entries.push({ type: "asked", text: event.text });
        return;
      case "retry":
        this.entries.push({ type: "retry", text: event.reason });
        return;
      case "end":
        this.entries.push({ type: "end", how: event.how, message: event.message });
        return;
      default:
        return;
    }
  }

  private addText(text: string): void {
    const last = this.entries.at(-1);
    if (this.pieces && last?.type === "text")
      this.entries[this.entries.length - 1] = { ...last, text: last.text + text };
    else if (text !== "") this.entries.push({ type: "text", text });
  }

  private endTool({ id, ok, output = "" }: Extract<AgentEvent, { type: "tool.end" }>): void {
    const at = this.tools.get(id);
    const begun = at === undefined ? undefined : this.entries[at];
    if (at !== undefined && begun?.type === "tool") this.entries[at] = { ...begun, ok, output };
  }
}

/** Most readers begin with the tool's name already. */
function callText({ name, input }: Extract<AgentEvent, { type: "tool.start" }>): string {
  if (input === "") return name;
  return name === "tool" || input.startsWith(name) ? input : `${name}: ${input}`;
}

const heard = (dialect: Pick<Dialect, "hear">) => (line: string) => dialect.hear(line).events;

interface LogReader {
  make(): (line: string) => readonly AgentEvent[];
  readonly pieces: boolean;
}

const READERS: readonly LogReader[] = [
  { make: () => heard(eventsDialect()), pieces: false },
  { make: () => heard(controlDialect()), pieces: false },
  { make: () => heard(rpcDialect()), pieces: false },
  { make: codexReader, pieces: false },
  { make: opencodeReader, pieces: false },
  { make: copilotReader, pieces: false },
  { make: geminiReader, pieces: true },
  { make: acpReader, pieces: true },
];

/** The agent's side of the Agent Client Protocol. */
function acpReader(): (line: string) => AgentEvent[] {
  return (line) => {
    const fields = parseObject(line);
    if (fields?.jsonrpc !== "2.0") return [];
    if (fields.method === "session/update") return readUpdate(at(fields, "params", "update"));
    return fields.method === "session/request_permission" ? [readPermission("", fields.params)] : [];
  };
}

const MOST_OUTPUT_LINES = 10;

/** The same as text: `>` what it was told, `*` what it did, with the answer below it, `?` what it asked. */
export function renderTranscript(entries: readonly Entry[]): string {
  return entries
    .map((entry, i) => {
      const before = entries[i - 1]?.type;
      const gap = i === 0 || (before === entry.type && entry.type !== "text") ? "" : "\n";
      return gap + renderEntry(entry, entries[i - 1]);
    })
    .join("\n");
}

function renderEntry(entry: Entry, before: Entry | undefined): string {
  switch (entry.type) {
    case "prompt":
      return indented(entry.text, "> ");
    case "text":
    case "line":
      return entry.text;
    case "tool":
      return [`* ${entry.input}${entry.ok === false ? "   (failed)" : ""}`, ...outputLines(entry.output)].join("\n");
    case "asked":
      return `? ${entry.text}`;
    case "retry":
      return `! tries again: ${entry.text}`;
    case "end": {
      const said = before?.type === "text" && before.text.trim() === entry.message.trim();
      const words = entry.how === "ok" ? "= done" : `= ended: ${entry.how}`;
      return said || entry.message === "" ? words : `${words}: ${entry.message}`;
    }
  }
}

function outputLines(output: string): string[] {
  const lines = output === "" ? [] : output.split("\n");
  const more = lines.length - MOST_OUTPUT_LINES;
  return [
    ...lines.slice(0, MOST_OUTPUT_LINES).map((line) => `    ${line}`),
    ...(more > 0 ? [`    … ${counted(more, "more line")}`] : []),
  ];
}

const indented = (text: string, mark: string): string =>
  text
    .split("\n")
    .map((line) => `${mark}${line}`.trimEnd())
    .join("\n");
