import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, gitConfigEnvironment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Command, CommandOrder, CommandResult } from "../../ports/command.ts";
import { type Blocking, createBlocking } from "./blocking.ts";
import {
  contentProgramsIn,
  createGuard,
  filtersRun,
  type Guard,
  isPartial,
  type Programs,
  settingsAgainst,
  settingsForRemotes,
  type TrustedPrograms,
  worktreeAgainst,
} from "./guard.ts";
import { clearDeadLock } from "./locks.ts";
import { ALWAYS_IN_ENV, ALWAYS_SET, REMOTE_IN_ENV, REMOTE_SET, type Setting } from "./programs.ts";

export type { Setting } from "./programs.ts";

/**
 * How our calls behave, besides running nothing: no maintenance is started under us, and a file that was written counts as
 * changed, whatever its size and its time, which anybody can set, say.
 */
const MANNERS: readonly Setting[] = [
  ["core.quotePath", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
  ["core.untrackedCache", "false"],
];

/** Variables git may see. GIT_DIR and its kin are not among them: we may have been started from a hook. */
const PASSED: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
];

/** What lets somebody act as the user elsewhere: only for calls that reach a remote. */
const PASSED_TO_REMOTES: readonly string[] = [
  "SSH_AUTH_SOCK",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

const FIXED = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };

const TIMEOUT_MS = 120_000;
const CONFIG_TIMEOUT_MS = 20_000;
const LOCK_TRIES = 6;
const MOST_CLEARED = 500;

/**
 * What a call may reach. `content`: whatever brings a worktree's files, which can be a filter that fetches (git-lfs) or the
 * remote of a partial clone. `remotes`: the protocols its user allows.
 */
export type Reach = "nothing" | "content" | "remotes";

export interface GitCall {
  readonly cwd?: string;
  readonly env?: Environment;
  readonly input?: string | Uint8Array;
  /** Its output goes into this new file instead. */
  readonly output?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Exit codes that are answers, not failures. */
  readonly answers?: readonly number[];
  /** Nothing unless it says so. */
  readonly reach?: Reach;
}

/** A call that is about one checkout. */
export type WorktreeCall = GitCall & { readonly cwd: string };

export interface RunnerOptions {
  /** Further settings, asked for at each call. */
  readonly settings?: () => readonly Setting[];
  /** Which programs of the repository's own config its user has allowed. */
  readonly trusted?: TrustedPrograms;
  /** The git folder all worktrees share, where it is known: its config is then not read for each call. */
  readonly commonDir?: string;
  /** For calls that do not say. */
  readonly timeoutMs?: number;
}

/**
 * One git binary, one repository: every call is argv, runs no program that the repository's or a worktree's config names
 * (programs.ts), does not wait for a file that never comes (blocking.ts), and waits for a lock somebody else holds for a
 * moment.
 */
export class GitRunner {
  private readonly trusted: TrustedPrograms;

  constructor(
    private readonly command: Command,
    private readonly cwd: string,
    private readonly user: Readonly<Record<string, string | undefined>>,
    private readonly options: RunnerOptions = {},
    private readonly guard: Guard = createGuard(options.commonDir ?? null),
    private readonly blocking: Blocking = createBlocking(options.commonDir ?? null),
  ) {
    this.trusted = options.trusted ?? (() => new Map());
  }

  /** The same with further settings in every call. */
  with(more: readonly Setting[]): GitRunner {
    const settings = () => [...(this.options.settings?.() ?? []), ...more];
    return new GitRunner(this.command, this.cwd, this.user, { ...this.options, settings }, this.guard, this.blocking);
  }

  /** The same, less patient. */
  within(timeoutMs: number): GitRunner {
    return new GitRunner(this.command, this.cwd, this.user, { ...this.options, timeoutMs }, this.guard, this.blocking);
  }

  /** What the config in a place says about programs; of the repository's own folder where none is given. */
  async programs(call: Pick<GitCall, "cwd" | "env"> = {}): Promise<Programs> {
    return this.look(call).catch((error: unknown) => {
      throw error instanceof ConfigUnread ? failure(["config"], error.result) : error;
    });
  }

  async run(args: readonly string[], call: GitCall = {}): Promise<CommandResult> {
    const isAnswer = ({ code }: CommandResult) =>
      code === 0 || (code !== null && call.answers?.includes(code) === true);
    const cwd = call.cwd ?? this.cwd;
    this.blocking.refuse(args, cwd, call.env ?? {});
    const programs = await this.look(call).catch((error: unknown) => {
      // Where git cannot even read the config, it would have said the same of the call.
      if (error instanceof ConfigUnread && isAnswer(error.result)) return error.result;
      throw error instanceof ConfigUnread ? failure(args, error.result) : error;
    });
    if ("code" in programs) return programs;
    const order = this.order(args, call, programs);
    let cleared = 0;
    for (let attempt = 1; ; ) {
      const result = await this.command.run(order);
      if (isAnswer(result)) return result;
      if (result.timedOut) await this.blocking.explain(cwd);
      if (!lockedByAnother(result.stderr)) throw failure(args, result);
      // Not at once: whoever has it may be done in a moment. One that was killed can have left a lock for each ref.
      if (attempt > 1 && cleared < MOST_CLEARED && this.clears(result.stderr)) {
        cleared++;
        continue;
      }
      if (attempt === LOCK_TRIES) throw failure(args, result);
      await sleep(25 * 2 ** attempt++);
    }
  }

