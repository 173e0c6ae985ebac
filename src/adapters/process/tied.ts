import { spawn } from "node:child_process";

/**
 * The command so that it dies with us: on Linux by `setpriv --pdeathsig`, which sets it and then becomes the program.
 * Where there is none, leftovers are found by their marker at the next start.
 */
export async function tiedToUs(argv: readonly string[]): Promise<readonly string[]> {
  return (await hasSetpriv()) ? ["setpriv", "--pdeathsig", "KILL", "--", ...argv] : argv;
}

let known: Promise<boolean> | null = null;

function hasSetpriv(): Promise<boolean> {
  known ??= new Promise((resolve) => {
    const probe = spawn("setpriv", ["--pdeathsig", "KILL", "--", "true"], { stdio: "ignore" });
    probe.once("error", () => resolve(false));
    probe.once("exit", (code) => resolve(code === 0));
  });
  return known;
}
