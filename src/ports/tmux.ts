import type { Environment } from "../core/clis/environment.ts";
import type { PanePlan, PaneRole } from "../core/session/layout.ts";
import type { AgentId, RunId } from "../core/text/ids.ts";

/** tmux's own name for a pane, `%12`: never given out twice while a server lives. */
export type PaneId = string & { readonly brand: "PaneId" };

/**
 * Sessions and panes of tmux. Nothing global is touched, panes are known by what we wrote on them and never by their
 * index, and keys reach a pane only while it is the run they are meant for.
 */
export interface Tmux {
  /** `3.3a`; null when there is no tmux. */
  version(): Promise<string | null>;

  /** All panes of a session; null when there is no such session. */
  look(session: string): Promise<TmuxSession | null>;

  /**
   * Starts a program in a pane of the session, with exactly the environment given; makes the session if it is missing.
   * A pane of the same agent or role is used again, whatever runs in it (with `keep`, only if nothing does). Rejects with `tmux.missing`, `tmux.namesake`
   * when a session of that name is not ours, `tmux.failed`.
   */
  open(order: PaneOrder): Promise<PaneId>;

  /**
   * Puts panes where the plan wants them, and names them; over a lasting connection they stay so when a window gets another
   * size. Panes the plan does not know stay, at the end. A window nobody looks at is as large as its agents need.
   */
  arrange(session: string, plan: readonly PanePlan[]): Promise<void>;

  /**
   * Pastes a text as one bracketed paste, control characters made harmless (one of them could end the paste, and the rest
   * would be keys), if at that very moment the pane lives, runs `run` and is not in a mode (copy
   * mode takes keys as commands). False when not, and then nothing was typed. `mark` is left on the pane together with
   * the text, so that a second attempt can know of the first.
   */
  paste(pane: PaneId, run: RunId, text: string, mark: string): Promise<boolean>;

  /** Presses one key, named as tmux names it (`Enter`, `C-u`), under the same condition. */
  press(pane: PaneId, run: RunId, key: string): Promise<boolean>;

  /** Leaves a mark on a pane, under the same condition. */
  mark(pane: PaneId, run: RunId, mark: string): Promise<boolean>;

  /** One pane as it is now; null when it is gone. */
  pane(pane: PaneId): Promise<Pane | null>;

  /**
   * What the pane shows now, with so many lines of what has scrolled away; null when it is gone. Without escapes, or
   * with those for colours, and no other.
   */
  capture(pane: PaneId, how?: { readonly history?: number; readonly colours?: boolean }): Promise<string | null>;

  /** From now on what the pane shows goes to the end of this file. */
  log(pane: PaneId, path: string): Promise<void>;

  /** Removes a pane, and with the last one its session. */
  close(pane: PaneId): Promise<void>;

  /** Lets go of the connection. Sessions stay. */
  leave(): Promise<void>;
}

export interface TmuxSession {
  /** What `open` was given as owner; null for a session that is not ours. */
  readonly owner: string | null;
  readonly panes: readonly Pane[];
}

export interface Pane {
  readonly id: PaneId;
  readonly window: string;
  readonly role: PaneRole | null;
  readonly agent: AgentId | null;
  readonly run: RunId | null;
  readonly pid: number;
  readonly dead: boolean;
  readonly exitCode: number | null;
  readonly inMode: boolean;
  /** A shell stands at its prompt in it and runs nothing. False where that cannot be told. */
  readonly bare: boolean;
  readonly path: string;
  readonly mark: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PaneOrder {
  readonly session: string;
  readonly owner: string;
  readonly role: PaneRole;
  readonly agent: AgentId | null;
  readonly run: RunId;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Everything the pane shows is appended here, readable by the user alone. */
  readonly log: string | null;
  readonly keep: boolean;
  readonly mouse: boolean;
  readonly borders: boolean;
}
