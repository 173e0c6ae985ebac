import type { Failure } from "../failure/failure.ts";
import { asErrors, type Finding, findingKey, inOneLine } from "../messages/finding.ts";
import {
  askedByLane,
  handed,
  isAbout,
  isOpen,
  type Question,
  refusalReason,
  unhanded,
  withdrawn,
} from "../messages/questions.ts";
import type { Change } from "../record/changes.ts";
import type { EffectOf } from "../record/effects.ts";
import { type Sent, send } from "../record/lane.ts";
import { type Saying, saying } from "../record/publish.ts";
import { counted } from "../text/counted.ts";
import { type LaneKey, SUPERVISOR } from "../text/ids.ts";
import { type Check, type CheckKey, checkKey, checkLane, isEnded, type Wish } from "./check.ts";
import { type GatePlan, neededGates, needsReview } from "./gate-plan.ts";
import type { Inspection } from "./inspection.ts";
import { type Judgement, judge } from "./judge.ts";
import { type Judged, UNAIMED, type Verification, type VerificationEvent, verificationLane } from "./verification.ts";
import type { VerificationEffects, VerificationFacts } from "./verification-effects.ts";

/** A landing goes first. */
const RANK = 2;

/** One step of a verification, as it is put together. */
export class VerificationDraft {
  readonly events: VerificationEvent[] = [];
  readonly changes: Change[] = [];
  readonly says: Saying[] = [];
  readonly sends: Sent[] = [];
  private readonly lane: LaneKey;
  /** Why a person has just refused something. */
  private reason = "";

  constructor(
    private state: Verification,
    private readonly facts: VerificationFacts,
  ) {
    this.lane = verificationLane(state.name).key;
  }

  private send(event: VerificationEvent): void {
    this.events.push(event);
    this.state = verificationLane(this.state.name).rules.reduce(this.state, event) ?? this.state;
  }

  /** What a person has answered since. */
  answers(): void {
    for (const question of this.questions().filter(unhanded)) {
      this.changes.push({ row: "question", put: handed(question) });
      const answer = question.closed?.how === "answered" ? question.closed.answer.trim().toLowerCase() : "";
      if (question.options.includes("again")) this.send({ type: "again", at: this.facts.now });
      else {
        // Those it was asked about: since then there may be others, which are asked about in turn.
        const findings = (question.request ?? "").split(" ").filter((each) => each !== "");
        this.send({ type: "settled", findings, accepted: answer === "accept" });
        if (answer !== "accept" && question.closed?.how === "answered")
          this.reason = refusalReason(question.closed.answer);
      }
    }
  }

  settle(): void {
    for (const { effect, outcome } of this.facts.settled) {
      const { wanted } = this.state;
      if (wanted?.commit !== effect.commit || wanted.base !== effect.baseCommit) continue;
      if (!outcome.ok) this.judged({ ...UNKNOWN, failure: outcome.failure });
      else if (outcome.skipped) continue;
      else if ("review" in outcome) this.send({ type: "reviewed", review: outcome.review });
      else {
        const { inspection, plan, planHash, notes } = outcome;
        const own = checkKey(inspection.tree, planHash);
        this.send({
          type: "prepared",
          prepared: { inspection, plan, own, onBase: checkKey(inspection.baseTree, planHash), notes },
        });
        this.request(wanted.fresh);
      }
    }
  }

  /** At the newest commit there is. That the base has moved on is the landing's affair: it tests the tree that lands. */
  aim(): void {
    const { wanted } = this.state;
    const { commit, base, now } = this.facts;
    if (wanted === null) return;
    if (commit === null || base === null) {
      const failure: Failure = { kind: "ref.unknown", ref: commit === null ? this.state.ref : this.state.base };
      if (this.state.judged?.failure?.kind !== "ref.unknown") this.judged({ ...UNKNOWN, failure });
      return;
    }
    if (wanted.commit === commit) return;
    // Nobody has asked again: a person's branch may go on unlooked at.
    if (this.state.agent === null && this.state.judged !== null && wanted.commit !== UNAIMED) return;
    this.letGo();
    this.send({ type: "aimed", commit, base, at: now });
  }

