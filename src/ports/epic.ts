import type { EpicEffects, RoleRequest } from "../core/epic/decide/decided.ts";
import type { Signal } from "../core/epic/decide/signals.ts";
import type { RoleAnswer } from "../core/epic/decide/tick.ts";
import type { Epic } from "../core/epic/file/epic.ts";
import type { EffectOf } from "../core/record/effects.ts";
import type { Instant } from "../core/text/ids.ts";
import type { EpicStore } from "./epic-store.ts";

/** Who judges for an epic. */
export interface Roles {
  /**
   * One question, one answer as it was given. `person` where nobody but a person answers for that role; `failed` where
   * whoever does could not. Never rejects, and always comes back: how long it may take is its own affair.
   */
  ask(request: RoleRequest, epic: Epic): Promise<RoleAnswer>;
}

/** Who sends workers, and hears of them. */
export interface Dispatcher {
  /**
   * Once per key, however often it is asked. Null, or why it cannot be: also where the key was another item's, or the epic
   * is behind what was sent from here.
   */
  dispatch(effect: EffectOf<EpicEffects, "dispatch">, epic: Epic, place: string): Promise<string | null>;
  /** Those of these workers that cannot be sent from here, each with the reason in words that follow its name. Starts nobody. */
  unable(workers: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What is known of the workers of items that are in progress. */
  observe(epic: Epic): Promise<readonly Signal[]>;
}

/** Who tells a person. */
export interface Notifier {
  /** Once per key. Never rejects. */
  notify(key: string, text: string): Promise<void>;
}

/** What a tick needs of the world. */
export interface EpicPorts {
  readonly store: EpicStore;
  readonly roles: Roles;
  readonly dispatcher: Dispatcher;
  readonly notifier: Notifier;
  now(): Instant;
  /** Whether whoever took a lease is known to be gone: then it holds nobody up. */
  isGone(by: string): boolean;
}

/** Who judges, works and tells for an epic. */
export type EpicWorkers = Pick<EpicPorts, "roles" | "dispatcher" | "notifier">;
