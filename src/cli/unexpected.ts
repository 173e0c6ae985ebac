import { tmpdir } from "node:os";
import type { Failure } from "../core/failure/failure.ts";

/** What was thrown and is no failure of ours: a full disk or a refused path is no bug, everything else is. */
export function unexpected(error: unknown): Failure {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT")
    return { kind: "disk.full", path: path ?? `${tmpdir()} or your state folder` };
  if ((code === "EACCES" || code === "EROFS" || code === "EPERM") && path !== undefined)
    return { kind: "file.failed", path, detail: (error as Error).message };
  return { kind: "internal", detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