  next(): EffectOf<VerificationEffects>[] {
    const { wanted, prepared, judged, ref, base } = this.state;
    if (wanted === null || wanted.commit === UNAIMED || this.facts.commit === null) return [];
    if (judged !== null) return [];
    if (prepared === null) return [{ type: "work.inspect", ref, base, baseCommit: wanted.base, commit: wanted.commit }];
    const [own, onBase] = [this.check(prepared.own), this.check(prepared.onBase)];
    if (own === null || onBase === null) this.request(false);
    else if (isEnded(own) && isEnded(onBase)) {
      const { plan, inspection } = prepared;
      if (this.state.review === null && own.failure === null && onBase.failure === null && needsReview(plan))
        return [this.review(own, inspection, plan)];
      this.conclude(own, onBase, inspection);
    }
    return [];
  }

  private review({ results }: Check, inspection: Inspection, plan: GatePlan): EffectOf<VerificationEffects> {
    const { ref } = this.state;
    const those = (is: string) => results.filter(({ verdict }) => verdict === is).map(({ gate }) => gate);
    const { commit, base: baseCommit } = inspection;
    return {
      type: "work.review",
      ref,
      commit,
      baseCommit,
      inspection,
      plan,
      passed: those("pass"),
      failed: those("fail"),
    };
  }

  private conclude(own: Check, base: Check, inspection: Inspection): void {
    this.letGo();
    const failure = own.failure ?? base.failure;
    if (failure !== null) return this.judged({ ...UNKNOWN, check: own.key, tree: own.tree, failure });
    const { accepted, refused, review } = this.state;
    const judgement = judge({ results: own.results, base: base.results, inspection, accepted, refused, review });
    const { verdict, findings, because } = judgement;
    const nothing = own.gates.length === 0 && verdict === "waiting" && judgement.open.length === 0;
    this.judged({
      tree: own.tree,
      check: own.key,
      failure: null,
      findings,
      verdict: nothing && own.plan.none ? "skipped" : verdict,
      because,
    });
    this.tell(own, judgement);
    this.ask(judgement);
  }

  private judged(what: Omit<Judged, "commit" | "base" | "at">): void {
    const { commit = UNAIMED, base = UNAIMED } = this.state.wanted ?? {};
    this.send({ type: "judged", judged: { commit, base, at: this.facts.now, ...what } });
    if (what.failure !== null) this.askToMend(what.failure);
  }

  /** Once for each verdict on a commit. */
  private tell(own: Check, { verdict, findings, open }: Judgement): void {
    const { agent, judged, told } = this.state;
    const what = `${judged?.commit} ${verdict} ${findings.map(findingKey).join(" ")}`;
    if (agent === null || judged === null || told === what) return;
    this.send({ type: "told", what });
    if (verdict === "pass") {
      const payload = { verified_by: SUPERVISOR, message: passed(own) };
      this.says.push(saying({ type: "agent.verified", agent_id: agent, payload }));
    } else if (verdict === "fail" || open.length > 0) {
      const said = this.reason === "" ? [] : [`[testing] a person has refused this: ${this.reason}`];
      const payload = { from: SUPERVISOR, errors: [...said, ...asErrors(verdict === "fail" ? findings : open)] };
      this.says.push(saying({ type: "agent.feedback", agent_id: agent, payload }));
    }
  }

  /** One question for all of it; the one before is taken back where it is about something else. */
  private ask({ open, because, verdict }: Judgement): void {
    if (open.length > 0) {
      const keys = open.map(findingKey);
      // The landing has asked the same: one question is enough.
      if (this.others().some((question) => isAbout(question, keys))) return this.withdraw(() => true);
      const about = keys.join(" ");
      return this.question(acceptText(this.named(), open), ["accept", "refuse"], about);
    }
    if (verdict === "waiting" && because !== null)
      return this.question(`${this.named()} cannot be verified: ${because}. Mend that, and answer: again`, ["again"]);
    this.withdraw(() => true);
  }

