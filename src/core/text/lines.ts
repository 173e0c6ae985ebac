/**
 * Cuts a stream of text into lines. A line longer than `longest` comes out cut, and its rest is dropped. Each character is
 * looked at once, however small the pieces are in which a line arrives.
 */
export class LineCutter {
  private pieces: string[] = [];
  private length = 0;
  private skipping = false;

  constructor(private readonly longest: number) {}

  /** The lines that are complete now, without their newline. Only LF ends a line. */
  push(text: string): string[] {
    const parts = text.split("\n");
    const rest = parts.pop() ?? "";
    const lines = parts.flatMap((part) => {
      this.add(part);
      return this.take();
    });
    this.add(rest);
    if (this.length > this.longest) {
      lines.push(...this.take());
      this.skipping = true;
    }
    return lines;
  }

  /** What is left when the stream has ended. */
  end(): string[] {
    return this.length === 0 ? [] : this.take();
  }

  private add(piece: string): void {
    if (piece === "" || this.skipping) return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  private take(): string[] {
    const line = this.pieces.join("").slice(0, this.longest);
    const skipped = this.skipping;
    this.pieces = [];
    this.length = 0;
    this.skipping = false;
    return skipped ? [] : [line];
  }
}
