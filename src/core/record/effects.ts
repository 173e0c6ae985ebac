import type { Failure } from "../failure/failure.ts";

/** Numbered through the life of the journal; the same number is performed again after a crash, never a new one. */
export type EffectId = number & { readonly brand: "EffectId" };

/**
 * An effect as the journal and the loop know it. Each kind of lane has a table of its own effects: per type what the
 * effect asks for, and what performing it gives back. Performing one twice has the result of performing it once: an
 * effect says what must be so afterwards, not what to do.
 */
export interface AnyEffect {
  readonly type: string;
}

/** How performing went, as the journal keeps it. */
export type AnyOutcome =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | { readonly ok: false; readonly failure: Failure };

/** `Table` maps an effect's type to `{ asks, gives }`. */
export type EffectOf<Table, Type extends keyof Table = keyof Table> = {
  [Each in Type]: { readonly type: Each } & Asks<Table, Each>;
}[Type];

/** An outcome has the type of its effect. `skipped`: it was no longer wanted when its turn came. */
export type OutcomeOf<Table, Type extends keyof Table> =
  | ({ readonly ok: true; readonly skipped?: undefined } & Gives<Table, Type>)
  | { readonly ok: true; readonly skipped: true }
  | { readonly ok: false; readonly failure: Failure };

/** An effect that was performed, together with how that went. */
export type SettledOf<Table> = {
  [Type in keyof Table]: {
    readonly id: EffectId;
    readonly effect: EffectOf<Table, Type>;
    readonly outcome: OutcomeOf<Table, Type>;
  };
}[keyof Table];

type Asks<Table, Type extends keyof Table> = Table[Type] extends { readonly asks: infer Order } ? Order : never;
type Gives<Table, Type extends keyof Table> = Table[Type] extends { readonly gives: infer Result } ? Result : never;

/** Per type of effect, what follows from its having been done. */
export type WhenDone<Table, Draft> = {
  readonly [Type in keyof Table]?: (draft: Draft, effect: EffectOf<Table, Type>, given: Gives<Table, Type>) => void;
};

/** Follows up an effect that was done; one that failed or was skipped is not followed up here. */
export function followDone<Table, Draft>(rules: WhenDone<Table, Draft>, draft: Draft, settled: SettledOf<Table>): void {
  const { effect, outcome } = settled as { effect: EffectOf<Table>; outcome: OutcomeOf<Table, keyof Table> };
  if (!outcome.ok || outcome.skipped) return;
  const rule = rules[effect.type as keyof Table];
  // The table's own type says that effect and outcome belong together; a union of pairs cannot be taken apart in types.
  rule?.(draft, effect as never, outcome as never);
}
