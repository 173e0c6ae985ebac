import type { EffectId, Outcome } from "../core/effects.ts";
import type { LaneKey } from "../core/ids.ts";
import type { SessionSettings } from "../core/settings.ts";
import type { Ports } from "../ports/ports.ts";
import type { Journal } from "./journal.ts";
import type { OutlookKeeper } from "./keep-outlook.ts";
import type { LivingAgents } from "./living.ts";
import type { Polling } from "./polling.ts";

/** What every part of the engine works with. Made once per supervisor. */
export interface House extends Ports {
  readonly journal: Journal;
  readonly living: LivingAgents;
  readonly polling: Polling;
  readonly outlook: OutlookKeeper;
  /** How effects went whose outcome is not stored yet: a disk that fails must not have them performed again. */
  readonly outcomes: Map<EffectId, Outcome>;
  readonly place: HousePlace;
  /** Read afresh: the file may have been edited. Rejects with `config.problems`. */
  settings(): Promise<SessionSettings>;
  wake(lane: LaneKey): void;
  /** Puts the panes where they belong; many who ask at once are served by one go. */
  arrange(): Promise<void>;
  /** Started to stop, purge or restore: its agents stay down until somebody asks for them. */
  held: boolean;
}

export interface HousePlace {
  readonly root: string;
  readonly project: string;
  readonly repository: string;
  /** The user's folder for this repository: never inside it. */
  readonly state: string;
  /** Starts every run marker of this repository. */
  readonly session: string;
  /** Patterns that hide what we put into worktrees. */
  readonly excludes: string;
  /** A folder with our own command in it, first on the agents' PATH. */
  readonly shims: string;
  /** Git hooks for agents: the repository's own, and what keeps them on their branch. */
  readonly hooks: string;
  /** The broker's base URL, e.g. `http://127.0.0.1:4321`. */
  url(): string;
  /** Our own program, to be run in panes. */
  readonly program: readonly string[];
  /** The user's environment, of which agents get a part. */
  readonly env: Readonly<Record<string, string>>;
}
