import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { tmuxWord } from "../../core/text/quote.ts";
import { exchangeFile } from "./exchange-file.ts";

/** More than the largest screen needs; what a reader looks at is its end. */
const MOST_BYTES = 2 * 1024 * 1024;

/**
 * What a pane shows, by way of a file of ours: printed over the connection, a screen could hold lines that look like
 * tmux's own.
 */
export async function captureTo(
  folder: string,
  run: (line: string) => Promise<unknown>,
  options: string,
): Promise<string> {
  const { path, buffer } = exchangeFile(folder);
  try {
    await run(
      `capture-pane -b ${buffer} ${options} ; save-buffer -b ${buffer} ${tmuxWord(path)} ; delete-buffer -b ${buffer}`,
    );
    return readEnd(path);
  } finally {
    rmSync(path, { force: true });
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
