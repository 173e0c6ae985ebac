import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { SUPERVISOR } from "../../core/text/ids.ts";
import { nearest } from "../../core/text/nearest.ts";
import { printable } from "../../core/text/printable.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { localTime } from "../show/local-time.ts";
import { openReader } from "../supervisor/reader.ts";

export const command: Command = {
  name: "inbox",
  summary: "Show the messages an agent got, and whether it has read them",
  args: [{ name: "[agent]", help: "The agent's id or branch. Default: the console's own inbox." }],
  options: [JSON_OPTION],
  examples: [
    { run: "banksman inbox", does: "shows what agents have told you" },
    { run: "banksman inbox feat-auth", does: "shows what feat-auth was told" },
  ],
  async run({ args, options }, io) {
    const reader = await openReader(await requireRepository(io));
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
          `${String(seq).padStart(5)}  ${localTime(at, Date.now())}  ${mark.padEnd(6)}  ${from}  ${type.replace(/^agent\./, "")}: ${printable(text.split("\n")[0] ?? "")}\n`,
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
