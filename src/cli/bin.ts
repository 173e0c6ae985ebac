import * as nodeModule from "node:module";
import { call } from "../broker/client.ts";
import { toJson } from "../core/text/printable.ts";
import { PROTOCOL } from "../core/text/protocol.ts";
import type { Snapshot } from "../core/views/snapshot.ts";
import { hook } from "./hook.ts";
import { processIo } from "./io.ts";
import { say } from "./say.ts";
import { renderStatus } from "./show/render.ts";
import { connectionTo, readSupervisorFile } from "./supervisor/state-files.ts";
import { findRepository } from "./wire/find-repository.ts";

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
  const repository = findRepository(io.cwd, io.env);
  const run = repository === null ? null : readSupervisorFile(repository.state);
  if (repository === null || run === null || run.protocol !== PROTOCOL) return false;
  const answer = await call(connectionTo(repository, run, io.env), "GET", "/snapshot", undefined, { ms: 2_000 });
  if (typeof answer === "string" || answer.status !== 200) return false;
  const snapshot = answer.body as Snapshot;
  if (snapshot.repository !== repository.commonDir) return false;
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
