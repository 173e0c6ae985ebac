import type { EpicEffect, RoleRequest } from "../core/epic/decided.ts";
import type { Epic } from "../core/epic/epic.ts";
import type { Signal } from "../core/epic/signals.ts";

/** Who judges for an epic. */
export interface Roles {
  /**
   * One question, one answer as it was given. `person` where nobody but a person answers for that role; `failed` where
   * whoever does could not. Never rejects, and always comes back: how long it may take is its own affair.
   */
  ask(request: RoleRequest, epic: Epic): Promise<RoleAnswer>;
}

export type RoleAnswer = { readonly said: string } | { readonly person: true } | { readonly failed: string };

/** Who sends workers, and hears of them. */
export interface Dispatcher {
  /** Once per key, however often it is asked. Null, or why it cannot be. */
  dispatch(effect: EpicEffect & { kind: "dispatch" }, epic: Epic, place: string): Promise<string | null>;
  /** What is known of the workers of items that are in progress. */
  observe(epic: Epic): Promise<readonly Signal[]>;
}

/** Who tells a person. */
export interface Notifier {
  /** Once per key. Never rejects. */
  notify(key: string, text: string): Promise<void>;
}
