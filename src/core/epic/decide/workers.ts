/** Somebody who does work items: known to the registry, never made up by a model. */
export interface Worker {
  readonly name: string;
  /** What it can do, in words for the planner. */
  readonly capabilities: readonly string[];
  /** How many items of an epic it has at a time. */
  readonly capacity: number;
  /** An agent of a session, a run of the pipeline, or a command. */
  readonly mode: "session" | "pipeline" | "command";
  /** For `command`: argv, with {item}, {epic}, {title} and {key} in it. */
  readonly command: readonly string[];
  /** Why it cannot be sent from here, in words that follow its name. */
  readonly unable?: string;
}

export type Registry = ReadonlyMap<string, Worker>;

const CODE = ["code", "tests", "docs", "refactor", "debug"];

const agent = (name: string, capacity: number): readonly [string, Worker] => [
  name,
  { name, capabilities: CODE, capacity, mode: "session", command: [] },
];

/** Whoever has no `[workers.*]` has these: agents of a session with the CLI of that name. */
export const DEFAULT_WORKERS: Registry = new Map([
  agent("claude", 4),
  agent("codex", 2),
  agent("gemini", 2),
  agent("opencode", 2),
  agent("pi", 2),
]);

/** The registry as it is here: whoever cannot be sent has no hand free. */
export const withUnable = (workers: Registry, unable: ReadonlyMap<string, string>): Registry =>
  new Map(
    [...workers].map(([name, worker]) => {
      const why = unable.get(name);
      return [name, why === undefined ? worker : { ...worker, capacity: 0, unable: why }];
    }),
  );
