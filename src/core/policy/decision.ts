/** What the policy says of something that an agent wants to do. */
export interface Decision {
  readonly decision: "approve" | "ask" | "deny";
  /** A stable dotted name, such as `git.push.own`. */
  readonly rule: string;
  /** One sentence for the person who reads it. */
  readonly why: string;
}

/** How far an approved command reaches: `conservative` lets only the first two pass. */
export type Effect = "read" | "test" | "change";

/** A decision on one part of a command, before level, presets and sandbox are looked at. */
export interface Judgement extends Decision {
  /** Of an approved command; missing for what only moves or holds others, such as `cd`. */
  readonly does?: Effect;
  /** Asked about only where no proved sandbox is on. */
  readonly sandboxed?: true;
  /** Approved by the user's own list, whatever presets are on. */
  readonly listed?: true;
}

export const approve = (rule: string, does: Effect, why: string): Judgement => ({
  decision: "approve",
  rule,
  why,
  does,
});
/** For what is fine by itself and never the reason for a decision while there is a better one. */
export const pass = (rule: string, why: string): Judgement => ({ decision: "approve", rule, why });
export const ask = (rule: string, why: string): Judgement => ({ decision: "ask", rule, why });
/** Asked about, unless a proved sandbox is on. */
export const askUnlessSandboxed = (rule: string, why: string): Judgement => ({ ...ask(rule, why), sandboxed: true });
export const deny = (rule: string, why: string): Judgement => ({ decision: "deny", rule, why });

/** The worst of several; of equally bad ones the first. Of approved ones, that which reaches furthest. */
export function worst(judgements: Iterable<Judgement | null>): Judgement | null {
  let found: Judgement | null = null;
  for (const each of judgements) if (each !== null && (found === null || rank(each) > rank(found))) found = each;
  return found;
}

const EFFECTS: readonly (Effect | undefined)[] = [undefined, "read", "test", "change"];
/** What a sandbox would relax hides nothing that it would not. */
const rank = ({ decision, does, sandboxed }: Judgement): number =>
  decision === "deny" ? 20 : decision === "ask" ? (sandboxed ? 10 : 11) : EFFECTS.indexOf(does);