  private askToMend(failure: Failure): void {
    // What is missing in the config is said by `verify` itself; a question would stay when it has been written.
    if (failure.kind === "ref.unknown" || failure.kind.startsWith("gates.")) return this.withdraw(() => true);
    this.question(
      `${this.named()} cannot be verified. Look at \`banksman verify ${this.named()}\`, and answer: again`,
      ["again"],
    );
  }

  /** As a person calls it: an agent's ref is written in full. */
  private named = (): string => this.state.ref.replace(/^refs\/heads\//, "");

  private question(text: string, options: readonly string[], request: string | null = null): void {
    const isSame = (question: Question) => question.text === text && question.request === request;
    this.withdraw((question) => !isSame(question));
    if (this.questions().some((question) => isOpen(question) && isSame(question))) return;
    const { agent } = this.state;
    const asked = {
      kind: "gate" as const,
      text,
      options,
      request,
      lane: this.lane,
      ...(agent !== null && { concerns: [agent] }),
    };
    this.changes.push({ row: "question", put: askedByLane(this.facts.view.nextQuestion, asked, this.facts.now) });
  }

  private others = (): Question[] =>
    [...this.facts.view.openQuestions.values()].filter((question) => question.lane !== this.lane && isOpen(question));

  private withdraw(which: (question: Question) => boolean): void {
    for (const question of this.questions())
      if (isOpen(question) && which(question))
        this.changes.push({ row: "question", put: withdrawn(question, this.facts.now) });
  }

  private questions(): Question[] {
    return [...this.facts.view.openQuestions.values()].filter(({ lane }) => lane === this.lane);
  }

  private check(key: CheckKey): Check | null {
    return this.facts.view.state(checkLane(key));
  }

  /** The base first, so that what it leaves ready can be used again. */
  private request(fresh: boolean): void {
    const { prepared } = this.state;
    if (prepared === null) return;
    const { inspection, plan, own, onBase } = prepared;
    const { commit, tree, base, baseTree, changes, more } = inspection;
    const every = plan.commands.map(({ gate }) => gate);
    const needed =
      more > 0
        ? every
        : neededGates(
            plan,
            changes.map(({ path }) => path),
          );
    const wish: Wish = { lane: this.lane, all: true, rank: RANK };
    const at = this.facts.now;
    const onto = { branch: this.state.base, commit: base };
    for (const [key, request] of [
      [onBase, { commit: base, tree: baseTree, base: onto, plan, gates: every }],
      [own, { commit, tree, base: onto, plan, gates: own === onBase ? every : needed }],
    ] as const) {
      this.sends.push(send(checkLane(key), { type: "requested", request, wish, at }));
      if (fresh && key === own) this.sends.push(send(checkLane(key), { type: "again", wish, at }));
    }
  }

  private letGo(): void {
    const { prepared } = this.state;
    for (const key of prepared === null ? [] : [prepared.own, prepared.onBase])
      this.sends.push(send(checkLane(key), { type: "let-go", lane: this.lane }));
  }
}

const UNKNOWN = { tree: "", verdict: "waiting", findings: [], because: null, check: null } as const;

function passed({ results }: Check): string {
  const tests = results.reduce((sum, { counts }) => sum + (counts === null ? 0 : counts.passed), 0);
  const names = results.map(({ gate }) => gate).join(", ");
  return tests > 0 ? `${names} pass (${counted(tests, "test")})` : `${names} pass`;
}

function acceptText(ref: string, open: readonly Finding[]): string {
  const shown = open.slice(0, 4).map((finding) => inOneLine(finding).replace(/^\[[^\]]*\] /, ""));
  const more = open.length > shown.length ? `; and ${open.length - shown.length} more` : "";
  return `${ref} counts as verified only once you accept: ${shown.join("; ")}${more}. Accept or refuse?`;
}
