import { Failed, type Failure } from "../../core/failure.ts";
import { SUPERVISOR } from "../../core/ids.ts";
import { nearest } from "../../core/nearest.ts";
import { printable } from "../../core/printable.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";
import { openReader } from "../reader.ts";

export const command: Command = {
  name: "inbox",
  summary: "What an agent has been sent, and whether it has seen it",
  args: [{ name: "[agent]", help: "Whose inbox; the supervisor's by default." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman inbox", does: "what agents have told the supervisor" },
    { run: "banksman inbox feat-auth", does: "what feat-auth has been told" },
  ],
  async run({ args, options }, io) {
    const reader = await openReader(await requireHere(io));
    const { agents } = await reader.snapshot();
    const name = args[0] ?? SUPERVISOR;
    const agent =
      name === SUPERVISOR ? name : (agents.find(({ id, branch }) => id === name || branch === name)?.id ?? null);
    const inbox = agent === null ? [] : await reader.inbox(agent);
    await reader.close();
    if (agent === null)
      throw new Failed(
        unknownAgent(
          name,
          agents.map(({ id }) => id),
        ),
      );
    if (options.json) printJson(io, inbox);
    else if (inbox.length === 0) io.out("Empty.\n");
    else {
      for (const { seq, at, from, type, text, delivered, acted } of inbox) {
        const mark = acted ? "acted" : delivered ? "seen" : "queued";
        io.out(
          `${String(seq).padStart(5)}  ${at.slice(11, 19)}  ${mark.padEnd(6)}  ${from}  ${type.replace(/^agent\./, "")}: ${printable(text.split("\n")[0] ?? "")}\n`,
        );
      }
    }
    return OK;
  },
};

const unknownAgent = (agent: string, known: readonly string[]): Failure => ({
  kind: "agent.unknown",
  agent,
  known,
  near: nearest(agent, known),
});
