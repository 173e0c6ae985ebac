import { lstatSync, renameSync, type WriteStream } from "node:fs";
import { redact } from "../../core/text/redact.ts";
import { appendTo } from "./append-to.ts";

/** An agent's log is kept in two files of at most this size: the one being written, and the one before it. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Lines into a file only the user can read, without secrets. A full disk costs lines of the log, never the agent. */
export class LogFile {
  /** Null where somebody put something else in its place while it was laid aside. */
  private stream: WriteStream | null;
  private size: number;

  constructor(
    private readonly path: string,
    private readonly secrets: readonly string[],
  ) {
    this.size = sizeOf(path);
    this.stream = appendTo(path);
  }

  write(line: string): void {
    const text = `${redact(line, this.secrets)}\n`;
    if (this.size + text.length > MOST_BYTES) this.rotate();
    this.size += text.length;
    this.stream?.write(text);
  }

  close(): Promise<void> {
    return new Promise((resolve) => (this.stream === null ? resolve() : this.stream.end(() => resolve())));
  }

  private rotate(): void {
    this.stream?.end();
    try {
      renameSync(this.path, `${this.path}.1`);
    } catch {
      // Somebody removed it: a new one begins.
    }
    this.size = 0;
    this.stream = reopen(this.path);
  }
}

/** The agent goes on without its log. */
function reopen(path: string): WriteStream | null {
  try {
    return appendTo(path);
  } catch {
    return null;
  }
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    return 0;
  }
}
