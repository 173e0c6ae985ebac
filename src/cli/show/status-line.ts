import type { Io } from "../command.ts";

/**
 * A line on the terminal that is written over while something runs. Without a terminal each new text is a line of its own,
 * so that a log of it can be read.
 */
export function createStatusLine(io: Io): { show(text: string, key?: string): void; clear(): void } {
  let shown = "";
  return {
    /** `key`: without a terminal only a text with another key is printed. */
    show(text, key = text) {
      if (io.terminal) {
        const width = Math.max(20, (process.stderr.columns ?? 80) - 1);
        process.stderr.write(`\r\u001b[K${text.slice(0, width)}`);
        shown = text;
      } else if (key !== shown) {
        io.err(`${text}\n`);
        shown = key;
      }
    },
    clear() {
      if (io.terminal && shown !== "") process.stderr.write("\r\u001b[K");
      shown = "";
    },
  };
}
