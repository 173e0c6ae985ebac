import type { Failure } from "./failure.ts";
import type { AgentId } from "./ids.ts";
import { ARRANGEMENTS, type Arrangement } from "./layout.ts";

/**
 * Everything a person or a program may ask of the supervisor. CLI, console, dashboards and MCP all send one of these
 * to `POST /act`; modes export what performs them. Who may ask is in roles.ts.
 */
export type Action =
  | {
      readonly type: "start";
      readonly branches: readonly string[];
      readonly cli: string | null;
      readonly briefs: Briefs;
      /** The CLI of some branches, where it is not the one for all. */
      readonly clis: Readonly<Record<string, string>>;
      /** The paths that belong to some branches alone, as their specs say. */
      readonly owned: Owned;
      /** Existing branches are put onto where we stand, where that is safe. */
      readonly rebase: boolean;
      /** How a new session lies in tmux; null is headless. One that is here keeps what it has. */
      readonly arrangement: Arrangement | null;
    }
  | { readonly type: "add"; readonly branches: readonly string[]; readonly cli: string | null; readonly briefs: Briefs }
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
  | { readonly type: "answer"; readonly question: string; readonly answer: string }
  /** `idle`: only if there is nothing to supervise, decided when its turn comes. */
  | { readonly type: "shutdown"; readonly idle: boolean };

export type ActionType = Action["type"];

/** Paths by branch. */
export type Owned = Readonly<Record<string, readonly string[]>>;

/** The task's text for every agent (`all`), and for some by id or branch. */
export interface Briefs {
  readonly all: string | null;
  readonly each: Readonly<Record<string, string>>;
}

export const ACTION_TYPES: readonly ActionType[] = [
  "start",
  "add",
  "stop",
  "pause",
  "resume",
  "remove",
  "purge",
  "restore",
  "tell",
  "answer",
  "retract",
  "shutdown",
];

const LONGEST_TEXT = 64 * 1024;
const LONGEST_BRIEF = 256 * 1024;

/** Reads an action from a request's JSON. Unknown fields are refused: a misspelt `force` must not be ignored. */
export function parseAction(body: unknown): Action | Failure {
  try {
    return readAction(new Fields(body));
  } catch (problem) {
    if (problem instanceof BadField) return { kind: "usage", message: problem.message, hint: "See `banksman --help`." };
    throw problem;
  }
}

function readAction(fields: Fields): Action {
  const type = fields.oneOf("type", ACTION_TYPES);
  const action = readFields(type, fields);
  fields.nothingElse();
  return action;
}

function readFields(type: ActionType, fields: Fields): Action {
  switch (type) {
    case "start":
      return {
        type,
        branches: fields.texts("branches"),
        cli: fields.optionalText("cli"),
        briefs: fields.briefs("briefs"),
        clis: fields.named("clis"),
        owned: fields.lists("owned"),
        rebase: fields.flag("rebase"),
        arrangement: fields.optionalOneOf("arrangement", ARRANGEMENTS),
      };
    case "add":
      return {
        type,
        branches: fields.texts("branches"),
        cli: fields.optionalText("cli"),
        briefs: fields.briefs("briefs"),
      };
    case "stop":
    case "resume":
      return { type, agents: fields.texts("agents") };
    case "pause":
      return { type, agents: fields.texts("agents"), untilCommit: fields.optionalText("untilCommit") };
    case "remove":
      return {
        type,
        agents: fields.texts("agents"),
        force: fields.flag("force"),
        keepWorktree: fields.flag("keepWorktree"),
      };
    case "purge":
      return { type, look: fields.flag("look"), stale: fields.flag("stale") };
    case "restore":
      return { type, ref: fields.text("ref"), branch: fields.optionalText("branch") };
    case "tell":
      return { type, agent: fields.text("agent"), text: fields.text("text") };
    case "answer":
      return { type, question: fields.text("question"), answer: fields.text("answer") };
    case "retract":
      return { type, agent: fields.text("agent"), paths: fields.texts("paths") };
    case "shutdown":
      return { type, idle: fields.flag("idle") };
  }
}

class BadField extends Error {}

class Fields {
  private readonly rest: Map<string, unknown>;

  constructor(body: unknown) {
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new BadField("An action must be a JSON object.");
    this.rest = new Map(Object.entries(body));
  }

  private take(name: string): unknown {
    const value = this.rest.get(name);
    this.rest.delete(name);
    return value;
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.take(name);
    const found = values.find((each) => each === value);
    if (found === undefined) throw new BadField(`${name} must be one of ${values.join(", ")}.`);
    return found;
  }

  optionalOneOf<T extends string>(name: string, values: readonly T[]): T | null {
    if ((this.rest.get(name) ?? null) !== null) return this.oneOf(name, values);
    this.rest.delete(name);
    return null;
  }

  text(name: string, longest = LONGEST_TEXT): string {
    const value = this.take(name);
    if (typeof value !== "string" || value.trim() === "") throw new BadField(`${name} must be a non-blank text.`);
    if (value.length > longest) throw new BadField(`${name} is longer than ${longest} characters.`);
    return value;
  }

  optionalText(name: string, longest = LONGEST_TEXT): string | null {
    const value = this.rest.get(name) ?? null;
    if (value === null) this.rest.delete(name);
    return value === null ? null : this.text(name, longest);
  }

  texts(name: string): string[] {
    const value = this.take(name) ?? [];
    if (!Array.isArray(value) || value.length > 1000)
      throw new BadField(`${name} must be a list of at most 1000 texts.`);
    return value.map((each) => {
      if (typeof each !== "string" || each.length > 1024) throw new BadField(`${name} must be a list of texts.`);
      return each;
    });
  }

  flag(name: string): boolean {
    const value = this.take(name) ?? false;
    if (typeof value !== "boolean") throw new BadField(`${name} must be true or false.`);
    return value;
  }

  /** Texts by name. */
  named(name: string): Record<string, string> {
    const fields = new Fields(this.take(name) ?? {});
    return Object.fromEntries([...fields.rest.keys()].map((key) => [key, fields.text(key)]));
  }

  /** Lists of texts by name. */
  lists(name: string): Record<string, string[]> {
    const fields = new Fields(this.take(name) ?? {});
    return Object.fromEntries([...fields.rest.keys()].map((key) => [key, fields.texts(key)]));
  }

  briefs(name: string): Briefs {
    const value = new Fields(this.take(name) ?? {});
    const all = value.optionalText("all", LONGEST_BRIEF);
    const each = new Fields(value.take("each") ?? {});
    value.nothingElse();
    return {
      all,
      each: Object.fromEntries([...each.rest.keys()].map((key) => [key, each.text(key, LONGEST_BRIEF)])),
    };
  }

  nothingElse(): void {
    const extra = [...this.rest.keys()][0];
    if (extra !== undefined) throw new BadField(`${extra} is not a field of this action.`);
  }
}

/** Someone an action names: an agent's id, or its branch. */
export function findAgent<T extends { readonly agent: AgentId; readonly branch: string }>(
  runs: readonly T[],
  name: string,
): T | null {
  return runs.find((run) => run.agent === name) ?? runs.find((run) => run.branch === name) ?? null;
}
