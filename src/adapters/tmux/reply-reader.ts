/** What a line of control mode completes: an answer to a command of ours or to another one, or the connection. */
export type Heard =
  | { readonly is: "other" }
  | { readonly is: "reply"; readonly lines: readonly string[]; readonly refused: boolean }
  | { readonly is: "exit"; readonly why: string }
  | { readonly is: "layout"; readonly layout: Layout };

/** What tmux says by itself of a window that has changed. */
export interface Layout {
  readonly window: string;
  readonly size: { readonly width: number; readonly height: number };
  /** One of its panes fills it for the moment. */
  readonly zoomed: boolean;
}

/**
 * Tells tmux's own lines from what its commands print. A block ends with the very time, number and flags it began with,
 * and everything before that is its content, whatever it looks like. Time and number can be guessed, so what agents
 * choose (names, screens) must not stand at the beginning of a line here: see read-panes.ts and capture.ts.
 */
export class ReplyReader {
  private block: { readonly name: string; readonly ours: boolean; readonly lines: string[] } | null = null;

  read(line: string): Heard | null {
    if (this.block === null) return this.outside(line);
    const { name, ours, lines } = this.block;
    const refused = line === `%error ${name}`;
    if (!refused && line !== `%end ${name}`) {
      lines.push(line);
      return null;
    }
    this.block = null;
    return ours ? { is: "reply", lines, refused } : { is: "other" };
  }

  private outside(line: string): Heard | null {
    const [, name, flags] = /^%begin (\d+ \d+ (\d+))$/.exec(line) ?? [];
    // Blocks whose flags are 0 answer somebody else; they have content all the same.
    if (name !== undefined) this.block = { name, ours: (Number(flags) & 1) === 1, lines: [] };
    const layout = readLayout(line);
    if (layout !== null) return { is: "layout", layout };
    const exit = /^%exit(?: (.*))?$/s.exec(line);
    return exit === null ? null : { is: "exit", why: exit[1] ?? "" };
  }
}

/** `%layout-change @1 4d5b,480x140,0,0[…] 4d5b,480x140,0,0[…] *Z`: all of it is tmux's own. */
function readLayout(line: string): Layout | null {
  const [, window, width, height, flags] = /^%layout-change (@\d+) \w+,(\d+)x(\d+),\S* \S+ ?(\S*)$/.exec(line) ?? [];
  if (window === undefined) return null;
  return { window, size: { width: Number(width), height: Number(height) }, zoomed: (flags ?? "").includes("Z") };
}
