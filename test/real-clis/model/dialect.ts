import type { Entry } from "./script.ts";
import type { Call, Tool } from "./tools.ts";

/** Every answer counts the same, so that tests can assert sums. Nothing is ever cached. */
export const USAGE = { input: 1234, output: 56 } as const;

/** What a request says, whatever the API. */
export interface Asked {
  readonly entries: readonly Entry[];
  readonly tools: readonly Tool[];
  readonly model: string;
  readonly streamed: boolean;
  /** The JSON schema the answer must satisfy, where one is given. */
  readonly schema: unknown;
}

export interface Reply {
  readonly text: string;
  readonly call: Call | null;
  readonly model: string;
  /** Unique within the server; ids of messages and calls are made of it. */
  readonly id: string;
}

/** A streamed answer as bytes: what comes first, the text in pieces, and the rest. */
export interface Stream {
  opening(): string;
  piece(text: string): string;
  closing(): string;
}

/** One API's way of saying the same things. */
export interface Dialect {
  readonly api: "messages" | "chat" | "responses" | "gemini";
  /** Of the path without the query. */
  matches(path: string): boolean;
  read(body: unknown, path: string): Asked;
  whole(reply: Reply): unknown;
  stream(reply: Reply): Stream;
  failure(status: number, message: string): unknown;
}

/** A server-sent event. */
export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

/** The names the OpenAI and Anthropic APIs have for what went wrong. */
export function errorType(status: number): string {
  const names: Readonly<Record<number, string>> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return names[status] ?? "api_error";
}
