import type { Approval, ChannelName } from "./kind.ts";

/** How an agent's program is started: resolved once from the config, and recorded, so that a recovery starts the same. */
export interface Cli {
  readonly name: string;
  readonly argv: readonly string[];
  /** `events`: speaks our JSON lines. `plain`: any command; its exit code is its word. Else the name of one we know. */
  readonly protocol: string;
  /** Names of variables it gets from the user's environment besides the common ones. Values are never recorded. */
  readonly env: readonly string[];
  readonly resumeArgs: readonly string[];
  /** What it may do without asking; `manual` where nothing is said. */
  readonly approval?: Approval;
  /** The way it is run headless, where the user chose one. */
  readonly channel?: ChannelName | null;
  readonly limits?: Limits;
}

/** Where a run is ended by us: no CLI gives up by itself on a model that does not answer. Null is no limit. */
export interface Limits {
  /** Without any output, while it is not waiting for somebody. */
  readonly idleSeconds: number | null;
  /** At work, waiting for somebody not counted. */
  readonly workSeconds: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}
