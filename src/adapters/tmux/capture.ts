import { closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { tmuxWord } from "../../core/text/quote.ts";

/** More than the largest screen needs; what a reader looks at is its end. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * What a pane shows, by way of a file of ours: printed over the connection, a screen could hold lines that look like
 * tmux's own. The buffer has one name for all: commands of one line follow each other without anything between.
 */
export async function captureTo(
  file: string,
  run: (line: string) => Promise<unknown>,
  options: string,
): Promise<string> {
  const buffer = `banksman-${process.pid}-screen`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await run(
      `capture-pane -b ${buffer} ${options} ; save-buffer -b ${buffer} ${tmuxWord(file)} ; delete-buffer -b ${buffer}`,
    );
    return readEnd(file);
  } finally {
    rmSync(file, { force: true });
  }
}

function readEnd(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - MOST_BYTES);
    const bytes = Buffer.alloc(size - from);
    const text = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)).toString("utf8");
    return text.endsWith("\n") ? text.slice(0, -1) : text;
  } finally {
    closeSync(file);
  }
}
