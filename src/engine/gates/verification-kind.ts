import { decideVerification } from "../../core/gates/decide-verification.ts";
import {
  laneVerification,
  type Verification,
  type VerificationEvent,
  verificationLane,
} from "../../core/gates/verification.ts";
import type { VerificationEffects, VerificationFacts } from "../../core/gates/verification-effects.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Recording } from "../journal/recording.ts";
import type { LaneKind } from "../loop/lane-kind.ts";
import { type Inspecting, performInspect } from "./inspect-work.ts";
import { type Reviewing, reviewWork } from "./review-work.ts";

interface Seen {
  readonly commit: Commit | null;
  readonly base: Commit | null;
}

type VerificationKind = LaneKind<Verification, VerificationEvent, VerificationEffects, Seen, VerificationFacts>;

/** The lanes `verify/<name>`: what is known of one branch. */
export const verificationKind = (needs: Recording & Inspecting & Reviewing): VerificationKind => ({
  lane(key) {
    const name = laneVerification(key);
    return name === null ? null : verificationLane(name);
  },
  async observe({ ref, base }) {
    const { history } = needs;
    const [commit, onto] = await Promise.all([history.commitOf(ref), history.commitOf(`refs/heads/${base}`)]);
    return { commit, base: onto };
  },
  facts: (_, seen, settled) => ({ now: needs.clock.now(), view: needs.journal, settled, ...seen }),
  decide: decideVerification,
  stillWanted: ({ commit }, state) => state?.wanted?.commit === commit,
  performers: {
    "work.inspect": (effect) => performInspect(needs, effect),
    "work.review": async (effect) => ({ ok: true, review: await reviewWork(needs, effect) }),
  },
});
