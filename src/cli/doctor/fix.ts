import { chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { IGNORE_FILE, IGNORED } from "../../core/clis/sidecar.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Check, Fix } from "../../core/views/diagnose.ts";
import type { Io } from "../command.ts";
import { supervisorFile } from "../supervisor/state-files.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";
import { findRepository, type Repository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";
import { launchFiles, looseModes } from "./look.ts";

/** What became of a check that has a safe remedy. */
export interface Fixed {
  readonly name: string;
  readonly ok: boolean;
  readonly did: string;
}

/** Mends what the checks found and can be mended without losing anything; the rest is left to a person. */
export async function fix(checks: readonly Check[], io: Io): Promise<Fixed[]> {
  const repository = findRepository(io.cwd, io.env);
  const done: Fixed[] = [];
  if (repository === null) return done;
  for (const { name, fix: how } of checks) {
    if (how === undefined) continue;
    try {
      done.push({ name, ok: true, did: await FIXES[how](repository) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      done.push({ name, ok: false, did: error.message });
    }
  }
  return done;
}

const FIXES: Readonly<Record<Fix, (repository: Repository) => Promise<string>>> = {
  leftovers: clearAfterSupervisor,
  "ignore-file": writeIgnoreFile,
  modes: tightenModes,
  "launch-files": removeLaunchFiles,
};

/** A supervisor's start is its predecessor's clearing up; held, it brings nobody back, and leaves again at once. */
async function clearAfterSupervisor(repository: Repository): Promise<string> {
  await withSupervisor(repository, "hold", async () => undefined);
  if (existsSync(supervisorFile(repository.state))) throw new Failed({ kind: "supervisor.silent", pid: null });
  return "ended what it had left running, and removed its address";
}

async function writeIgnoreFile(repository: Repository): Promise<string> {
  await wireFiles().writeInside(repository.root, IGNORE_FILE, IGNORED, 0o644);
  return `wrote ${repository.root}/${IGNORE_FILE}`;
}

async function tightenModes(repository: Repository): Promise<string> {
  const paths = looseModes(repository.state);
  for (const path of paths) chmodSync(path, statSync(path).mode & 0o700);
  return `took away what others could do with ${paths.join(", ")}`;
}

async function removeLaunchFiles(repository: Repository): Promise<string> {
  const paths = launchFiles(repository.state);
  for (const path of paths) rmSync(path, { force: true });
  return `removed ${paths.length} of them`;
}
