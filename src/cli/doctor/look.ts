import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { MachineFacts, RepositoryState } from "../../core/diagnose.ts";
import { Failed } from "../../core/failure.ts";
import { IGNORE_FILE } from "../../core/sidecar.ts";
import type { Io } from "../command.ts";
import { connect } from "../connect.ts";
import { findHere, type Here, runFile, tokenFile } from "../place.ts";
import { openReader } from "../reader.ts";
import { wireConfig, wireWorld } from "../wire.ts";

/** Everything the doctor wants to know. Looking changes nothing. */
export async function lookAtMachine(io: Io): Promise<MachineFacts> {
  const here = findHere(io.cwd, io.env);
  const [git, tmux, setpriv] = await Promise.all([
    version("git", ["version"], io),
    version("tmux", ["-V"], io),
    version("setpriv", ["--version"], io),
  ]);
  return {
    node: process.versions.node,
    git,
    tmux,
    setpriv: setpriv !== null,
    linux: process.platform === "linux",
    repository: here === null ? null : await lookAround(here, io),
  };
}

function version(program: string, args: readonly string[], { env }: Io): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { env, timeout: 10_000 }, (error, out) =>
      resolve(error === null ? out.trim().replace(/^[a-z]+ (version )?/, "") : null),
    );
  });
}

async function lookAround(here: Here, io: Io): Promise<RepositoryState> {
  const config = readConfig(here, io);
  const supervisor = await supervisorOf(here);
  const { session, journal } = await readSession(here);
  const worktrees = await wireWorld(here, io.env)
    .git.worktrees()
    .catch(() => []);
  return {
    root: here.root,
    ...config,
    state: stateOf(here.state),
    supervisor,
    unhidden: existsSync(join(here.root, ".banksman")) && !existsSync(join(here.root, IGNORE_FILE)),
    loose: looseModes(here.state),
    launchFiles: supervisor === "none" || supervisor === "stale" ? launchFiles(here.state) : [],
    session,
    journal,
    lostWorktrees: worktrees
      .filter(({ missing, path }) => missing && path.includes("/.banksman/worktrees/"))
      .map(({ path }) => path),
  };
}

function readConfig(here: Here, io: Io): Pick<RepositoryState, "config" | "untrusted" | "clis"> {
  try {
    const { settings } = wireConfig(here, io.env);
    const own = [...settings.clis.values()].filter(({ source }) => source === "custom").map(({ name }) => name);
    return { config: [], untrusted: settings.ignored, clis: own };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const { failure } = error;
    const problems =
      failure.kind === "config.problems"
        ? failure.problems.map(({ file, line: at, message }) => `${file}${at === null ? "" : `:${at}`}: ${message}`)
        : [error.message];
    return { config: problems, untrusted: [], clis: [] };
  }
}

function stateOf(folder: string): RepositoryState["state"] {
  if (!existsSync(folder)) return "none";
  try {
    accessSync(folder, constants.W_OK);
    return "writable";
  } catch {
    return "refused";
  }
}

async function supervisorOf(here: Here): Promise<RepositoryState["supervisor"]> {
  try {
    await connect(here, "never");
    return "answers";
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (error.failure.kind !== "supervisor.none") return "silent";
    return existsSync(runFile(here.state)) ? "stale" : "none";
  }
}

async function readSession(here: Here): Promise<Pick<RepositoryState, "session" | "journal">> {
  try {
    const reader = await openReader(here);
    return { session: (await reader.snapshot().finally(() => reader.close())).status, journal: null };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { session: "none", journal: error.failure.kind.startsWith("journal.") ? error.message : null };
  }
}

/** What others than its user may use: the state folder, behind which everything else is, and the person's token. */
export function looseModes(state: string): string[] {
  const paths = [state, tokenFile(state)];
  return paths.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
}

/** Launchers remove themselves once their program runs; one that is left still holds an agent's environment. */
export function launchFiles(state: string): string[] {
  const folder = join(state, "launch");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
