import type { Dialect } from "./dialect.ts";
import type { Environment } from "./environment.ts";

/** A coding CLI we know: how it is started, spoken to and understood. One file each; everything in it is data or pure. */
export interface CliKind {
  readonly name: string;
  readonly title: string;
  readonly program: string;
  /** Variables of the user's environment it needs to reach its model; `*` at the end stands for any rest. */
  readonly env: readonly string[];
  /** Further ones, each list only where the variable it stands under is set: credentials of a cloud it is not told to use. */
  readonly envWhere?: Readonly<Record<string, readonly string[]>>;
  /** Ways to run it headless, the best first. */
  readonly channels: readonly HeadlessChannel[];
  /** Hooks whose answer it takes to heart: what waits for it is told there. */
  readonly toldByHooks?: readonly string[];
  /** On a terminal, a conversation can be taken up at any time, or not in the minute in which it began. */
  readonly resumes?: "after-its-minute";
  /** How it is started on a terminal. */
  terminal(order: TerminalOrder): Prepared;
}

/** What a CLI may do without asking: nothing that matters, edits of files, everything. */
export type Approval = "manual" | "auto" | "full-auto";

export interface StartOrder {
  readonly approval: Approval;
  /** The CLI's own conversation to go on with. */
  readonly conversation: string | null;
  /** Where files made for this run lie: outside the worktree, the user's alone. */
  readonly folder: string;
  /** Folders of git outside the worktree that a commit writes to: a CLI with a sandbox of its own has to be told. */
  readonly git: readonly string[];
  /** Our own program, as a hook has to call it: one shell command. */
  readonly hook: string;
}

export interface TerminalOrder extends StartOrder {
  /** An id for a new conversation, a UUID, for a CLI that takes it from us. */
  readonly fresh: string;
}

/** Arguments after the program's name, and what has to be there for them. */
export interface Prepared {
  readonly args: readonly string[];
  readonly env?: Environment;
  /** Files of the order's folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** The conversation it was told to begin: how we know it without a word of the CLI's. */
  readonly begins?: string;
  /** The file of the order's folder that holds the conversation it is to go on with; where there is none, it begins anew. */
  readonly keepsIn?: string;
}

export interface HeadlessOrder extends StartOrder {
  /** The first prompt, for a CLI that takes it as an argument. */
  readonly prompt: string;
}

export type HeadlessChannel = {
  readonly name: ChannelName;
  /** Another program than the CLI's own; where it is not installed, the next channel is taken. */
  readonly program?: string;
  prepare(order: HeadlessOrder): Prepared;
} & ({ readonly acp: AcpManner } | { readonly dialect: () => Dialect });

export type ChannelName = "acp" | "control" | "rpc" | "json";

/** Where agents differ though they speak the same protocol. */
export interface AcpManner {
  /** How to say who we are, for agents that want it said before a session. */
  readonly authenticate?: string;
  /** The session's mode for each level, as this agent names it; null leaves it as it is. */
  readonly mode: Readonly<Record<Approval, string | null>>;
  /** What its prompt's answer counts: this turn, or the whole session so far. */
  readonly usage: "turn" | "session";
  /** It ends its turn well when its model failed, with the error as its text, and counts nothing. */
  readonly saysErrors?: true;
  /** A conversation can be taken up at any time, or not in the minute in which it began. */
  readonly resumes?: "after-its-minute";
}

/** What the briefs ask agents to run, and what therefore is not asked about: their word to their supervisor. */
export const OWN_COMMAND = "banksman say";
