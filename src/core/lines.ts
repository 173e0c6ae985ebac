/** Cuts a stream of text into lines. A line longer than `longest` comes out cut, and its rest is dropped. */
export class LineCutter {
  private rest = "";
  private skipping = false;

  constructor(private readonly longest: number) {}

  /** The lines that are complete now, without their newline. Only LF ends a line. */
  push(text: string): string[] {
    const parts = (this.rest + text).split("\n");
    this.rest = parts.pop() ?? "";
    const lines = parts.flatMap((line) => this.finish(line));
    if (this.rest.length > this.longest) {
      if (!this.skipping) lines.push(this.rest.slice(0, this.longest));
      this.skipping = true;
      this.rest = "";
    }
    return lines;
  }

  /** What is left when the stream has ended. */
  end(): string[] {
    const last = this.rest === "" ? [] : this.finish(this.rest);
    this.rest = "";
    return last;
  }

  private finish(line: string): string[] {
    const skipped = this.skipping;
    this.skipping = false;
    return skipped ? [] : [line.slice(0, this.longest)];
  }
}
