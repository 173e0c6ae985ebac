import type { Cli } from "../clis/cli.ts";
import type { Told } from "../messages/cursors.ts";
import type { EffectOf, SettledOf } from "../record/effects.ts";
import type { AgentId, Branch, Commit, Instant, RunId } from "../text/ids.ts";
import type { Saved } from "../worktrees/saved.ts";
import type { SetUp } from "../worktrees/set-up.ts";
import type { Delivery } from "./delivery.ts";

/** What an assignment asks of the world, and what performing each gives back. */
export interface AssignmentEffects {
  "worktree.add": {
    asks: { readonly path: string; readonly branch: Branch; readonly from: Commit | null };
    gives: Nothing;
  };
  "worktree.fill": { asks: { readonly path: string }; gives: Nothing };
  "worktree.set-up": {
    asks: {
      readonly agent: AgentId;
      readonly path: string;
      readonly branch: Branch;
      readonly setUp: SetUp;
      readonly log: string;
    };
    gives: { readonly warnings: readonly string[] };
  };
  "worktree.mend": {
    asks: { readonly path: string; readonly branch: Branch; readonly from: Commit | null; readonly used: boolean };
    gives: { readonly warnings: readonly string[] };
  };
  "worktree.undo": {
    asks: { readonly path: string; readonly branch: Branch | null; readonly from: Commit | null };
    gives: Nothing;
  };
  "agent.launch": {
    asks: { readonly agent: AgentId; readonly run: RunId; readonly order: LaunchOrder };
    /**
     * `told`: what it was told with its first prompt. `opening`: that prompt, where it is still to be typed. `begins`: the
     * conversation it was told to begin.
     */
    gives: {
      readonly told?: Told;
      readonly opening?: string;
      readonly begins?: string;
      readonly warnings?: readonly string[];
    };
  };
  "agent.end": { asks: { readonly run: RunId }; gives: Nothing };
  /** After its turn, when it has nothing left to do. */
  "agent.dismiss": { asks: { readonly run: RunId }; gives: Nothing };
  "agent.brief": { asks: { readonly run: RunId; readonly brief: string }; gives: { readonly typed: Delivery } };
  "agent.tell": {
    asks: { readonly agent: AgentId; readonly run: RunId };
    /** Null where it could not be told now. */
    gives: { readonly told: Told | null; readonly typed?: Delivery };
  };
  "agent.answer": {
    asks: {
      readonly run: RunId;
      readonly request: string;
      /** Null where code has answered, and nobody was asked. */
      readonly question: number | null;
      readonly answer: string;
      /** The rule by which code has answered. */
      readonly rule?: AnswerRule;
    };
    gives: Nothing;
  };
  "work.save": {
    asks: { readonly path: string; readonly branch: Branch; readonly from: Commit | null; readonly ref: string };
    gives: { readonly saved: Saved };
  };
  "worktree.remove": {
    asks: { readonly path: string; readonly branch: Branch; readonly saved: Saved };
    gives: Nothing;
  };
  "branch.delete": { asks: { readonly branch: Branch; readonly at: Commit }; gives: Nothing };
}

type Nothing = Readonly<Record<never, never>>;

/**
 * `own-command`: nothing but a message to its supervisor, as its brief asks for. `allowed-for-session`: a person has
 * allowed this very command before.
 */
export type AnswerRule = "own-command" | "allowed-for-session";

export type AssignmentEffectType = keyof AssignmentEffects;
export type AssignmentEffect = EffectOf<AssignmentEffects>;
export type AssignmentSettled = SettledOf<AssignmentEffects>;

export interface LaunchOrder {
  readonly cli: Cli;
  readonly worktree: string;
  readonly branch: Branch;
  readonly brief: string;
  readonly terminal: boolean;
  readonly port: number | null;
  readonly log: string;
  /** The CLI's own conversation to go on with, if it had one. */
  readonly conversation: string | null;
  /** When that began. */
  readonly conversationSince?: Instant | null;
  /** It had finished: it begins with what it was told since. */
  readonly toldMore?: boolean;
  /** It was launched before. */
  readonly again?: boolean;
}
