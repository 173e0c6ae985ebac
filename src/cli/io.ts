import type { Io } from "./command.ts";

export function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI,
    terminal: process.stdout.isTTY === true,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
}
