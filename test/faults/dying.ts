import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Stage } from "../stage.ts";

const DYING = fileURLToPath(new URL("serve-that-dies.mjs", import.meta.url));

/** A supervisor that kills itself at its n-th effect, `before` or `after` performing it; 0 is never. Resolves when it is up. */
export async function serveAndDie(stage: Stage, at: number, moment: string, trace = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, [DYING, String(at), moment, trace], {
    cwd: stage.root,
    env: stage.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  return child;
}
