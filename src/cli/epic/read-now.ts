import { readStamp } from "../../core/epic/file/stamp.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Instant } from "../../core/text/ids.ts";

/** The value of `--now`; null where it was not given. */
export function readNow(text: unknown): Instant | null {
  if (text === undefined) return null;
  const now = readStamp(String(text));
  if (now !== null) return now;
  throw new Failed({ kind: "usage", message: "--now is not a time.", hint: "Give it as 2026-05-08T02:14:00Z." });
}