  private clears(stderr: string): boolean {
    const { commonDir } = this.options;
    return commonDir !== undefined && clearDeadLock(commonDir, stderr);
  }

  /** Its output as text, without the final newline. */
  async text(args: readonly string[], call: GitCall = {}): Promise<string> {
    return decode((await this.run(args, call)).stdout).replace(/\n$/, "");
  }

  /** Its output split at NUL, as `-z` gives it. */
  async fields(args: readonly string[], call: GitCall = {}): Promise<string[]> {
    return splitAtNul(decode((await this.run(args, call)).stdout));
  }

  /** The same where there are file names: they are bytes, and each character of these texts is one (bytes.ts). */
  async names(args: readonly string[], call: GitCall = {}): Promise<string[]> {
    return splitAtNul(Buffer.from((await this.run(args, call)).stdout).toString("latin1"));
  }

  private async look({ cwd = this.cwd, env = {} }: Pick<GitCall, "cwd" | "env">): Promise<Programs> {
    this.blocking.refuse(["config"], cwd, env);
    return this.guard(cwd, env, () => this.listConfig(cwd, env));
  }

  private order(args: readonly string[], call: GitCall, programs: Programs): CommandOrder {
    const cwd = call.cwd ?? this.cwd;
    // Asked for only where there is something to trust: it is a file that is read.
    const trusted = contentProgramsIn(programs).size === 0 ? NOBODY : this.trusted();
    const reached = reaching(programs, trusted, call.reach ?? "nothing");
    const settings = [...ALWAYS_SET, ...MANNERS, ...reached.settings, ...settingsAgainst(programs, trusted)];
    const own = this.options.settings?.() ?? [];
    return {
      argv: ["git", ...args],
      cwd,
      env: {
        ...this.passed(reached.remotes),
        ...reached.env,
        ...worktreeAgainst(programs, cwd),
        ...gitConfigEnvironment([...settings, ...own]),
        ...call.env,
      },
      timeoutMs: call.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS,
      ...(call.input !== undefined && { input: call.input }),
      ...(call.output !== undefined && { output: call.output }),
    };
  }

  private passed(remotes: boolean): Environment {
    const names = remotes ? [...PASSED, ...PASSED_TO_REMOTES] : PASSED;
    const passed = names.flatMap((name) => (this.user[name] === undefined ? [] : [[name, this.user[name]]]));
    return { ...Object.fromEntries(passed), ...FIXED, ...ALWAYS_IN_ENV };
  }

  /** Runs nothing, whatever it reads. */
  private async listConfig(cwd: string, env: Environment): Promise<string[]> {
    const result = await this.command.run({
      argv: ["git", "config", "--list", "--includes", "--show-scope", "-z"],
      cwd,
      env: { ...this.passed(false), ...REMOTE_IN_ENV, ...env },
      timeoutMs: Math.min(CONFIG_TIMEOUT_MS, this.options.timeoutMs ?? TIMEOUT_MS),
    });
    if (result.code !== 0) throw new ConfigUnread(result);
    return splitAtNul(decode(result.stdout));
  }
}

class ConfigUnread extends Error {
  constructor(readonly result: CommandResult) {
    super("git cannot read its config");
  }
}

const NOBODY: ReadonlyMap<string, string> = new Map();

interface Reached {
  readonly remotes: boolean;
  readonly settings: readonly Setting[];
  readonly env: Environment;
}

const NOTHING: Reached = { remotes: false, settings: REMOTE_SET, env: REMOTE_IN_ENV };

function reaching(programs: Programs, trusted: ReadonlyMap<string, string>, reach: Reach): Reached {
  if (reach === "nothing") return NOTHING;
  const settings = settingsForRemotes(programs);
  if (settings === null) return NOTHING;
  if (reach === "remotes" || isPartial(programs)) return { remotes: true, settings, env: {} };
  // A filter that fetches does so by itself: git's own protocols stay closed.
  return filtersRun(programs, trusted) ? { remotes: true, settings, env: REMOTE_IN_ENV } : NOTHING;
}

function splitAtNul(text: string): string[] {
  const fields = text.split("\0");
  return fields.at(-1) === "" ? fields.slice(0, -1) : fields;
}

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

const lockedByAnother = (stderr: string) =>
  /Unable to create '.*\.lock': File exists|could not lock config file/.test(stderr);

function failure(args: readonly string[], { code, stderr, timedOut }: CommandResult): Failed {
  if (code === null && /ENOENT/.test(stderr)) return new Failed({ kind: "git.missing" });
  if (/No space left on device|Disk quota exceeded/.test(stderr))
    return new Failed({ kind: "disk.full", path: "the repository" });
  const detail = timedOut ? "it took too long" : stderr.trim() || `exit code ${code}`;
  return new Failed({
    kind: "git.failed",
    command: args
      .filter((arg) => !arg.startsWith("-"))
      .slice(0, 2)
      .join(" "),
    detail,
  });
}
