/** Hooks as claude and gemini read them from their settings: each event calls our own program with what happened. */
export const hookSettings = (command: string, events: readonly string[]): object =>
  Object.fromEntries(events.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]));
