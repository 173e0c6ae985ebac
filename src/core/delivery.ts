import type { Screen } from "./screen.ts";

/** How far a text has come that is being typed into a pane. */
export type Delivery =
  /** Nothing was typed: the pane is not at its prompt. */
  | "waits"
  /** In the box, and Enter did not take it out of there. */
  | "stuck"
  | "submitted";

/** What is left on a pane together with a pasted text, so that a second attempt knows of the first. */
export const pastedMark = (tag: string): string => `${tag}:pasted`;
export const submittedMark = (tag: string): string => `${tag}:submitted`;

export type NextKey = "paste" | "enter" | "wait" | Delivery;

export interface Typing {
  readonly tag: string;
  /** What the pane carries from an earlier attempt. */
  readonly mark: string;
  readonly screen: Screen;
  /** A program nobody described is taken for ready when its screen has stood still. */
  readonly steady: boolean;
  /** The mark was there before this attempt: somebody may have pressed Enter since. */
  readonly resumed: boolean;
  readonly enters: number;
  readonly sinceKeyMs: number;
}

/** How long a program may take to take a paste for a paste, and an Enter for an Enter. */
export const SETTLE_MS = 500;
const SUBMIT_MS = 3_000;

/**
 * The next key of a delivery: paste only into an empty box at the prompt; Enter as a key of its own, later; a second one
 * if the text is still there; then it is said that it is stuck. Never a key without having looked.
 */
export function nextKey({ tag, mark, screen, steady, resumed, enters, sinceKeyMs }: Typing): NextKey {
  if (mark === submittedMark(tag)) return "submitted";
  const pasted = mark === pastedMark(tag);
  if (!pasted) return canPaste(screen, steady) ? "paste" : "waits";
  if (sinceKeyMs < SETTLE_MS) return "wait";
  if (enters === 0 && resumed && taken(screen, steady)) return "submitted";
  if (enters === 0) return screen.state === "waiting" ? "waits" : "enter";
  if (taken(screen, steady)) return "submitted";
  if (sinceKeyMs < SUBMIT_MS) return "wait";
  return enters === 1 ? "enter" : "stuck";
}

const canPaste = ({ state, box }: Screen, steady: boolean): boolean =>
  (state === "ready" && box === "") || (state === "unknown" && steady);

/** Out of the box: it is empty again, or the program is at work with what it was told. */
const taken = ({ state, box }: Screen, steady: boolean): boolean =>
  state === "working" || state === "waiting" || (state === "ready" && box === "") || (state === "unknown" && !steady);
