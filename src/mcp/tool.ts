import type { ArgumentTable, Given } from "./arguments.ts";

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
