/** Where one supervisor works. */
export interface Place {
  readonly root: string;
  readonly project: string;
  readonly repository: string;
  /** The user's folder for this repository: never inside it. */
  readonly state: string;
  /** Starts every run marker of this repository. */
  readonly session: string;
  /** Patterns that hide what we put into worktrees. */
  readonly excludes: string;
  /** A folder with our own command in it, first on the agents' PATH. */
  readonly shims: string;
  /** Git hooks for agents: the repository's own, and what keeps them on their branch. */
  readonly hooks: string;
  /** The broker's base URL, e.g. `http://127.0.0.1:4321`. */
  url(): string;
  /** Our own program, to be run in panes. */
  readonly program: readonly string[];
  /** Versions of what runs set-up and gates. */
  readonly tools: readonly string[];
  /** The user's environment, of which agents get a part. */
  readonly env: Readonly<Record<string, string>>;
}
