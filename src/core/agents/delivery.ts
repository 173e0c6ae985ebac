import { isListening, type Screen } from "../screens/screen.ts";

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

/** `lost`: what was pasted did not appear, and may be pasted again. */
export type NextKey = "paste" | "enter" | "wait" | "lost" | Delivery;

export interface Typing {
  readonly tag: string;
  readonly text: string;
  /** What the pane carries from an earlier attempt. */
  readonly mark: string;
  readonly screen: Screen;
  /**
   * Whether its screen has stood still: all there is to go by with a program nobody described. Null for one that is,
   * whose screen says what it is at, and which gets nothing while that is unknown.
   */
  readonly steady: boolean | null;
  /** Whether the text, or what stands for a long paste, is seen on the screen. */
  readonly shown: boolean;
  /** The mark was there before this attempt: somebody may have pressed Enter since. */
  readonly resumed: boolean;
  readonly enters: number;
  readonly sinceKeyMs: number;
  /** Its CLI said by a hook, since the last key, that it took a prompt in. */
  readonly confirmed: boolean;
}

/** How long a program may take to take a paste for a paste, and an Enter for an Enter. */
export const SETTLE_MS = 500;
const SUBMIT_MS = 3_000;
/** How long a paste may take to be seen; opencode on a busy machine was seen to need seconds. */
const APPEAR_MS = 10_000;

/**
 * The next key of a delivery: paste only into an empty box at the prompt; Enter as a key of its own, later, once the
 * text is seen in the box; a second one if it is still there; then it is said that it is stuck. Never a key without
 * having looked.
 */
export function nextKey(typing: Typing): NextKey {
  const { tag, mark, screen, steady, resumed, enters, sinceKeyMs, confirmed } = typing;
  if (mark === submittedMark(tag)) return "submitted";
  if (confirmed && enters > 0) return "submitted";
  if (mark !== pastedMark(tag)) return canPaste(screen, steady) ? "paste" : "waits";
  if (sinceKeyMs < SETTLE_MS) return "wait";
  if (enters === 0) return firstEnter(typing);
  if (screen.state === "waiting" || isTaken(screen, steady)) return "submitted";
  if (sinceKeyMs < SUBMIT_MS) return "wait";
  return enters === 1 && canEnter(screen, steady) ? "enter" : resumed ? "waits" : "stuck";
}

function firstEnter(typing: Typing): NextKey {
  const { text, screen, steady, resumed, sinceKeyMs } = typing;
  // A program nobody described may take everything in and do nothing with it: it has got what it shows.
  if (steady !== null && !typing.shown) return resumed ? "waits" : sinceKeyMs < APPEAR_MS ? "wait" : "stuck";
  if (resumed && isTaken(screen, steady)) return "submitted";
  if (canEnter(screen, steady)) return !resumed || steady !== null || holds(screen.box ?? "", text) ? "enter" : "waits";
  if (steady !== null || resumed || isAsking(screen)) return "waits";
  if (sinceKeyMs < APPEAR_MS) return "wait";
  return isListening(screen) ? "lost" : "waits";
}

const canPaste = (screen: Screen, steady: boolean | null): boolean =>
  isListening(screen) || (screen.state === "unknown" && steady === true);

/** At its prompt with something in the box; of a program nobody described, not asking anything that we could see. */
const canEnter = ({ state, box }: Screen, steady: boolean | null): boolean =>
  steady === null ? state === "ready" && box !== null && box !== "" : state !== "waiting";

const isAsking = ({ state }: Screen): boolean => state === "waiting" || state === "trust" || state === "login";

/** Out of the box: it is empty again, or the program is at work and shows none. */
function isTaken({ state, box }: Screen, steady: boolean | null): boolean {
  if (state === "unknown") return steady === false;
  if (state === "working") return box === null || box === "";
  return box === "" && (state === "ready" || state === "done" || state === "error");
}

/**
 * Whether a screen shows this text: one of its last lines, or what stands for a long paste. A program wraps as it likes,
 * and may scroll the beginning away.
 */
export function isShownOn(screen: string, text: string): boolean {
  const seen = squeezed(screen);
  const lines = text
    .split("\n")
    .map(squeezed)
    .filter((line) => line !== "");
  const long = lines.filter((line) => line.length >= TELLING);
  const told = (long.length > 0 ? long : lines).slice(-LAST_LINES);
  return told.some((line) => seen.includes(line.slice(-MOST_COMPARED))) || /\[?past(?:e|ed)\b/i.test(screen);
}

/** Shorter lines are on many screens by chance. */
const TELLING = 8;
const LAST_LINES = 5;
const MOST_COMPARED = 60;

const squeezed = (each: string): string => each.replaceAll(/\s/g, "");

/** Whether a box shows this text: some of it, or what stands for a long paste. Programs wrap as they like. */
function holds(box: string, text: string): boolean {
  return /^\[?past(?:e|ed)\b/i.test(box) || squeezed(text).includes(squeezed(box));
}
