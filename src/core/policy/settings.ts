import type { Level, Stack } from "./context.ts";

/** The part of a context that the configuration says. */
export interface PolicySettings {
  readonly level: Level;
  readonly usual: boolean;
  readonly stacks: readonly Stack[] | "auto";
  readonly extra: readonly (readonly string[])[];
}
