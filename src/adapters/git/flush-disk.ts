import { Failed } from "../../core/failure/failed.ts";
import type { Command } from "../../ports/command.ts";

const TIMEOUT_MS = 5 * 60_000;

/**
 * Waits until everything that was written to the file system of `folder` is on disk: commits that an agent or a person made
 * a moment ago, and the refs that hold them, are not synced by git. Where there is no program for that, it is not done.
 */
export async function flushDisk(command: Command, folder: string, path: string): Promise<void> {
  const order = { cwd: folder, env: { PATH: path, LC_ALL: "C" }, timeoutMs: TIMEOUT_MS };
  // Other systems' programs know no single file system.
  for (const argv of [["sync", "-f", folder], ["sync"]]) {
    const { code, timedOut } = await command.run({ ...order, argv });
    if (timedOut) throw new Failed({ kind: "file.failed", path: folder, detail: "the disk takes too long to write" });
    if (code === 0) return;
  }
}
