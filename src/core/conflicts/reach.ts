import type { Instant } from "../ids.ts";
import type { Intent } from "../intents.ts";
import { covers, normalPath, pathOf } from "./claim-paths.ts";
import type { Plans } from "./detect.ts";

/** An agent's plans, ready to be asked about: a thousand agents are gone through for every message. */
export class Reach {
  private set: ReadonlySet<string> | null = null;
  readonly claims: Intent["claims"];
  readonly exact: ReadonlyMap<string, Intent["claims"][number]>;
  readonly patterns: readonly string[];

  constructor(
    readonly plans: Plans,
    now: Instant,
  ) {
    const { intent } = plans;
    const { claims, exact, patterns } = intent !== null && intent.expiresAt > now ? readClaims(intent) : NO_CLAIMS;
    this.claims = claims;
    this.exact = exact;
    this.patterns = patterns;
  }

  /** Made for the one whose news it is, and not for a thousand others. */
  get files(): ReadonlySet<string> {
    this.set ??= new Set(this.plans.files);
    return this.set;
  }

  modifies(file: string): boolean {
    return this.set === null ? this.plans.files.includes(file) : this.set.has(file);
  }

  plansFor(file: string): boolean {
    return this.exact.has(file) || this.patterns.some((pattern) => covers(pattern, file));
  }

  owns(file: string): boolean {
    return this.plans.owned.some((pattern) => covers(normalPath(pattern), file));
  }
}

interface Claims {
  readonly claims: Intent["claims"];
  /** By path in its one spelling. */
  readonly exact: ReadonlyMap<string, Intent["claims"][number]>;
  /** Those that may cover more than one file. */
  readonly patterns: readonly string[];
}

const NO_CLAIMS: Claims = { claims: [], exact: new Map(), patterns: [] };

/** An intent is never changed, only replaced: it is read once. */
const known = new WeakMap<Intent, Claims>();

function readClaims(intent: Intent): Claims {
  const before = known.get(intent);
  if (before !== undefined) return before;
  const exact = new Map(intent.claims.map((claim) => [normalPath(pathOf(claim)), claim]));
  const patterns = [...exact.keys()].filter((path) => /[*?[\]{}!]|\/$/.test(path) || !/\.[^/]*$/.test(path));
  const claims = { claims: intent.claims, exact, patterns };
  known.set(intent, claims);
  return claims;
}
