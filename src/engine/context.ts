import type { Base } from "../core/gates/check.ts";
import type { GateSettings } from "../core/gates/gate-settings.ts";
import type { ReviewerAnswer } from "../core/gates/governance/review.ts";
import type { LandSettings } from "../core/landing/land-settings.ts";
import type { SessionSettings } from "../core/session/settings.ts";
import type { Timers } from "../core/session/timers.ts";
import type { LaneKey } from "../core/text/ids.ts";
import type { Ports } from "../ports/ports.ts";
import type { AgentProcesses } from "./agents/agent-processes.ts";
import type { PredictionKeeper } from "./conflicts/keep-predictions.ts";
import type { SlotPool } from "./gates/slot-pool.ts";
import type { Journal } from "./journal/journal.ts";
import type { Place } from "./loop/place.ts";
import type { Polling } from "./messages/polling.ts";

/**
 * Everything one supervisor has. Made once, in supervise.ts; the rooms of the engine do not import this, but name the
 * parts they need.
 */
export interface EngineContext extends Ports {
  readonly journal: Journal;
  readonly processes: AgentProcesses;
  readonly polling: Polling;
  readonly predictions: PredictionKeeper;
  readonly place: Place;
  readonly timers: Timers;
  /** Read afresh: the file may have been edited. Rejects with `config.problems`. */
  settings(): Promise<SessionSettings>;
  /** What gates run, as the config of one commit says. Rejects with `config.problems`. */
  gates(base: Base): Promise<GateSettings>;
  /** How verified work lands. Rejects with `config.problems`. */
  land(): Promise<LandSettings>;
  /** Asks whoever reviews work; `person` where nobody is configured. Rejects with `config.problems`. */
  review(prompt: string): Promise<ReviewerAnswer>;
  /** Who has which slot for gates. */
  readonly pool: SlotPool;
  wake(lane: LaneKey): void;
  /** Puts the panes where they belong; many who ask at once are served by one go. */
  arrange(): Promise<void>;
  /** Started to stop, purge or restore: its agents stay down until a person asks for them. */
  held: boolean;
  /** What takes long at the moment, and how far it is. */
  progress: Progress | null;
}

export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
}
