import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Stage } from "../stage.ts";

const DYING = fileURLToPath(new URL("serve-that-dies.mjs", import.meta.url));

/** `POINTS=all`: every effect. Otherwise one of each type; the simulation is cut at every one of them in any case. */
export const EVERY = process.env.POINTS === "all";

/** Where a story with these effects is cut: at which of them, and before or after it is done. */
export const pointsOf = (effects: readonly string[]): (readonly [number, "before" | "after"])[] =>
  effects
    .map((type, i) => [type, i + 1] as const)
    .filter(([type, at]) => EVERY || effects.indexOf(type) === at - 1)
    .flatMap(([, at]) => [
      [at, "before"],
      [at, "after"],
    ]);

/** A supervisor that kills itself at its n-th effect, `before` or `after` performing it; 0 is never. Resolves when it is up, or dead. */
export async function serveAndDie(stage: Stage, at: number, moment: string, trace = ""): Promise<ChildProcess> {
  const child = spawn(process.execPath, [DYING, String(at), moment, trace], {
    cwd: stage.root,
    env: stage.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => {
    child.stdout?.once("data", resolve);
    child.once("exit", resolve);
  });
  return child;
}
