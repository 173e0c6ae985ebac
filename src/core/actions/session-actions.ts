import { ARRANGEMENTS, type Arrangement } from "../session/layout.ts";
import type { ActionFields } from "./action-fields.ts";

/** What can be asked of the session mode. */
export type SessionAction =
  | {
      readonly type: "start";
      readonly branches: readonly string[];
      readonly cli: string | null;
      readonly briefs: Briefs;
      /** The CLI of some branches, where it is not the one for all. */
      readonly clis: Readonly<Record<string, string>>;
      /** The paths that belong to branches alone, as open specs say; also of specs that are not started. */
      readonly owned: Owned;
      /** Existing branches are put onto where we stand, where that is safe. */
      readonly rebase: boolean;
      /** How the panes of a new session are arranged; null is headless. One that is here stays where it is. */
      readonly arrangement: Arrangement | null;
      /** Whether the session is supervised, as the command line or the config says; null where neither says so. */
      readonly supervisor: boolean | null;
      /** Also start agents again that had finished, from their briefs. */
      readonly again: boolean;
      /** Only says what would be done. */
      readonly dryRun: boolean;
    }
  | {
      readonly type: "add";
      readonly branches: readonly string[];
      readonly cli: string | null;
      readonly briefs: Briefs;
      /** As with start. */
      readonly clis: Readonly<Record<string, string>>;
    }
  | { readonly type: "stop"; readonly agents: readonly string[] }
  /** Nothing is typed or told to them until they are resumed; they go on with what they have. All, naming none. */
  | {
      readonly type: "pause";
      readonly agents: readonly string[];
      /** The agent whose next commit ends it. */
      readonly untilCommit: string | null;
    }
  | { readonly type: "resume"; readonly agents: readonly string[] }
  | {
      readonly type: "remove";
      readonly agents: readonly string[];
      readonly force: boolean;
      readonly keepWorktree: boolean;
    }
  /** `look`: only what it would do. `stale`: only what dead sessions have left. */
  | { readonly type: "purge"; readonly look: boolean; readonly stale: boolean }
  | { readonly type: "restore"; readonly ref: string; readonly branch: string | null }
  | { readonly type: "tell"; readonly agent: string; readonly text: string }
  /** What an agent claims; all of it, naming no paths. */
  | { readonly type: "retract"; readonly agent: string; readonly paths: readonly string[] }
  /** `session`: the same command is allowed for as long as the session lasts. */
  | { readonly type: "answer"; readonly question: string; readonly answer: string; readonly session: boolean }
  /** `idle`: only if there is nothing to supervise, decided when its turn comes. */
  | { readonly type: "shutdown"; readonly idle: boolean };

/** Paths by branch. */
export type Owned = Readonly<Record<string, readonly string[]>>;

/** The task's text for every agent (`all`), and for some by id or branch. */
export interface Briefs {
  readonly all: string | null;
  readonly each: Readonly<Record<string, string>>;
  /** The folder that was named for them: every agent needs its own there. */
  readonly folder: string | null;
}

const LONGEST_BRIEF = 256 * 1024;

/** How each is read from a request. A field that is not read here is refused. */
export const SESSION_ACTIONS: {
  readonly [Type in SessionAction["type"]]: (
    fields: ActionFields,
  ) => Omit<Extract<SessionAction, { type: Type }>, "type">;
} = {
  start: (fields) => ({
    branches: fields.texts("branches"),
    cli: fields.optionalText("cli"),
    briefs: readBriefs(fields),
    clis: readClis(fields),
    owned: fields.each("owned", (each, name) => each.texts(name)),
    rebase: fields.flag("rebase"),
    arrangement: fields.optionalOneOf("arrangement", ARRANGEMENTS),
    supervisor: fields.optionalFlag("supervisor"),
    again: fields.flag("again"),
    dryRun: fields.flag("dryRun"),
  }),
  add: (fields) => ({
    branches: fields.texts("branches"),
    cli: fields.optionalText("cli"),
    briefs: readBriefs(fields),
    clis: readClis(fields),
  }),
  stop: (fields) => ({ agents: fields.texts("agents") }),
  pause: (fields) => ({ agents: fields.texts("agents"), untilCommit: fields.optionalText("untilCommit") }),
  resume: (fields) => ({ agents: fields.texts("agents") }),
  remove: (fields) => ({
    agents: fields.texts("agents"),
    force: fields.flag("force"),
    keepWorktree: fields.flag("keepWorktree"),
  }),
  purge: (fields) => ({ look: fields.flag("look"), stale: fields.flag("stale") }),
  restore: (fields) => ({ ref: fields.text("ref"), branch: fields.optionalText("branch") }),
  tell: (fields) => ({ agent: fields.text("agent"), text: fields.text("text") }),
  retract: (fields) => ({ agent: fields.text("agent"), paths: fields.texts("paths") }),
  answer: (fields) => ({
    question: fields.text("question"),
    answer: fields.text("answer"),
    session: fields.flag("session"),
  }),
  shutdown: (fields) => ({ idle: fields.flag("idle") }),
};

const readClis = (fields: ActionFields) => fields.each("clis", (each, name) => each.text(name));

const readBriefs = (fields: ActionFields): Briefs =>
  fields.inside("briefs", (briefs) => ({
    all: briefs.optionalText("all", LONGEST_BRIEF),
    each: briefs.each("each", (each, name) => each.text(name, LONGEST_BRIEF)),
    folder: briefs.optionalText("folder"),
  }));
