import { forTerminal } from "../core/text/printable.ts";
import type { Io } from "./command.ts";

export function processIo(): Io {
  // Whoever reads us may have seen enough (`| head`): that is no failure, and nothing more is said.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    });
  return {
    cwd: workingFolder(),
    env: process.env,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI,
    terminal: process.stdout.isTTY === true,
    ring: () => void (process.stdout.isTTY === true && process.stdout.write("\u0007")),
    out: (text) => void process.stdout.write(forTerminal(text)),
    err: (text) => void process.stderr.write(forTerminal(text)),
  };
}

/** A shell may still stand in a folder that was removed: then we stand nowhere, which is outside every repository. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}
