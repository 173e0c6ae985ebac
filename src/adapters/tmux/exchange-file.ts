import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Counts what this process has exchanged: each file and buffer has a name of its own, also with two connections. */
let count = 0;
const swept = new Set<string>();

/** A file for a text on its way into a pane, or a screen on its way out, and the name of tmux's buffer for it. */
export function exchangeFile(folder: string): { readonly path: string; readonly buffer: string } {
  const exchange = join(folder, "exchange");
  mkdirSync(exchange, { recursive: true, mode: 0o700 });
  sweep(exchange);
  const buffer = `banksman-${process.pid}-${++count}`;
  return { path: join(exchange, buffer), buffer };
}

/** A process that was killed left its file behind, with what an agent was told or showed. */
function sweep(exchange: string): void {
  if (swept.has(exchange)) return;
  swept.add(exchange);
  for (const name of readdirSync(exchange)) {
    const [, pid] = /^banksman-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || !isThere(Number(pid))) rmSync(join(exchange, name), { force: true });
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
