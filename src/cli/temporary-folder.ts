import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failed } from "../core/failure/failed.ts";
import { unexpected } from "./unexpected.ts";

/** A new folder that is the caller's to remove. Where TMPDIR is of no use, that is what is said. */
export function temporaryFolder(purpose: string): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), `banksman-${purpose}-`)));
  } catch (error) {
    const failure = unexpected(error);
    if (failure.kind === "disk.full") throw new Failed(failure);
    throw new Failed({ kind: "disk.no-temp", path: tmpdir(), detail: (error as Error).message });
  }
}
