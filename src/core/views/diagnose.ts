/** One thing that was looked at. */
export interface Check {
  readonly group: "system" | "repository" | "config" | "session" | "live";
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly detail: string;
  /** What to do; empty where nothing has to be done. */
  readonly remedy: string;
  /** Set where we can do it ourselves without losing anything. */
  readonly fix?: Fix;
}

/** What can be mended: a dead supervisor's leftovers, our missing ignore file, modes, launchers that were never used. */
export type Fix = "leftovers" | "ignore-file" | "modes" | "launch-files";

/** What was found on a machine and in a repository. */
export interface MachineFacts {
  readonly node: string;
  /** Null where the program is not there. */
  readonly git: string | null;
  readonly tmux: string | null;
  readonly setpriv: boolean;
  readonly linux: boolean;
  /** Null outside a repository. */
  readonly repository: RepositoryState | null;
}

export interface RepositoryState {
  readonly root: string;
  /** What the config is complained about, one sentence each. */
  readonly config: readonly string[];
  /** Keys that wait for `banksman trust`. */
  readonly untrusted: readonly string[];
  readonly clis: readonly string[];
  readonly state: "writable" | "none" | "refused";
  /** Of the supervisor that run.json names: it answers, it does not, it is dead, there is none. */
  readonly supervisor: "answers" | "silent" | "stale" | "none";
  readonly session: "active" | "paused" | "stopped" | "none";
  /** There is a `.banksman/` without the file that hides what is ours in it. */
  readonly unhidden: boolean;
  /** Paths of the state folder that others than its user may use. */
  readonly loose: readonly string[];
  /** Launchers that no supervisor waits for. */
  readonly launchFiles: readonly string[];
  /** Registered worktrees of ours whose folder is gone. */
  readonly lostWorktrees: readonly string[];
  /** Those whose `.git` does not lead to the repository any more. */
  readonly brokenWorktrees: readonly string[];
  /** The journal, if it cannot be read: why. */
  readonly journal: string | null;
}

/** Ok, warn or fail with a remedy each: what a person would want to know before an unattended night. */
export function diagnose(facts: MachineFacts): Check[] {
  return [
    versionCheck("node", facts.node, [20, 19], "Install Node 20.19 or newer.", "fail"),
    versionCheck("git", facts.git, [2, 38], "Install git 2.38 or newer.", "fail"),
    versionCheck("tmux", facts.tmux, [3, 2], "Install tmux 3.2 or newer; without it sessions are headless.", "warn"),
    ...(facts.linux ? [setprivCheck(facts.setpriv)] : []),
    ...(facts.repository === null
      ? [
          fail(
            "repository",
            "repository",
            "this folder is not in a git repository",
            "Go to your project's folder, or `git init` there.",
          ),
        ]
      : repositoryChecks(facts.repository)),
  ];
}

export function overall(checks: readonly Check[]): Check["status"] {
  if (checks.some(({ status }) => status === "fail")) return "fail";
  return checks.some(({ status }) => status === "warn") ? "warn" : "ok";
}

function versionCheck(
  name: string,
  version: string | null,
  [major, minor]: readonly [number, number],
  remedy: string,
  otherwise: "fail" | "warn",
): Check {
  const [, a = "0", b = "0"] = /(\d+)\.(\d+)/.exec(version ?? "") ?? [];
  const enough = version !== null && (Number(a) > major || (Number(a) === major && Number(b) >= minor));
  const detail = version === null ? "not installed" : version;
  return enough ? ok("system", name, detail) : { group: "system", name, status: otherwise, detail, remedy };
}

const setprivCheck = (there: boolean): Check =>
  there
    ? ok("system", "setpriv", "headless agents end with their background process")
    : warn(
        "system",
        "setpriv",
        "not installed",
        "Install util-linux: without it the next start ends what a killed background process left.",
      );

