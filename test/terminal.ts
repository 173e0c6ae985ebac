import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BIN, eventually, type Stage } from "./stage.ts";

let opened = 0;

/** The program on a terminal of 80×24, with a person at its keys: a tmux of its own is the terminal. */
export class Terminal {
  private readonly socket: string;

  constructor(
    private readonly stage: Stage,
    ...args: string[]
  ) {
    // One of its own each: a server on its way out still has its socket for a moment.
    this.socket = join(stage.repo.folder, `viewer-${++opened}`);
    const size = ["-x", "80", "-y", "24", "-c", stage.root];
    const shell = `"$0" "$@"; echo "ended with $?"; exec sleep 1000`;
    const program = ["sh", "-c", shell, process.execPath, BIN, ...args];
    this.tmux("-f", "/dev/null", "new-session", "-d", "-s", "v", ...size, ...program);
  }

  private tmux(...args: string[]): string {
    return spawnSync("tmux", ["-S", this.socket, ...args], { encoding: "utf8", env: this.stage.env }).stdout;
  }

  /** From now on every byte that the program writes to its terminal goes into a file of this name, too. */
  record = (file: string): string => this.tmux("pipe-pane", "-t", "v", `cat > '${file}'`);
  keys = (...names: string[]): string => this.tmux("send-keys", "-t", "v", ...names);
  resize = (columns: number, rows: number): string =>
    this.tmux("resize-window", "-t", "v", "-x", String(columns), "-y", String(rows));
  /** As a terminal does it: the program is told where it begins and ends, if it has asked for that. */
  paste(text: string): void {
    this.tmux("set-buffer", text);
    this.tmux("paste-buffer", "-p", "-t", "v");
  }
  text = (): string => this.tmux("capture-pane", "-p", "-J", "-t", "v");
  shows = (text: string | RegExp): Promise<void> =>
    eventually(() => (typeof text === "string" ? this.text().includes(text) : text.test(this.text())));
  close = (): void => void this.tmux("kill-server");
}
