import type { Instant } from "../text/ids.ts";

/** What an agent's process says over its structured channel, whatever the CLI: one vocabulary for all of them. */
export type AgentEvent =
  | { readonly type: "session"; readonly id: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool.start"; readonly id: string; readonly name: string; readonly input: string }
  /** `output`: what it has answered, where the CLI says it. */
  | { readonly type: "tool.end"; readonly id: string; readonly ok: boolean; readonly output?: string }
  | { readonly type: "permission"; readonly request: string; readonly text: string; readonly command: string | null }
  /** A request that needs no answer any more: somebody gave it on the agent's own screen. */
  | { readonly type: "permission.over"; readonly request: string }
  | { readonly type: "retry"; readonly attempt: number; readonly reason: string }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "plan"; readonly entries: readonly string[] }
  | { readonly type: "end"; readonly how: EndHow; readonly message: string };

export type EndHow = "ok" | "error" | "refused" | "aborted" | "timeout";

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  /** In US dollars, where the CLI reports it. */
  readonly cost: number | null;
}

export const NO_USAGE: Usage = { input: 0, output: 0, cached: 0, cost: null };

export function addUsage(a: Usage, b: Usage): Usage {
  const cost = a.cost === null && b.cost === null ? null : (a.cost ?? 0) + (b.cost ?? 0);
  return { input: a.input + b.input, output: a.output + b.output, cached: a.cached + b.cached, cost };
}

/**
 * Events that change what is recorded; the others are only signs of life. `retrying`: the event before was a retry, so
 * that another one is no news, and anything else is.
 */
export const isWeighty = (event: AgentEvent, retrying: boolean): boolean =>
  event.type === "retry"
    ? !retrying
    : retrying || event.type === "session" || event.type === "permission" || event.type === "usage";

/** Whether a retry's reason says that its model's provider wants it to slow down. */
export const isRateLimit = (reason: string): boolean => /\b429\b|rate.?limit|too many requests/i.test(reason);

/** How a process ended. `end` is the end its stream announced; without a stream the exit code is all there is. */
export interface Exit {
  readonly at: Instant;
  readonly code: number | null;
  readonly signal: string | null;
  readonly end: { readonly how: EndHow; readonly message: string } | null;
  /** It rested after its turn, and we let it go: its exit code says nothing any more. */
  readonly dismissed?: boolean;
  /** Whether this kind of CLI announces its end: then an exit without one is a failure, whatever the code. */
  readonly announces: boolean;
  readonly lastLine: string;
  /** Nobody knows how it ended: the pane it ran in is not there any more. */
  readonly closed?: boolean;
}