function repositoryChecks(repository: RepositoryState): Check[] {
  const { root, config, untrusted, clis, state, lostWorktrees, brokenWorktrees, journal } = repository;
  return [
    ok("repository", "repository", root),
    state === "refused"
      ? fail(
          "repository",
          "state folder",
          "it cannot be written",
          "Give yourself the folder, or set BANKSMAN_STATE_DIR.",
        )
      : ok("repository", "state folder", state === "none" ? "not made yet" : "writable"),
    ...tidiness(repository),
    ...(journal === null
      ? []
      : [
          fail(
            "repository",
            "journal",
            journal,
            "See `banksman status`; a copy can be moved aside, work and branches stay.",
          ),
        ]),
    ...(config.length === 0
      ? [ok("config", "config", "valid")]
      : config.map((problem) =>
          fail("config", "config", problem, "Correct the file; `banksman init --print` shows every key."),
        )),
    ...(untrusted.length === 0
      ? []
      : [
          warn(
            "config",
            "trust",
            `not used until you trust them: ${untrusted.join(", ")}`,
            "Read them with `banksman trust`.",
          ),
        ]),
    clis.length === 0
      ? warn(
          "config",
          "CLIs",
          "none is installed",
          "Install claude, codex or another known one, or add yours: `banksman clis add <name> <command>`.",
        )
      : ok("config", "CLIs", clis.join(", ")),
    supervisorCheck(repository),
    ...(lostWorktrees.length === 0
      ? []
      : [
          warn(
            "session",
            "worktrees",
            `gone from disk: ${lostWorktrees.join(", ")}`,
            "`banksman start` makes them again from their branches.",
          ),
        ]),
    ...(brokenWorktrees.length === 0
      ? []
      : [
          warn(
            "session",
            "worktrees",
            `their \`.git\` is missing or not git's: ${brokenWorktrees.join(", ")}`,
            "`banksman start` repairs those it can, and says of the others what to do.",
          ),
        ]),
  ];
}

/** Each of these can be mended. */
function tidiness({ unhidden, loose, launchFiles }: RepositoryState): Check[] {
  const checks: Check[] = [];
  const found = (name: string, detail: string, how: Fix) =>
    checks.push({ ...warn("repository", name, detail, "`banksman doctor --fix` fixes it."), fix: how });
  if (loose.length > 0) found("modes", `others than you may use ${loose.join(", ")}`, "modes");
  if (unhidden) found("ignore file", ".banksman/.gitignore is missing, so our files show up in git", "ignore-file");
  if (launchFiles.length > 0)
    found("launchers", `${launchFiles.length} were never used, and hold agents' environments`, "launch-files");
  return checks;
}

function supervisorCheck({ supervisor, session }: RepositoryState): Check {
  if (supervisor === "silent")
    return fail(
      "session",
      "background process",
      "it holds the repository and does not answer",
      "`banksman status` names its process; continue or kill it.",
    );
  if (supervisor === "stale") {
    const remedy = "`banksman doctor --fix` clears up after it";
    const more = session === "none" ? "." : "; `banksman start` does, too, and brings its session back.";
    return {
      ...warn("session", "background process", "the last one did not end cleanly", remedy + more),
      fix: "leftovers",
    };
  }
  if (supervisor === "none" && (session === "active" || session === "paused"))
    return warn(
      "session",
      "background process",
      "none, though a session is recorded as running",
      "`banksman start` brings it back.",
    );
  return ok(
    "session",
    "background process",
    supervisor === "answers" ? `running, session ${session}` : `none, session ${session}`,
  );
}

type Group = Check["group"];

const ok = (group: Group, name: string, detail: string): Check => ({ group, name, status: "ok", detail, remedy: "" });
const warn = (group: Group, name: string, detail: string, remedy: string): Check => ({
  group,
  name,
  status: "warn",
  detail,
  remedy,
});
const fail = (group: Group, name: string, detail: string, remedy: string): Check => ({
  group,
  name,
  status: "fail",
  detail,
  remedy,
});
