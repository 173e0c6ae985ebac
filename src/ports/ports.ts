import type { AgentCli } from "./agent-cli.ts";
import type { Clock } from "./clock.ts";
import type { Command } from "./command.ts";
import type { Files } from "./files.ts";
import type { Git } from "./git.ts";
import type { History } from "./history.ts";
import type { Predictor } from "./predictor.ts";
import type { Slots } from "./slots.ts";
import type { Store } from "./store.ts";
import type { Target } from "./target.ts";
import type { Tmux } from "./tmux.ts";
import type { Tokens } from "./tokens.ts";
import type { Watcher } from "./watcher.ts";

/** Everything the supervisor needs of the world. Made in cli/wire.ts, or of fakes in tests. */
export interface Ports {
  readonly store: Store;
  readonly git: Git;
  readonly predictor: Predictor;
  readonly history: History;
  readonly slots: Slots;
  readonly target: Target;
  readonly watcher: Watcher;
  readonly files: Files;
  readonly command: Command;
  readonly agents: AgentCli;
  readonly tmux: Tmux;
  readonly clock: Clock;
  readonly tokens: Tokens;
}
