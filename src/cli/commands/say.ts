import type { Command } from "../command.ts";
import { say } from "../say.ts";

/** The fast path in bin.ts answers before commander is loaded; this is for `--help`, the reference, and tests. */
export const command: Command = {
  name: "say",
  summary: "Send a message as an agent: status, artifact, blocked, question, intent, retract; or poll for messages",
  args: [{ name: "[words...]", help: "The message; see the examples." }],
  options: [
    { flags: "--exports <list>", help: "artifact: the names others can use now." },
    { flags: "--files <list>", help: "artifact: the changed files." },
    { flags: "--wait <seconds>", help: "question: wait for the answer and print it. poll: wait for a new message." },
    { flags: "--json", help: "poll: print the messages as JSON." },
  ],
  examples: [
    {
      run: 'banksman say intent "wire the login" src/auth.ts,src/login.ts',
      does: "announces which files you will edit",
    },
    { run: 'banksman say question "RS256 or HS256?" --wait 600', does: "asks, waits for the answer and prints it" },
    { run: 'banksman say blocked "the token format" feat-auth', does: "tells feat-auth and the person that you wait" },
  ],
  async run({ args, options }, io) {
    const flags = ["exports", "files", "wait"].flatMap((name) =>
      typeof options[name] === "string" ? [`--${name}`, options[name]] : [],
    );
    return say([...args, ...flags, ...(options.json ? ["--json"] : [])], io);
  },
};
