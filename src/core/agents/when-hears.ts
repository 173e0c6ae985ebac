import type { Assignment } from "./assignment.ts";

/**
 * When an agent hears what it is told. `soon`: at its next pause. `again`: it had finished, and starts again with it.
 * `afterwards`: its CLI cannot be told anything while it runs. The others wait for a command of the person.
 */
export type Hears = "soon" | "again" | "afterwards" | "after-resume" | "after-start";

export function whenHears({ wanted, ended, live, paused, cli }: Assignment): Hears {
  if (wanted !== "up" || (ended !== null && ended.how !== "ok")) return "after-start";
  if (paused) return "after-resume";
  if (ended !== null) return "again";
  return live !== null && cli.protocol === "plain" ? "afterwards" : "soon";
}

/** The same, as a sentence. */
export function sayWhenHears(hears: Hears, agent: string): string {
  switch (hears) {
    case "soon":
      return `\`banksman inbox ${agent}\` shows when it has read it.`;
    case "again":
      return "It had finished: it starts again with this message.";
    case "afterwards":
      return "Its CLI cannot be told anything while it runs: it gets the message when it has finished.";
    case "after-resume":
      return "It is paused: it gets the message after `banksman resume`.";
    case "after-start":
      return "It is not running: it gets the message after `banksman start`.";
  }
}
