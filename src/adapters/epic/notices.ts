import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import { printable } from "../../core/text/printable.ts";
import type { Command } from "../../ports/command.ts";
import type { Notifier } from "../../ports/epic.ts";

/** Runs the user's command for each notice, once per key: the key is marked before it runs. */
export const createNotices = (
  command: Command,
  { folder, argv, env }: { folder: string; argv: readonly string[]; env: Environment },
): Notifier => ({
  async notify(key, text) {
    const mark = join(folder, createHash("sha256").update(key).digest("hex").slice(0, 32));
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(mark, key, { flag: "wx", mode: 0o600 });
    } catch {
      return;
    }
    await command.run({
      argv: [...argv, printable(text)],
      cwd: "/",
      env: agentEnvironment(env, ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY"], {}),
      timeoutMs: 30_000,
    });
  },
});
