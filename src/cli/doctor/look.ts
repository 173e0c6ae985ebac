import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { IGNORE_FILE } from "../../core/clis/sidecar.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { MachineFacts, RepositoryState } from "../../core/views/diagnose.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Io } from "../command.ts";
import { connect } from "../supervisor/connect.ts";
import { openReader } from "../supervisor/reader.ts";
import { supervisorFile, tokenFile } from "../supervisor/state-files.ts";
import { findRepository, type Repository } from "../wire/find-repository.ts";
import { wireConfig, wirePorts } from "../wire/wire-ports.ts";

/** Everything the doctor wants to know. Looking changes nothing. */
export async function lookAtMachine(io: Io): Promise<MachineFacts> {
  const repository = findRepository(io.cwd, io.env);
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
    repository: repository === null ? null : await lookAround(repository, io),
  };
}

function version(program: string, args: readonly string[], { env }: Io): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, [...args], { env, timeout: 10_000 }, (error, out) =>
      resolve(error === null ? out.trim().replace(/^[a-z]+ (version )?/, "") : null),
    );
  });
}

async function lookAround(repository: Repository, io: Io): Promise<RepositoryState> {
  const ports = wirePorts(repository, io.env);
  const config = await readConfig(repository, ports, io);
  const supervisor = await supervisorOf(repository);
  const { session, journal } = await readSession(repository);
  const worktrees = await ports.git.worktrees().catch(() => []);
  return {
    root: repository.root,
    ...config,
    state: stateOf(repository.state),
    supervisor,
    unhidden: existsSync(join(repository.root, ".banksman")) && !existsSync(join(repository.root, IGNORE_FILE)),
    loose: looseModes(repository.state),
    launchFiles: supervisor === "none" || supervisor === "stale" ? launchFiles(repository.state) : [],
    session,
    journal,
    lostWorktrees: worktrees.filter(({ missing, path }) => missing && isOurPlace(path)).map(({ path }) => path),
    brokenWorktrees: worktrees.filter(({ broken, path }) => broken && isOurPlace(path)).map(({ path }) => path),
  };
}

const isOurPlace = (path: string): boolean => path.includes("/.banksman/worktrees/");

/** With the CLIs that are installed; ours, which follows a script, is always there. */
async function readConfig(
  repository: Repository,
  { agents }: Pick<Ports, "agents">,
  io: Io,
): Promise<Pick<RepositoryState, "config" | "untrusted" | "clis">> {
  try {
    const { settings } = wireConfig(repository, io.env);
    const known = [...settings.clis.values()].filter(({ name }) => name !== "scripted");
    const found = await Promise.all(
      known.map(async ({ name, argv }) => ({ name, path: await agents.find(argv[0] ?? "", repository.root) })),
    );
    const clis = found.filter(({ path }) => path !== null).map(({ name }) => name);
    return { config: [], untrusted: settings.ignored, clis };
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

async function supervisorOf(repository: Repository): Promise<RepositoryState["supervisor"]> {
  try {
    await connect(repository, "never");
    return "answers";
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (error.failure.kind !== "supervisor.none") return "silent";
    return existsSync(supervisorFile(repository.state)) ? "stale" : "none";
  }
}

async function readSession(repository: Repository): Promise<Pick<RepositoryState, "session" | "journal">> {
  try {
    const reader = await openReader(repository);
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
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(folder, name));
}
