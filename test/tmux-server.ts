import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Everything that needs one is left out where there is none; `./check` installs it where it may. */
export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;

/** A tmux server of a test's own: a socket in a temp folder, no configuration but what is given. */
export class TmuxServer {
  readonly folder = mkdtempSync(join(tmpdir(), "bm-tmux-"));
  readonly socket = join(this.folder, "socket");
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: this.folder,
    TERM: "xterm-256color",
    LC_ALL: "C.UTF-8",
  };

  run(...args: string[]): string {
    return execFileSync("tmux", ["-u", "-S", this.socket, ...args], {
      env: this.env,
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
  }

  dispose(): void {
    try {
      this.run("kill-server");
    } catch {
      // There is none any more.
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
