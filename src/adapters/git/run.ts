import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, gitConfigEnvironment } from "../../core/environment.ts";
import { Failed } from "../../core/failure.ts";
import type { Command, CommandResult } from "../../ports/command.ts";

/** Given by environment, not by `-c`: a hostile key may hold `=`, and there it would be cut. */
export type Setting = readonly [key: string, value: string];

/**
 * Settings every call of ours gets: nothing of the repository's may run. Hooks, fsmonitor, pager and the `ext`
 * transport are off; git does not start its own maintenance under us.
 */
const SAFE: readonly Setting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.quotePath", "false"],
  ["protocol.ext.allow", "never"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
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
  "SSH_AUTH_SOCK",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

const FIXED = { LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", GIT_PAGER: "cat", GIT_EDITOR: "false" };

const TIMEOUT_MS = 120_000;
const LOCK_TRIES = 6;

export interface GitCall {
  readonly cwd?: string;
  readonly env?: Environment;
  readonly input?: string | Uint8Array;
  /** Its output goes into this new file instead. */
  readonly output?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Exit codes that are answers, not failures. */
  readonly answers?: readonly number[];
}

/** One git binary, one repository: every call is argv, and a lock somebody else holds for a moment is waited for. */
export class GitRunner {
  private readonly env: Environment;

  constructor(
    private readonly command: Command,
    private readonly cwd: string,
    user: Readonly<Record<string, string | undefined>>,
    private readonly settings: () => readonly Setting[] = () => [],
  ) {
    const passed = PASSED.flatMap((name) => (user[name] === undefined ? [] : [[name, user[name]]]));
    this.env = { ...Object.fromEntries(passed), ...FIXED };
  }

  /** The same with further settings in every call. */
  with(more: readonly Setting[]): GitRunner {
    return new GitRunner(this.command, this.cwd, this.env, () => [...this.settings(), ...more]);
  }

  async run(args: readonly string[], call: GitCall = {}): Promise<CommandResult> {
    const settings = gitConfigEnvironment([...SAFE, ...this.settings()]);
    const order = {
      argv: ["git", ...args],
      cwd: call.cwd ?? this.cwd,
      env: { ...this.env, ...settings, ...call.env },
      timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
      ...(call.input !== undefined && { input: call.input }),
      ...(call.output !== undefined && { output: call.output }),
    };
    for (let attempt = 1; ; attempt++) {
      const result = await this.command.run(order);
      if (result.code === 0 || (result.code !== null && call.answers?.includes(result.code))) return result;
      if (attempt === LOCK_TRIES || !lockedByAnother(result.stderr)) throw failure(args, result);
      await sleep(25 * 2 ** attempt);
    }
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
