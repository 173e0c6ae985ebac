import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { systemFiles } from "../../adapters/system/files.ts";
import type { Check, Fix } from "../../core/diagnose.ts";
import { Failed } from "../../core/failure.ts";
import { IGNORE_FILE, IGNORED } from "../../core/sidecar.ts";
import type { Io } from "../command.ts";
import { findHere, type Here, runFile } from "../place.ts";
import { withSupervisor } from "../with-supervisor.ts";
import { launchFiles, looseModes } from "./look.ts";

/** What became of a check that has a safe remedy. */
export interface Fixed {
  readonly name: string;
  readonly ok: boolean;
  readonly did: string;
}

/** Mends what the checks found and can be mended without losing anything; the rest is left to a person. */
export async function fix(checks: readonly Check[], io: Io): Promise<Fixed[]> {
  const here = findHere(io.cwd, io.env);
  const done: Fixed[] = [];
  if (here === null) return done;
  for (const { name, fix: how } of checks) {
    if (how === undefined) continue;
    try {
      done.push({ name, ok: true, did: await FIXES[how](here) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      done.push({ name, ok: false, did: error.message });
    }
  }
  return done;
}

const FIXES: Readonly<Record<Fix, (here: Here) => Promise<string>>> = {
  leftovers: clearAfterSupervisor,
  "ignore-file": writeIgnoreFile,
  modes: tightenModes,
  "launch-files": removeLaunchFiles,
};

/** A supervisor's start is its predecessor's clearing up; held, it brings nobody back, and leaves again at once. */
async function clearAfterSupervisor(here: Here): Promise<string> {
  await withSupervisor(here, "hold", async () => undefined);
  if (existsSync(runFile(here.state))) throw new Failed({ kind: "supervisor.silent", pid: null });
  return "ended what it had left running, and removed its address";
}

async function writeIgnoreFile(here: Here): Promise<string> {
  await systemFiles.writeInside(here.root, IGNORE_FILE, IGNORED, 0o644);
  return `wrote ${here.root}/${IGNORE_FILE}`;
}

async function tightenModes(here: Here): Promise<string> {
  const paths = looseModes(here.state);
  for (const path of paths) chmodSync(path, statSync(path).mode & 0o700);
  return `took away what others could do with ${paths.join(", ")}`;
}

async function removeLaunchFiles(here: Here): Promise<string> {
  const paths = launchFiles(here.state);
  for (const path of paths) rmSync(path, { force: true });
  return `removed ${paths.length} of them`;
}
