import type { Failure } from "../failure/failure.ts";
import type { Finding } from "../messages/finding.ts";
import type { EffectOf, SettledOf } from "../record/effects.ts";
import type { Branch, Commit, Instant } from "../text/ids.ts";
import type { Blocked, Candidate, Strategy } from "./landing.ts";
import type { ConflictedFile } from "./texts.ts";

/** What a landing asks of the engine. */
export interface LandingEffects {
  /** Where everything is, and who needs whom. */
  "land.look": {
    asks: {
      readonly target: Branch;
      readonly branches: readonly Pick<Candidate, "branch" | "agent" | "tip">[];
      readonly blocked: readonly Blocked[];
    };
    gives: {
      readonly base: Commit;
      /** Per branch those it has to land after. */
      readonly needs: Readonly<Record<string, readonly string[]>>;
      /** Pairs that are predicted to conflict. */
      readonly meets: readonly (readonly [string, string])[];
    };
  };
  /** What in a branch only a person can accept. */
  "branch.inspect": {
    asks: {
      readonly branch: string;
      readonly tip: Commit;
      readonly target: Branch;
      readonly base: Commit;
      readonly accepted: readonly string[];
    };
    /** `failed`: what it does not satisfy. `accepted`: there was something, and a person has accepted all of it. */
    gives: { readonly open: readonly Finding[]; readonly accepted: boolean; readonly failed?: readonly Finding[] };
  };
  /** A branch's own work, on top of a commit. Done again with the same `date`, it makes the same commits. */
  "branch.replay": {
    asks: {
      readonly branch: string;
      readonly tip: Commit;
      readonly target: Branch;
      readonly onto: Commit;
      readonly base: Commit;
      /** Where it was when it last landed. */
      readonly since: Commit | null;
      readonly date: Instant;
      readonly strategy: Strategy;
    };
    gives: Replayed;
  };
  /** Has the gates run on a commit that is to be landed. */
  "train.test": {
    asks: { readonly commit: Commit; readonly target: Branch; readonly base: Commit; readonly again: boolean };
    gives: { readonly check: string; readonly cached: boolean };
  };
  /** Puts the target's ref, and every checkout of it, from one commit to another. */
  "target.move": {
    asks: {
      readonly target: Branch;
      readonly from: Commit;
      readonly to: Commit;
      readonly tree: string;
      readonly count: number;
    };
    gives: Moved;
  };
}

export type Replayed =
  | { readonly how: "staged"; readonly to: Commit; readonly tree: string; readonly files: readonly string[] }
  /** Everything in it is there already. */
  | { readonly how: "nothing" }
  /** It does not contain the target, and only such a branch is taken. */
  | { readonly how: "diverged" }
  /** `withTarget`: it conflicts with the target alone, without what is staged on it. */
  | { readonly how: "conflict"; readonly files: readonly ConflictedFile[]; readonly withTarget: boolean };

export type Moved =
  | { readonly how: "moved" }
  | { readonly how: "moved-by-another" }
  | { readonly how: "refused"; readonly because: string };

/** Whether a failure may come from one branch alone. What is wrong with the machine or the config holds everything up. */
export const isOwn = ({ kind }: Failure): boolean => OWN.includes(kind);

const OWN: readonly Failure["kind"][] = [
  ...(["git.failed", "git.blocked", "file.failed", "gates.submodule", "land.too-many"] as const),
  ...(["land.unrelated", "land.collision", "internal"] as const),
];

export type LandingEffect<Type extends keyof LandingEffects = keyof LandingEffects> = EffectOf<LandingEffects, Type>;
export type LandingSettled = SettledOf<LandingEffects>;

/** What the gates said of a commit. */
export interface TestedCommit {
  readonly is: "green" | "red" | "waiting" | "running";
  readonly findings: readonly Finding[];
  /** Why it waits. */
  readonly because: string | null;
  /** It waits because this very tree could not be laid out: the others need not wait for that. */
  readonly own?: true;
}
