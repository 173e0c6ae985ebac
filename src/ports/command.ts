import type { Environment } from "../core/clis/environment.ts";

/** A program run to its end: argv, own process group, bounded time and output. Never a shell string with data in it. */
export interface Command {
  /**
   * Contract: never rejects for what the program does; one that cannot be started has code null and says why in
   * `stderr`. At the time limit the whole group is ended; when it resolves, no process of the group is left.
   */
  run(order: CommandOrder): Promise<CommandResult>;
}

export interface CommandOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly input?: string | Uint8Array;
  /** Standard output goes into this new file, whole, and `stdout` stays empty. */
  readonly output?: string | Uint8Array;
  /** A file that gets everything it prints; the result then holds only the end of it. */
  readonly log?: string;
  /** How much of that the file gets at most: what is more is left out, and its end is written behind it. */
  readonly mostLogBytes?: number;
  /** Hears everything it prints, as it comes. */
  readonly onOutput?: (chunk: Uint8Array) => void;
  /** Ends it before its time, group and all. */
  readonly signal?: AbortSignal;
  /** Names its processes, in place of the usual name for commands of ours. */
  readonly marker?: string;
}

export interface CommandResult {
  readonly code: number | null;
  readonly timedOut: boolean;
  /** The signal that ended it from outside, if one did. */
  readonly killedBy?: string;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}
