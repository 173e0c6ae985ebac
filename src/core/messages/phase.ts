/** What banksman does to an agent, or what the agent waits for: a code to compare, with a text for people beside it. */
export interface Phase {
  readonly code: PhaseCode;
  readonly text: string;
}

const TEXTS = {
  "worktree.add": "adding the worktree",
  "worktree.fill": "checking out",
  "worktree.mend": "repairing the worktree",
  "worktree.set-up": "setting up",
  "worktree.undo": "taking back",
  "agent.launch": "launching",
  "agent.brief": "giving it its brief",
  "agent.end": "stopping",
  "agent.dismiss": "finishing",
  "work.save": "saving its work",
  "worktree.remove": "removing the worktree",
  "branch.delete": "deleting the branch",
  /** The process runs and has not said a word. */
  "no-sign": "waiting for its first sign",
  /** It runs on a terminal and is not at its prompt yet. */
  "no-prompt": "waiting for its prompt",
  /** Its CLI tries again what its model has refused, by its own word. */
  "rate-limited": "rate limited",
  retrying: "its model does not answer, and it tries again",
  permission: "permission",
  trust: "trust",
  login: "login",
  error: "error",
  prompt: "prompt",
  shell: "shell",
} as const;

/** `said`: the agent's own word, which is never compared with anything. */
export type PhaseCode = keyof typeof TEXTS | "said";

export const phase = (code: keyof typeof TEXTS): Phase => PHASES[code];

export const saidPhase = (text: string): Phase => ({ code: "said", text });

/** One object per code, so that the same phase twice is no change. */
const PHASES = Object.fromEntries(Object.entries(TEXTS).map(([code, text]) => [code, { code, text }])) as Record<
  keyof typeof TEXTS,
  Phase
>;

/** The phase that is written like this; the agent's own word where it is none of ours. */
export const phaseInWords = (text: string): Phase =>
  Object.values(PHASES).find((each) => each.text === text) ?? saidPhase(text);

/** What only a person at its pane can settle. */
export type AtPane = "trust" | "login" | "error" | "prompt" | "shell";

const AT_PANE: readonly (PhaseCode | undefined)[] = ["trust", "login", "error", "prompt", "shell"] satisfies AtPane[];

export const isAtPane = (code: PhaseCode | undefined): code is AtPane => AT_PANE.includes(code);
