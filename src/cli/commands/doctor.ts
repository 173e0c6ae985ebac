import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import colors from "picocolors";
import { type Check, diagnose, type MachineFacts, overall, type RepositoryState } from "../../core/diagnose.ts";
import { Failed } from "../../core/failure.ts";
import { type Command, ERROR, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { connect } from "../connect.ts";
import { findHere, type Here, runFile } from "../place.ts";
import { openReader } from "../reader.ts";
import { wireConfig, wireWorld } from "../wire.ts";

export const command: Command = {
  name: "doctor",
  summary: "Look at the machine, the repository, its config and its session, and say what to mend",
  options: [JSON_OPTION],
  examples: [
    { run: "banksman doctor", does: "ok, warn or fail, with a remedy each; exit code 1 for a fail" },
    { run: "banksman doctor --json | jq '.checks[] | select(.status != \"ok\")'", does: "only what is not ok" },
  ],
  async run({ options }, io) {
    const checks = diagnose(await look(io));
    const status = overall(checks);
    if (options.json) printJson(io, { status, checks });
    else for (const check of checks) io.out(line(check));
    return status === "fail" ? ERROR : OK;
  },
};

const MARKS = { ok: colors.green("ok  "), warn: colors.yellow("warn"), fail: colors.red("fail") };

const line = ({ name, status, detail, remedy }: Check): string =>
  `${MARKS[status]}  ${name}: ${detail}\n${remedy === "" ? "" : `      ${remedy}\n`}`;

async function look(io: Io): Promise<MachineFacts> {
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
  const { session, journal } = await readSession(here);
  const worktrees = await wireWorld(here, io.env)
    .git.worktrees()
    .catch(() => []);
  return {
    root: here.root,
    ...config,
    state: stateOf(here.state),
    supervisor: await supervisorOf(here),
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
