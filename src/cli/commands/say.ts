import type { Command } from "../command.ts";
import { say } from "../say.ts";

/** The fast path in bin.ts answers before commander is loaded; this is for `--help`, the reference, and tests. */
export const command: Command = {
  name: "say",
  summary: "The agent's side: status, artifact, blocked, question, intent, retract, poll",
  args: [{ name: "[words...]", help: "What to say; see the examples." }],
  options: [
    { flags: "--exports <list>", help: "artifact: what others can use now." },
    { flags: "--files <list>", help: "artifact: the files it is in." },
    { flags: "--wait <seconds>", help: "question: wait for the answer and print it. poll: wait for something new." },
    { flags: "--json", help: "poll: the messages as JSON." },
  ],
  examples: [
    { run: 'banksman say intent "wire the login" src/auth.ts,src/login.ts', does: "before touching them" },
    { run: 'banksman say question "RS256 or HS256?" --wait 600', does: "asks, and prints the answer" },
    { run: 'banksman say blocked "the token format" feat-auth', does: "tells who can help, and the supervisor" },
  ],
  async run({ args, options }, io) {
    const flags = ["exports", "files", "wait"].flatMap((name) =>
      typeof options[name] === "string" ? [`--${name}`, options[name]] : [],
    );
    return say([...args, ...flags, ...(options.json ? ["--json"] : [])], io);
  },
};
