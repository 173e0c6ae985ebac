import type { Dialect } from "../../core/clis/dialect.ts";
import type { AgentEvent } from "../../core/clis/events.ts";

/** An agent's process as its channel sees it. */
export interface Wire {
  /** A line to its input; null is the end of it. */
  send(line: string | null): void;
  /** A text, as it is. */
  write(text: string): void;
  event(event: AgentEvent): void;
  /** It waits in the middle of its turn; `goOn` lets it, with a text or without, and is called exactly once. */
  pausePoint(goOn: (text: string | null) => void): void;
}

/** How a running agent is spoken to. Every call that says something tells whether there was somebody to say it to. */
export interface Channel {
  readonly announces: boolean;
  /** Whether it takes a text now. */
  readonly listens: boolean;
  /** Its turn is over and it waits for another word. */
  readonly resting: boolean;
  begin(prompt: string): void;
  hear(line: string): void;
  answer(request: string, allow: boolean, note: string): boolean;
  tell(text: string): boolean;
  /** Asks it to stop what it is at; tells whether it will say that it did. */
  cancel(): boolean;
}

/** A channel of lines, as a dialect has them. */
export function lineChannel(dialect: Dialect, wire: Wire): Channel {
  let resting = false;
  const say = (line: string | null): boolean => {
    if (line === null) return false;
    wire.send(line);
    return true;
  };
  return {
    announces: dialect.announces,
    get listens() {
      return dialect.listens === "always" || (dialect.listens === "between-turns" && resting);
    },
    get resting() {
      return resting;
    },
    begin(prompt) {
      for (const line of dialect.begin(prompt)) {
        if (dialect.plain && line !== null) wire.write(line);
        else wire.send(line);
      }
    },
    hear(line) {
      const { events, reply, pausePoint } = dialect.hear(line);
      if (reply !== undefined) wire.send(reply);
      if (pausePoint !== undefined) wire.pausePoint((text) => void say(dialect.goOn?.(pausePoint, text) ?? null));
      for (const event of events) {
        if (event.type === "end" && dialect.listens === "between-turns") resting = true;
        wire.event(event);
      }
    },
    answer: (request, allow, note) => say(dialect.answer(request, allow, note)),
    tell(text) {
      resting = false;
      return say(dialect.tell(text));
    },
    cancel: () => say(dialect.cancel()) && dialect.listens === "between-turns",
  };
}
