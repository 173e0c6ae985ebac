import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from "node:fs";
import { dirname } from "node:path";
import { redact } from "../../core/redact.ts";

/** An agent's log is kept in two files of at most this size: the one being written, and the one before it. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Lines into a file only the user can read, without secrets. A full disk costs lines of the log, never the agent. */
export class LogFile {
  private stream: WriteStream;
  private size: number;

  constructor(
    private readonly path: string,
    private readonly secrets: readonly string[],
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.size = sizeOf(path);
    this.stream = this.open();
  }

  write(line: string): void {
    const text = `${redact(line, this.secrets)}\n`;
    if (this.size + text.length > MOST_BYTES) this.rotate();
    this.size += text.length;
    this.stream.write(text);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.stream.end(() => resolve()));
  }

  private rotate(): void {
    this.stream.end();
    try {
      renameSync(this.path, `${this.path}.1`);
    } catch {
      // Somebody removed it: a new one begins.
    }
    this.size = 0;
    this.stream = this.open();
  }

  private open(): WriteStream {
    const stream = createWriteStream(this.path, { flags: "a", mode: 0o600 });
    stream.on("error", () => undefined);
    return stream;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
