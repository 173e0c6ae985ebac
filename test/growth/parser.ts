import type { Shape } from "./shapes.ts";

/** Something that reads what agents, repositories, planners or strangers wrote. */
export interface Parser {
  readonly name: string;
  run(text: string): unknown;
  /** What has to stand before the rest to get further into it; nothing is always tried as well. */
  readonly begins?: readonly string[];
  readonly ends?: readonly string[];
  readonly shapes?: Readonly<Record<string, Shape>>;
}
