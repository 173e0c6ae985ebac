import { readClaude } from "./claude.ts";
import { readCodex } from "./codex.ts";
import { readGemini } from "./gemini.ts";
import { readOpencode } from "./opencode.ts";
import { openPage, type Page } from "./page.ts";
import { readPi } from "./pi.ts";
import type { Screen } from "./screen.ts";
import { readScripted } from "./scripted.ts";

/** A CLI's reader: null where the page is nothing it knows. */
type Reader = (page: Page) => Screen | null;

const READERS: Readonly<Record<string, Reader>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  opencode: readOpencode,
  pi: readPi,
  scripted: readScripted,
};

export const DESCRIBED: readonly string[] = Object.keys(READERS);

/** Whether this CLI's screens are understood. One that is not can only be seen to stand still. */
export const isDescribed = (cli: string): boolean => Object.hasOwn(READERS, cli);

/** Whose screen a run's program draws: a CLI keeps its own under another name, if it is said to be that CLI. */
export const screenOf = ({ name, protocol }: { readonly name: string; readonly protocol: string }): string =>
  isDescribed(protocol) ? protocol : name;

/**
 * Reads a captured screen, with or without its colours. Whatever stands above a CLI's own frame may have been printed
 * by anybody, so a reader goes by the frame at the end of the page and by nothing else.
 */
export function readScreen(cli: string, text: string): Screen {
  const page = openPage(text);
  const last = page.lines.at(-1) ?? "";
  const read = isDescribed(cli) ? READERS[cli]?.(page) : null;
  return read ?? { state: isShell(last) ? "shell" : "unknown", box: null, prompt: null, evidence: last.trim() };
}

const isShell = (line: string): boolean => line.length < 120 && /(^|[\w~\])}/:. -])[$#%❯➜]$/.test(line);
