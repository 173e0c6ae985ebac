/** One path of a made-up tree: a file with its bytes (one character each), a link, or a submodule at its n-th commit. */
export type Entry =
  | { readonly file: string; readonly executable?: true }
  | { readonly link: string }
  | { readonly submodule: 0 | 1 | 2 | 3 };

export type Tree = Readonly<Record<string, Entry>>;

/** A tree with some paths changed; null removes one. */
export function change(tree: Tree, changes: Readonly<Record<string, Entry | string | null>>): Tree {
  const next: Record<string, Entry> = { ...tree };
  for (const [path, entry] of Object.entries(changes))
    if (entry === null) delete next[path];
    else next[path] = typeof entry === "string" ? { file: entry } : entry;
  return next;
}

export function move(tree: Tree, from: string, to: string): Tree {
  const entry = tree[from];
  if (entry === undefined) throw new Error(`${from} is not there`);
  return change(tree, { [from]: null, [to]: entry });
}

/** Numbers that are the same every time. */
export class Dice {
  constructor(private state: number) {}

  below(most: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  word(): string {
    return Array.from({ length: 4 + this.below(6) }, () => "abcdefghijklmnopqrstuvwxyz"[this.below(26)]).join("");
  }

  /** Lines that are all different, so that git finds what was moved. */
  lines(count: number, end = "\n"): string {
    return Array.from({ length: count }, (_, i) => `${i} ${this.word()} ${this.word()}${end}`).join("");
  }
}

/** A text with one line (counted from 0) replaced, which may be by several or by none. */
export function editLine(whole: string, line: number, by: string): string {
  const lines = whole.split(/(?<=\n)/);
  lines.splice(line, 1, by);
  return lines.join("");
}
