import type { ArgumentTable } from "./arguments.ts";

/** One tool of the MCP server. What it answers is sent as JSON; what it cannot do it says by throwing `Refused`. */
export interface Tool {
  readonly name: string;
  /** What a model reads to decide whether to call it. */
  readonly does: string;
  readonly takes: ArgumentTable;
  /** Changes something: a client may ask its user first. */
  readonly acts?: true;
  run(given: Given, signal: AbortSignal): Promise<unknown>;
}

/** Arguments that have been checked against the tool's table. */
export type Given = Readonly<Record<string, unknown>>;

/** A sentence for the caller. Anything else that is thrown is a bug of ours. */
export class Refused extends Error {
  override readonly name = "Refused";
}
