import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure/failed.ts";
import { Control, type LayoutNotice, Refused } from "./control.ts";
import type { Layout } from "./reply-reader.ts";

const TIMEOUT_MS = 10_000;
const START_TRIES = 6;

/** One tmux server: by a process for each command where nothing is there yet, and by one lasting connection otherwise. */
export class Server {
  private readonly argv: readonly string[];
  private control: { readonly session: string; readonly line: Control } | null = null;

  /** `socket` is a path or a name; null is the user's own server. */
  constructor(
    private readonly env: NodeJS.ProcessEnv,
    socket: string | null,
    private readonly onLayout: (notice: LayoutNotice) => void = () => {},
  ) {
    // -u: names and screens are UTF-8 whatever the locale says.
    this.argv = ["tmux", "-u", ...(socket === null ? [] : [socket.includes("/") ? "-S" : "-L", socket])];
  }

  /** The session we are connected to, if any. */
  get session(): string | null {
    return this.control?.line.open ? this.control.session : null;
  }

  connected = (session: string): boolean => this.control?.session === session && this.control.line.open;

  exists(session: string): Promise<boolean> {
    return this.exec(["has-session", "-t", `=${session}`]).then(
      () => true,
      () => false,
    );
  }

  /** Over the one connection; opened anew when it was lost, once. */
  async run(session: string, line: string): Promise<string[]> {
    if (!this.connected(session) || this.control === null) {
      this.control?.line.close();
      const attach = ["-C", "attach-session", "-t", `=${session}`, "-f", "ignore-size,no-output"];
      const onLayout = (notice: Layout) => this.onLayout({ session, ...notice });
      this.control = { session, line: new Control([...this.argv, ...attach], this.env, onLayout) };
    }
    return this.control.line.run(line);
  }

  /**
   * A server on its way out still has its socket for a moment; the next one takes it over. What is to be run is made for
   * each attempt: a launcher that a dying server has started is used up.
   */
  async whenServerIsUp(args: () => readonly string[]): Promise<{ out: string }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.exec(args());
      } catch (error) {
        const leaving = error instanceof Refused && /server exited|lost server|no server running/.test(error.message);
        if (!leaving || attempt === START_TRIES) throw error;
        await sleep(100 * attempt);
      }
    }
  }

  exec(args: readonly string[]): Promise<{ out: string }> {
    const [program = "tmux", ...before] = this.argv;
    return new Promise((done, fail) => {
      // The marker is our connection's: a server that we start is the user's, and lives on.
      const { BANKSMAN_RUN: _, ...env } = this.env;
      execFile(program, [...before, ...args], { env, timeout: TIMEOUT_MS }, (error, out, err) => {
        if (error === null) done({ out });
        else if ((error as NodeJS.ErrnoException).code === "ENOENT") fail(new Failed({ kind: "tmux.missing" }));
        else fail(new Refused(err.trim() || error.message));
      });
    });
  }

  leave(): void {
    this.control?.line.close();
    this.control = null;
  }
}
