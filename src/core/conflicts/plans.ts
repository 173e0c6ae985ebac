import type { Intent } from "../claims/intents.ts";
import type { AgentId } from "../text/ids.ts";

/** One agent's plans and work, as far as others can run into them. */
export interface Plans {
  readonly agent: AgentId;
  /** What it has modified and not committed. */
  readonly files: readonly string[];
  readonly intent: Intent | null;
  /** What its spec says belongs to it. */
  readonly owned: readonly string[];
  /** Nobody works on this spec here: it has an owner's rights, and no inbox. */
  readonly absent?: true;
}

/** How the first of two agents is at a path with the second: both modify it, or one modifies what the other plans. */
export interface Touch {
  readonly path: string;
  readonly how: "both" | "modifies-planned" | "plans-modified";
}

export interface Overlap {
  readonly words: string;
  readonly crossKind: boolean;
}
