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
}

export interface CommandResult {
  readonly code: number | null;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}
