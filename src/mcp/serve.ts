import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { explain } from "../core/failure/explain.ts";
import { Failed } from "../core/failure/failed.ts";
import { toJson } from "../core/text/printable.ts";
import { readArguments, schemaOf } from "./arguments.ts";
import { Refused } from "./refused.ts";
import type { Tool } from "./tool.ts";
import { createWire } from "./wire.ts";

export interface Offer {
  readonly name: string;
  readonly version: string;
  /** What a model is told about all of it. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** What went wrong besides; never on standard output, which is the protocol's. */
  onError(error: unknown): void;
}

/** Longer answers fill a model's context and help nobody. */
const LONGEST_ANSWER = 1024 * 1024;

/** Speaks MCP on standard input and output until the input ends, and what was asked before is answered. */
export function serveTools(offer: Offer): Promise<void> {
  const wire = createWire(process.stdin, process.stdout);
  serveStdio(() => createServer(offer, wire.leaving), {
    transport: wire.transport,
    onerror: (error) => offer.onError(error),
  });
  return wire.follow();
}

function createServer({ name, version, instructions, tools, onError }: Offer, leaving: AbortSignal): Server {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions });
  const described = tools.map(({ name, does, takes, acts }) => ({
    name,
    description: does,
    inputSchema: schemaOf(takes),
    annotations: { readOnlyHint: acts !== true },
  }));
  server.setRequestHandler("tools/list", () => ({ tools: described }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools.find((each) => each.name === params.name);
    try {
      if (tool === undefined) throw new Refused(`There is no tool ${JSON.stringify(params.name.slice(0, 80))}.`);
      const given = readArguments(tool.takes, params.arguments);
      return textResult(toJson((await tool.run(given, AbortSignal.any([mcpReq.signal, leaving]))) ?? null), false);
    } catch (error) {
      if (!(error instanceof Refused) && !(error instanceof Failed)) onError(error);
      return textResult(sentenceFor(error), true);
    }
  });
  return server;
}

function textResult(text: string, isError: boolean) {
  const long = text.length > LONGEST_ANSWER;
  const shown = long ? `The answer is longer than ${LONGEST_ANSWER} characters: ask for less.` : text;
  return { content: [{ type: "text" as const, text: shown }], isError: isError || long };
}

function sentenceFor(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (!(error instanceof Failed)) return "This is a bug in banksman; standard error has more.";
  const { message, hint } = explain(error.failure);
  return `${message} ${hint}`;
}
