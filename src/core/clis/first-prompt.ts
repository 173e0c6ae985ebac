import type { Instant } from "../text/ids.ts";
import { BRIEF_FILE } from "./sidecar.ts";

/** What the kernel takes as one argument is 128 kB. */
const LONGEST_ARGUMENT = 100_000;

/** For a CLI that takes its prompt as an argument, a brief that is too long stays where it lies. */
export const asArgument = (prompt: string): string =>
  prompt.length * 3 <= LONGEST_ARGUMENT || utf8Length(prompt) <= LONGEST_ARGUMENT
    ? prompt
    : `Your task is in the file ${BRIEF_FILE}. Read all of it first, then do what it says.`;

/** For a conversation that is taken up again: it knows its task, and not that it was interrupted. */
export const GO_ON =
  `You were interrupted. Look at the state of your worktree (git status, git log), then continue your task ` +
  `where you left it. Your brief is in ${BRIEF_FILE}, should you need it again.`;

/** For one that had finished, and is told more. It knows its task if it takes its conversation up again. */
export const goOnWith = (told: string, brief: string | null): string =>
  brief === null
    ? `You had finished your task. This came for you since then; do what it asks, in the same worktree.\n\n${told}`
    : withNews(brief, told, "You have worked on this task before, and finished: your work is in this worktree.");

/** For one that had not finished, and begins anew with what came meanwhile. */
export const beginWith = (told: string, brief: string): string =>
  withNews(brief, told, "You have worked on this task before: what you have done is in this worktree.");

const withNews = (brief: string, told: string, before: string): string =>
  `${brief}\n\n# What came since\n\n${before} This came for you since then; do what it asks.\n\n${told}\n`;

const MINUTE_MS = 60_000;
/** How long a CLI may take from its launch to where it names its conversation's file. */
const SETTLE_MS = 30_000;

/** When a conversation that began with a launch at `since` can be taken up again, by a CLI that cannot in its first minute. */
export const afterItsMinute = (since: Instant): Instant =>
  ((Math.floor((since + SETTLE_MS) / MINUTE_MS) + 1) * MINUTE_MS) as Instant;

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
