import { execFile } from "node:child_process";
import type { Io } from "../command.ts";

/** A new enough one; without it the demo is headless. */
export function hasTmux({ env }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    execFile("tmux", ["-V"], { env }, (error, out) => {
      const [, version = "0"] = /(\d+\.\d+)/.exec(out) ?? [];
      resolve(error === null && Number(version) >= 3.2);
    });
  });
}
