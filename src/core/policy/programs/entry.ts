import type { Stack } from "../context.ts";
import type { Effect, Judgement } from "../decision.ts";
import type { Argument } from "../shell/argument.ts";
import type { Scope } from "../shell/scope.ts";
import type { ReadOptions } from "./read-options.ts";

/**
 * One thing that a program can be asked to do, and that is approved with the options listed here. Every other option is
 * asked about.
 */
export interface Entry {
  readonly rule: string;
  readonly does: Effect;
  /** Why it may run, or what it does: one sentence. */
  readonly why: string;
  /**
   * Options by name, separated by blanks. `-n=` takes a value, `--color?` takes one only after `=`, `-f<` takes a path
   * that is read, `-o>` one that is written, `-C/` a folder in which it runs. `-#` stands for a number, as in `-20`.
   */
  readonly options?: string;
  /** Options with a reason of their own not to approve. */
  readonly refused?: Readonly<Record<string, Judgement>>;
  /** What its other words are, in order; the last kind holds for all that follow. Missing: there may be none. */
  readonly operands?: readonly Operand[];
  /** How many of them there may be. */
  readonly most?: number;
  /** `-name` is one option and not several letters, as of find and go. */
  readonly longDash?: true;
  /** No option it has can do harm: a word that is not known may be one. */
  readonly anyOption?: true;
  /** What follows `--` goes to a program of the project. */
  readonly passes?: true;
  /** Options end at the first other word. */
  readonly inOrder?: true;
  /** For what a table cannot say. Null where nothing is wrong. */
  readonly check?: (read: ReadOptions, scope: Scope) => Judgement | null;
}

/**
 * text: any word. read, list, write: a path. name: a word that is no path and no option, such as a branch or a package.
 * passed: goes to a program of the project, and may name paths in the worktree.
 */
export type Operand = "text" | "read" | "list" | "write" | "name" | "passed";

/** A program whose first word says what it does. */
export interface Family {
  readonly commands: Readonly<Record<string, Entry | Family | Judgement>>;
  /** Options that may stand before that word. */
  readonly options?: string;
  readonly refused?: Readonly<Record<string, Judgement>>;
  readonly longDash?: true;
  /** Without such a word. */
  readonly alone?: Entry | Judgement;
  /** For a word that is not in the table. */
  readonly other: Judgement;
  readonly stack?: Stack;
}

/** Judges a program by code, where its words do not fit a table. */
export interface Special {
  readonly judge: (words: readonly Argument[], scope: Scope) => Judgement;
  readonly stack?: Stack;
}

export type Program = (Entry & { readonly stack?: Stack }) | Family | Special | Judgement;

export type Programs = Readonly<Record<string, Program>>;
