import { copyFileSync, statSync, utimesSync } from "node:fs";
import { Failed } from "../../core/failure/failed.ts";

/**
 * As old as the original: git takes a file that is older than the index for unchanged, so that a younger copy would hide
 * an edit of the same size, made in the second in which the index was written. A microsecond is lost on the way, and must
 * not be added.
 */
export function copyIndex(from: string, to: string): void {
  const stat = statSync(from);
  if (!stat.isFile()) throw new Failed({ kind: "file.failed", path: from, detail: "it is not a file" });
  const { atime, mtimeMs } = stat;
  copyFileSync(from, to);
  utimesSync(to, atime, mtimeMs / 1000 - 1e-6);
}
