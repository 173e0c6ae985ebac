import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicMessages } from "./model/anthropic-messages.ts";
import type { Asked, Dialect, Reply } from "./model/dialect.ts";
import { geminiContent } from "./model/gemini-content.ts";
import { openaiChat } from "./model/openai-chat.ts";
import { openaiResponses } from "./model/openai-responses.ts";
import { faultKey, locate, nextTurn, type Position, type Turn } from "./model/script.ts";
import { answerAside } from "./model/side-requests.ts";
import { callFor } from "./model/tools.ts";
import { workFolder } from "./model/work-folder.ts";

/** A model that does what the prompt's `[[…]]` markers say (`script.ts`), on loopback, in every API our CLIs speak. */
export interface ScriptedModel {
  readonly url: string;
  /** What models were asked, oldest first; requests without tools (titles, summaries) are among them. */
  readonly requests: readonly ModelRequest[];
  /** What else was asked for, as `METHOD path`. */
  readonly asides: readonly string[];
  /** Ends every answer that is still under way. */
  close(): Promise<void>;
}

export interface ModelRequest {
  readonly api: Dialect["api"];
  readonly scenario: string;
  /** The kind of the step this request got, `end` after the last one, `aside` without tools. */
  readonly step: string;
  /** The texts of the tool results since the prompt with the markers. */
  readonly results: readonly string[];
  readonly tools: readonly string[];
  /** The newest text that came from a user. */
  readonly prompt: string;
  /** All of them: a conversation that was taken up again begins with its past. */
  readonly users: readonly string[];
  /** The request as it came: what hooks add is neither a user's text nor a tool's. */
  readonly raw: string;
}

const DIALECTS = [anthropicMessages, openaiChat, openaiResponses, geminiContent];
const PIECE_MS = 250;

export async function startModel(): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const asides: string[] = [];
  const over = new Set<string>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const raw = await bodyOf(request);
    const dialect = DIALECTS.find((each) => request.method === "POST" && each.matches(path));
    if (dialect === undefined) {
      asides.push(`${request.method} ${request.url}`);
      return send(response, answerAside(request.url ?? ""));
    }
    const body = parse(raw);
    const asked = dialect.read(body, path);
    const position = locate(asked.entries);
    const turn = turnFor(asked, position, over);
    requests.push({ ...recordOf(dialect, asked, position, turn), raw });
    const id = String(requests.length).padStart(6, "0");
    await answer(response, dialect, turn, { asked, id, folder: workFolder(raw) });
  };
  // A client that has hung up needs no answer.
  const server = createServer((request, response) => take(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asides,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Without tools nobody can do what a script says: then it is a title or a summary that is wanted. */
function turnFor(asked: Asked, position: Position, over: Set<string>): Turn {
  if (asked.tools.length === 0) return { text: "ok", slowly: 0, call: null, fault: null };
  const turn = nextTurn(position, (index) => over.has(faultKey(position, index)));
  if (turn.fault !== null) over.add(faultKey(position, position.steps.indexOf(turn.fault)));
  return turn;
}

function recordOf(
  dialect: Dialect,
  asked: Asked,
  { scenario, results }: Position,
  turn: Turn,
): Omit<ModelRequest, "raw"> {
  const { api } = dialect;
  const tools = asked.tools.map(({ name }) => name);
  const users = asked.entries.filter(({ from }) => from === "user").map(({ text }) => text);
  const prompt = users.at(-1) ?? "";
  const step = tools.length === 0 ? "aside" : (turn.fault?.kind ?? turn.call?.kind ?? "end");
  return { api, scenario, step, results, tools, prompt, users };
}

async function answer(
  response: ServerResponse,
  dialect: Dialect,
  turn: Turn,
  { asked, id, folder }: { asked: Asked; id: string; folder: string | null },
): Promise<void> {
  const { fault } = turn;
  if (fault?.kind === "hang") return;
  if (fault?.kind === "status") {
    const body = dialect.failure(fault.code, `scripted ${fault.code}`);
    return send(response, { status: fault.code, body, headers: fault.code === 429 ? { "retry-after": "1" } : {} });
  }
  const reply = replyTo(turn, asked, id, folder);
  if (!asked.streamed && fault === null) {
    await sleep(turn.slowly * 1000);
    return send(response, { status: 200, body: dialect.whole(reply) });
  }
  const stream = dialect.stream(reply);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  response.write(stream.opening());
  for (const piece of piecesOf(reply.text, turn.slowly)) {
    if (response.destroyed) return;
    response.write(stream.piece(piece));
    if (turn.slowly > 0) await sleep(PIECE_MS);
  }
  if (fault?.kind === "midhang") return;
  if (fault?.kind === "drop") {
    await sleep(PIECE_MS);
    return void response.destroy();
  }
  response.end(stream.closing());
}

function replyTo(turn: Turn, asked: Asked, id: string, folder: string | null): Reply {
  const call = turn.call === null ? null : callFor(turn.call, asked.tools, folder);
  const impossible = turn.call !== null && call === null ? `no tool for ${turn.call.kind} is offered` : null;
  const text = asked.schema === undefined ? turn.text : JSON.stringify(sampleOf(asked.schema));
  return { text: impossible ?? text, call, model: asked.model, id };
}

/** At the given pace: one piece each quarter of a second. In no time: in a few. */
function piecesOf(text: string, seconds: number): readonly string[] {
  const least = Math.ceil((seconds * 1000) / PIECE_MS);
  const size = seconds > 0 ? Math.max(1, Math.floor(text.length / least)) : 12;
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
  return [...Array.from({ length: Math.max(0, least - pieces.length) }, () => "… "), ...pieces];
}

/** The smallest value a JSON schema allows, nearly. */
function sampleOf(schema: unknown): unknown {
  const { type, properties, enum: values } = (schema ?? {}) as Record<string, unknown>;
  if (Array.isArray(values)) return values[0];
  const kind = String(type).toLowerCase();
  if (kind === "object") {
    return Object.fromEntries(Object.entries(properties ?? {}).map(([name, each]) => [name, sampleOf(each)]));
  }
  if (kind === "array") return [];
  if (kind === "number" || kind === "integer") return 1;
  return kind === "boolean" ? false : "ok";
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: { status: number; body: unknown; headers?: Readonly<Record<string, string>> },
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return {};
  }
}
