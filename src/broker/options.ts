import type { Action, ActionType } from "../core/actions/actions.ts";
import type { RateLimit } from "../core/messages/rate.ts";
import type { Identity } from "../core/messages/roles.ts";
import type { Scene } from "../core/views/snapshot.ts";
import type { EngineContext } from "../engine/context.ts";

export type ActionTable = {
  readonly [Type in ActionType]: (action: Extract<Action, { type: Type }>, by: Identity) => Promise<unknown>;
};

export interface RouteOptions {
  readonly context: EngineContext;
  readonly actions: ActionTable;
  readonly operatorDigest: string;
  readonly rate: RateLimit;
  readonly version: string;
  supervisor(): NonNullable<Scene["supervisor"]>;
  onBug(error: unknown): void;
}
