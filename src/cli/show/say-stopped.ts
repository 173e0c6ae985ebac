export interface Stopped {
  /** Everybody who was named, or all. */
  readonly stopped: readonly string[];
  /** Those of them who had finished their work. */
  readonly finished: readonly string[];
  /** The background process has ended: nobody is left to supervise. */
  readonly isOver: boolean;
}

/** What `stop` has done, in sentences. */
export function sayStopped({ stopped, finished, isOver }: Stopped): string {
  const unfinished = stopped.filter((agent) => !finished.includes(agent));
  const [its, stays, it] =
    unfinished.length === 1 ? ["Its worktree", "stays", "it"] : ["Their worktrees", "stay", "them"];
  const left = finished.length === 1 ? "it" : "them";
  const lines = [
    ...(unfinished.length === 0
      ? []
      : [`Stopped ${unfinished.join(", ")}. ${its} ${stays}; \`banksman start\` brings ${it} back.`]),
    ...(finished.length === 0
      ? []
      : [
          `Already finished: ${finished.join(", ")}. \`banksman start\` leaves ${left} so; \`banksman start --again\` does not.`,
        ]),
    ...(stopped.length === 0 ? ["No agent was running."] : []),
    ...(isOver ? ["The background process has ended."] : []),
  ];
  return `${lines.join("\n")}\n`;
}
