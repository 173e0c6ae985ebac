/** Lines of one file that a change adds and takes away. */
export interface ChangedLines {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface LandedLines {
  /** Who landed it. */
  readonly branch: string;
  readonly files: readonly ChangedLines[];
}

/** Fewer may be chance: a closing bracket, an import that everybody writes. */
const LEAST_LINES = 3;
const LEAST_LENGTH = 4;

/**
 * Where a branch takes away again what another has landed: lines that were added there, are removed here and do not come
 * back in the same file. It was probably written on an older state of the file.
 */
export function findUndone(
  own: readonly ChangedLines[],
  landed: readonly LandedLines[],
): { readonly path: string; readonly landed: string; readonly lines: number }[] {
  const byPath = new Map(own.map((each) => [each.path, each]));
  return landed.flatMap(({ branch, files }) =>
    files.flatMap(({ path, added }) => {
      const change = byPath.get(path);
      if (change === undefined) return [];
      const [gone, back] = [new Set(change.removed.map(trimmed)), new Set(change.added.map(trimmed))];
      const lost = [...new Set(added.map(trimmed))].filter(
        (line) => line.length >= LEAST_LENGTH && gone.has(line) && !back.has(line),
      );
      return lost.length >= LEAST_LINES ? [{ path, landed: branch, lines: lost.length }] : [];
    }),
  );
}

const trimmed = (line: string): string => line.trim();
