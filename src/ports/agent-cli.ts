import type { Delivery } from "../core/agents/delivery.ts";
import type { NeedsPerson } from "../core/agents/needs-person.ts";
import type { Dialect } from "../core/clis/dialect.ts";
import type { Environment } from "../core/clis/environment.ts";
import type { AgentEvent, Exit } from "../core/clis/events.ts";
import type { AcpManner } from "../core/clis/kind.ts";
import type { Instant, RunId } from "../core/text/ids.ts";

/** How coding CLIs are started headless, listened to, spoken to and ended. */
export interface AgentCli {
  /** The program's full path as the shell would find it, or null. */
  find(program: string, cwd: string): Promise<string | null>;

  /**
   * Starts the program in its own process group; on Linux it dies with this process. Resolves once it runs; rejects
   * with `cli.not-found` or `file.failed`. Contract: `onExit` is called exactly once, after the last `onEvent`, and
   * neither is called before the promise has resolved.
   */
  launch(order: AgentOrder): Promise<LiveAgent>;

  /**
   * Ends every process whose run marker starts with `prefix`, wherever it has moved to: what a killed supervisor left
   * behind. Those of runs in `spare` live on. Resolves with how many there were, once none is left.
   */
  endLeftovers(prefix: string, spare?: ReadonlySet<RunId>): Promise<number>;
}

export interface AgentOrder {
  readonly run: RunId;
  /** The program and all its arguments. */
  readonly argv: readonly string[];
  readonly speaks: Speaks;
  readonly cwd: string;
  readonly env: Environment;
  /** The first thing it is told. */
  readonly prompt: string;
  /** Its own conversation to go on with, for a protocol that takes it up after the start. */
  readonly conversation: string | null;
  /** When that began, as far as we know. */
  readonly conversationSince: Instant | null;
  /** How long it may be silent, and at work; null is for ever. */
  readonly idleSeconds: number | null;
  readonly workSeconds: number | null;
  readonly log: string;
  /** Never written to the log. */
  readonly secrets: readonly string[];
  /** Whether what it says, and that a tool has ended, are events here, too; else only what is recorded is. */
  readonly texts?: true;
  onEvent(event: AgentEvent): void;
  /** Any output: a sign of life. */
  onSign(): void;
  onExit(exit: Exit): void;
  /** In the middle of its turn it can be told something: `give` tells it. One at a time; it waits until this resolves. */
  onPausePoint?(give: (text: string) => void): Promise<void>;
}

/** How it is spoken to: lines of its own kind, or the Agent Client Protocol in its manner. */
export type Speaks = { readonly dialect: Dialect } | { readonly acp: AcpManner; readonly mode: string | null };

export interface LiveAgent {
  readonly pid: number;
  /** The pane it is in, as tmux names it. */
  readonly pane: string | null;
  /** Whether it can be spoken to at this moment. */
  readonly listens: boolean;
  /** It has said the end of its turn, and waits: it can be told something else, or be dismissed. */
  readonly resting: boolean;
  /** Set where it cannot go on without a person at its pane; headless ones never need that. */
  readonly needsPerson?: NeedsPerson | null;
  /** What it is at, as far as its screen or its CLI's hooks say; null for one that tells it as events. */
  readonly at: "working" | "waiting" | "ready" | null;
  /** Whether it goes on when its supervisor ends. */
  readonly outlives: boolean;
  /** Answers a permission request. Rejects with `agent.not-running` when nobody is there to hear it. */
  answer(request: string, allow: boolean, note: string): Promise<void>;
  /** Gives it a text. `tag` names it, so that a second attempt after a crash knows of the first. Rejects as `answer`. */
  tell(text: string, tag: string): Promise<Delivery>;
  /** Lets one that rests go: its work is done, and its exit says so. */
  dismiss(): Promise<void>;
  /** Asks, then ends the group, then whatever still carries the run marker. Resolves when nothing is left. */
  end(): Promise<void>;
}
