import type { Finding } from "../messages/finding.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import type { Candidate, Landings, Strategy } from "./landing.ts";

/** `land --yes --json`, and what is shown while it runs. Fields may be added, never renamed. */
export interface LandingView {
  readonly target: string | null;
  readonly strategy: Strategy;
  readonly running: boolean;
  readonly landed: readonly LandedView[];
  readonly bounced: readonly EndedView[];
  readonly skipped: readonly EndedView[];
  /** Something has to be settled before these can be tried again. */
  readonly waiting: readonly EndedView[];
  /** What is under way, in order: the train first. */
  readonly train: readonly {
    readonly branch: string;
    readonly agent: AgentId | null;
    readonly state: "queued" | "staged";
  }[];
  /** What happens at this moment, in words; null where nothing does. */
  readonly now: string | null;
  readonly gateRuns: number;
  readonly seconds: number;
}

export interface LandedView {
  readonly branch: string;
  readonly agent: AgentId | null;
  readonly from: string;
  readonly to: string;
  readonly point: string;
  readonly tree: string;
  readonly flaky?: true;
}

interface EndedView {
  readonly branch: string;
  readonly agent: AgentId | null;
  readonly because: string;
  readonly findings: readonly Finding[];
}

/** `runs`: the gate that runs for a check, if one does. */
export function viewLanding(
  state: Landings,
  now: Instant,
  runs: (check: string) => { readonly gate: string; readonly seconds: number; readonly line: string } | null,
): LandingView {
  const those = (of: Candidate["state"]) =>
    state.queue
      .filter((each) => each.state === of)
      .map(({ branch, agent, because, findings }) => ({ branch, agent, because: because ?? "", findings }));
  const since = state.since ?? state.began;
  return {
    target: state.target,
    strategy: state.strategy,
    running: state.since !== null,
    landed: state.queue.filter((each) => each.state === "landed").map((each) => landedView(state, each)),
    bounced: those("bounced"),
    skipped: those("skipped"),
    waiting: those("waiting"),
    train: [...inTrain(state, "staged"), ...inTrain(state, "queued")],
    now: state.since === null ? null : nowText(state, runs),
    gateRuns: state.runs,
    seconds: since === null ? 0 : Math.max(0, ((state.since === null ? (state.ended ?? now) : now) - since) / 1000),
  };
}

function landedView({ landed }: Landings, { branch, agent, tip, flaky }: Candidate): LandedView {
  const record = landed.findLast((each) => each.branch === branch && each.from === tip);
  const { to = tip, point = tip, tree = "" } = record ?? {};
  return { branch, agent, from: tip, to, point, tree, ...(flaky && { flaky: true }) };
}

const inTrain = ({ queue }: Landings, state: "queued" | "staged") =>
  queue.filter((each) => each.state === state).map(({ branch, agent }) => ({ branch, agent, state }));

function nowText(
  { train }: Landings,
  runs: (check: string) => { readonly gate: string; readonly seconds: number; readonly line: string } | null,
): string {
  if (train === null) return "looking at the branches";
  for (const [commit, check] of Object.entries(train.checks)) {
    const running = runs(check);
    if (running === null) continue;
    const at = train.staged.findIndex(({ to }) => to === commit);
    const names = train.staged.slice(0, at + 1).map(({ branch }) => branch);
    const what =
      at < 0 ? "the target itself" : names.length > 3 ? `${names.length} branches together` : names.join(" + ");
    return `${running.gate} runs on ${what}`;
  }
  return train.closed ? "waiting for a free slot" : "putting the branches together";
}

/** One line while it runs: the train, and what happens now. */
export function trainInWords({ train, landed, bounced, now, seconds }: LandingView): string {
  const staged = train.filter(({ state }) => state === "staged").map(({ branch }) => branch);
  const queued = train.filter(({ state }) => state === "queued").length;
  const parts = [
    `${landed.length} landed`,
    ...(bounced.length > 0 ? [`${bounced.length} bounced`] : []),
    ...(staged.length > 0 ? [`train: ${staged.join(" → ")}`] : []),
    ...(queued > 0 ? [`${queued} queued`] : []),
    `${Math.floor(seconds)} s`,
  ];
  return `${now ?? "done"} · ${parts.join(" · ")}`;
}

/** `land --plan --json`. */
export interface LandingPlan {
  readonly strategy: Strategy;
  readonly target: string;
  readonly base: string;
  readonly order: readonly { readonly branch: string; readonly needs: readonly string[]; readonly because: string }[];
  readonly waiting: readonly { readonly branch: string; readonly because: string }[];
  readonly cycles: readonly (readonly string[])[];
  /** Pairs that do not merge; the target can be one of them. */
  readonly predicted: readonly (readonly [string, string])[];
  /** What a person will be asked to accept before these can land. */
  readonly asks: readonly { readonly branch: string; readonly because: string }[];
  /** Branches whose agents' work was red together when it was last tested. */
  readonly redTogether: readonly (readonly string[])[];
  /** How often the gates will probably run, if nothing is red. */
  readonly expectedRuns: number;
  readonly gates: readonly { readonly gate: string; readonly command: string }[];
}
