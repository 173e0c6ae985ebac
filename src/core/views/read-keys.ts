import type { Key } from "./dashboard.ts";

/** What a terminal library says of one piece of input, beside its text. */
export interface Flags {
  readonly upArrow: boolean;
  readonly downArrow: boolean;
  readonly return: boolean;
  readonly escape: boolean;
  readonly backspace: boolean;
  readonly delete: boolean;
}

/** What was pasted so far; null outside of a paste. */
export type Pasting = string | null;

const BEGIN = "[200~";
const END = "[201~";

/** Turns bracketed paste on and off: a terminal then says where a paste begins and ends. */
export const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";

/**
 * The keys in one piece of input. What is typed fast comes in one piece, its line ends among it; what is pasted is one
 * key, as the text it is: none of it is a command.
 */
export function readKeys(pasting: Pasting, text: string, flags: Flags): { keys: readonly Key[]; pasting: Pasting } {
  if (text === BEGIN) return { keys: [], pasting: "" };
  // Escape was pressed just before it, and is seen as part of it.
  if (text === `\u001b${BEGIN}`) return { keys: [{ text: "", name: "escape" }], pasting: "" };
  if (text === END) return { keys: pasting ? [{ text: pasting, name: "paste" }] : [], pasting: null };
  if (pasting !== null)
    return {
      keys: [],
      pasting: pasting + (flags.return ? "\n" : text.replaceAll(/\r\n?/g, "\n").replaceAll("\t", " ")),
    };
  if (text.length < 2) return { keys: [readKey(text, flags)], pasting };
  const keys = [...text].map(
    (each): Key => (each === "\r" || each === "\n" ? { text: "", name: "enter" } : { text: each }),
  );
  return { keys, pasting };
}

function readKey(text: string, flags: Flags): Key {
  if (flags.upArrow) return { text: "", name: "up" };
  if (flags.downArrow) return { text: "", name: "down" };
  if (flags.return) return { text: "", name: "enter" };
  if (flags.escape) return { text: "", name: "escape" };
  return flags.backspace || flags.delete ? { text: "", name: "backspace" } : { text };
}
