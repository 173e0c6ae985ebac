import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How far a conversation has come: what a coding CLI keeps in its own folder, so that it can be resumed. */
export class Memory {
  private readonly path: string;
  next: number;

  constructor(
    readonly session: string,
    env: NodeJS.ProcessEnv,
  ) {
    const folder = join(env.XDG_CACHE_HOME || join(env.HOME || "/tmp", ".cache"), "banksman-scripted-agent");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.path = join(folder, `${session.replaceAll(/[^\w-]/g, "")}.json`);
    this.next = read(this.path);
  }

  /** Step `index` is done. */
  done(index: number): void {
    this.next = index + 1;
    writeFileSync(`${this.path}.new`, JSON.stringify({ next: this.next }));
    renameSync(`${this.path}.new`, this.path);
  }
}

function read(path: string): number {
  try {
    return Number((JSON.parse(readFileSync(path, "utf8")) as { next?: unknown }).next) || 0;
  } catch {
    return 0;
  }
}
