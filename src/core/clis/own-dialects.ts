import { type Dialect, NOTHING } from "./dialect.ts";
import { parseEvent } from "./parse-event.ts";

const line = (value: object): string => JSON.stringify(value);

/** Our own protocol (docs/guides/agents.md): JSON lines both ways, at any time. It ends its process by itself. */
export const eventsDialect = (): Dialect => ({
  announces: true,
  listens: "always",
  begin: (prompt) => [line({ type: "prompt", text: prompt })],
  hear(text) {
    const event = parseEvent(text);
    return event === null ? NOTHING : { events: [event] };
  },
  answer: (request, allow, note) => line({ type: "permission", request, allow, note }),
  tell: (text) => line({ type: "message", text }),
  cancel: () => line({ type: "cancel" }),
});

/** Any command: its input is the brief, its exit code is its word. */
export const plainDialect = (): Dialect => ({
  announces: false,
  listens: "never",
  plain: true,
  begin: (prompt) => [prompt, null],
  hear: () => NOTHING,
  answer: () => null,
  tell: () => null,
  cancel: () => null,
});
