import * as nodeModule from "node:module";
import { call } from "../broker/client.ts";
import { toJson } from "../core/printable.ts";
import { PROTOCOL } from "../core/protocol.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { hook } from "./hook.ts";
import { processIo } from "./io.ts";
import { findHere, lineTo, readRun } from "./place.ts";
import { renderStatus } from "./render.ts";
import { say } from "./say.ts";

/**
 * The program's entry: what is asked all the time is answered here, with node:http and an argv switch; everything else
 * is an ES module that is loaded for it. Built as CommonJS.
 */
async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === "--version" || name === "-V") {
    process.stdout.write(`${__VERSION__}\n`);
    return 0;
  }
  if (name === "say" && !rest.some((word) => word === "--help" || word === "-h")) return say(rest, processIo());
  if (name === "hook") return hook(process.env, process.stdin, (text) => void process.stdout.write(text));
  if (name === "status" && (rest.length === 0 || (rest.length === 1 && rest[0] === "--json"))) {
    const shown = await status(rest[0] === "--json");
    if (shown) return 0;
  }
  // Node 22 and later keep compiled code between runs.
  (nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();
  const program = await load<typeof import("./main.ts")>("./main.mjs");
  return program.main(argv, processIo());
}

/** A module beside this file in the built package: not to be bundled into it. */
const load = <Module>(file: string): Promise<Module> => import(file) as Promise<Module>;

/** True when a supervisor answered. Everything that is not plain success is left to the full program. */
async function status(json: boolean): Promise<boolean> {
  const io = processIo();
  const here = findHere(io.cwd, io.env);
  const run = here === null ? null : readRun(here.state);
  if (here === null || run === null || run.protocol !== PROTOCOL) return false;
  const answer = await call(lineTo(here, run, io.env), "GET", "/snapshot", undefined, 2_000);
  if (typeof answer === "string" || answer.status !== 200) return false;
  const snapshot = answer.body as Snapshot;
  if (snapshot.repository !== here.commonDir) return false;
  io.out(json ? `${toJson(snapshot, 2)}\n` : renderStatus(snapshot, Date.now()));
  return true;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`This is a bug in banksman: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
