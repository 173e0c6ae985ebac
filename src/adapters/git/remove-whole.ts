import { rmSync } from "node:fs";
import { Failed } from "../../core/failure/failed.ts";
import type { Command } from "../../ports/command.ts";

const TIMEOUT_MS = 10 * 60_000;

/**
 * A folder with all that is in it, whatever a test suite has made there: folders so deep that they have no path a program
 * could name, and such as may not be written to. Nothing is followed out of it.
 */
export async function removeWhole(command: Command, env: NodeJS.ProcessEnv, path: string): Promise<void> {
  try {
    return rmSync(path, { recursive: true, force: true });
  } catch {
    const order = { cwd: "/", env: { PATH: env.PATH ?? "", LC_ALL: "C" }, timeoutMs: TIMEOUT_MS };
    await command.run({ ...order, argv: ["find", path, "-type", "d", "-exec", "chmod", "u+rwx", "{}", "+"] });
    const { code, stderr } = await command.run({ ...order, argv: ["find", path, "-delete"] });
    if (code !== 0) throw new Failed({ kind: "file.failed", path, detail: stderr.trim().slice(0, 300) });
  }
}
