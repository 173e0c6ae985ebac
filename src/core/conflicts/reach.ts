import type { Claim } from "../claims/claim.ts";
import { containersOf, covers, isGlob, normalPath, pathOf, regionsOf } from "../claims/claim-paths.ts";
import type { Intent } from "../claims/intents.ts";
import type { Instant } from "../text/ids.ts";
import type { Plans } from "./plans.ts";

/** An agent's plans, ready to be asked about: a thousand agents are gone through for every message. */
export class Reach {
  private set: ReadonlySet<string> | null = null;
  readonly claims: Intent["claims"];
  readonly exact: ReadonlyMap<string, Claim>;
  readonly globs: readonly string[];

  constructor(
    readonly plans: Plans,
    now: Instant,
  ) {
    const { intent } = plans;
    const { claims, exact, globs } = intent !== null && intent.expiresAt > now ? readClaims(intent) : NO_CLAIMS;
    this.claims = claims;
    this.exact = exact;
    this.globs = globs;
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
    if (this.exact.size === 0) return false;
    return (
      this.exact.has(file) ||
      containersOf(file).some((path) => this.exact.has(path)) ||
      this.globs.some((glob) => covers(glob, file))
    );
  }

  owns(file: string): boolean {
    return this.plans.owned.some((pattern) => covers(normalPath(pattern), file));
  }
}

interface Claims {
  readonly claims: Intent["claims"];
  /** By path in its one spelling. */
  readonly exact: ReadonlyMap<string, Claim>;
  /** Those that are found by trying them, and not by name. */
  readonly globs: readonly string[];
}

const NO_CLAIMS: Claims = { claims: [], exact: new Map(), globs: [] };

/** An intent is never changed, only replaced: it is read once. */
const known = new WeakMap<Intent, Claims>();

function readClaims(intent: Intent): Claims {
  const before = known.get(intent);
  if (before !== undefined) return before;
  const exact = new Map<string, Claim>();
  for (const claim of intent.claims) {
    const path = normalPath(pathOf(claim));
    exact.set(path, together(exact.get(path), claim));
  }
  const claims = { claims: intent.claims, exact, globs: [...exact.keys()].filter(isGlob) };
  known.set(intent, claims);
  return claims;
}

/** A path may be claimed more than once, part by part. */
function together(before: Claim | undefined, claim: Claim): Claim {
  const [one, other] = [before === undefined ? [] : regionsOf(before), regionsOf(claim)];
  return one === null || other === null ? pathOf(claim) : { path: pathOf(claim), regions: [...one, ...other] };
}
