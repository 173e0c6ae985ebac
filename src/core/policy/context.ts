/** The languages whose usual commands can be approved. */
export const STACKS = ["rust", "node", "python", "go", "java", "dotnet"] as const;
export type Stack = (typeof STACKS)[number];

/** off: nothing is answered. conservative: what only reads, and tests. safe: the whole policy. */
export const LEVELS = ["off", "conservative", "safe"] as const;
export type Level = (typeof LEVELS)[number];

/** Everything a decision depends on besides the command itself. Paths are absolute. */
export interface PolicyContext {
  readonly worktree: string;
  /** Where the shell stands: the worktree, or a folder in it. */
  readonly cwd: string;
  readonly branch: string;
  readonly remote: string;
  readonly otherWorktrees: readonly string[];
  readonly home: string;
  /** The agent's own folder for temporary files, `$TMPDIR`. */
  readonly temp: string | null;
  /** The agent's own URL of the broker, `$BANKSMAN_URL`. */
  readonly broker: string | null;
  /** The agent's own port, `$PORT`. */
  readonly port: number | null;
  readonly protectedPaths: readonly string[];
  readonly level: Level;
  /** Whether the table of usual commands counts; if not, only `extra` does. */
  readonly usual: boolean;
  readonly stacks: readonly Stack[];
  /** Commands that are fine here, each as the words that a command has to begin with. */
  readonly extra: readonly (readonly string[])[];
  /** Whether a sandbox is on that was proved at launch. */
  readonly sandbox: boolean;
  /** Hosts that may be fetched from, and MCP tools (`server.tool`) that may be used. */
  readonly hosts: readonly string[];
  readonly mcpTools: readonly string[];
  readonly facts: Facts;
}

/** What only the disk and git know. Each answers at once, and with the careful answer where it does not know. */
export interface Facts {
  /**
   * Where an absolute path really leads, links followed. Of what does not exist, the nearest folder that does is
   * resolved. `..` counts after a link, as it does for the kernel.
   */
  resolve(path: string): string;
  /** Whether a file is tracked and as it is in HEAD: nothing is lost when it goes. */
  isCommitted(path: string): boolean;
  /** Whether a file is as it is at the base commit: the agent has not written it. */
  isUnchanged(path: string): boolean;
  /** Whether a script of the package.json of a folder is as it is at the base commit. */
  isScriptUnchanged(folder: string, script: string): boolean;
  /** Whether the lock file for a folder names a package, and is as it is at the base commit. */
  isLocked(folder: string, name: string): boolean;
  /** Whether there is a lock file for a folder that is as it is at the base commit. */
  hasLock(folder: string): boolean;
  /** Whether the branch changes what the CI runs. */
  changesCi(): boolean;
}
