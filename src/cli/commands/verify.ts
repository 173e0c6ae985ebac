import { type Command, ERROR, JSON_OPTION, OK, printJson } from "../command.ts";
import { followVerifications } from "../landing/follow-gates.ts";
import { requireRepository } from "../repository.ts";
import { renderVerification } from "../show/render-gates.ts";
import { createStatusLine } from "../show/status-line.ts";
import { act } from "../supervisor/connect.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";

export const command: Command = {
  name: "verify",
  summary: "Run the project's gates on an agent's work, a branch or any ref, and compare it with the base",
  args: [{ name: "[refs...]", help: "Agents, branches or other refs. Default: all agents of the session." }],
  options: [
    { flags: "--fresh", help: "Run the gates again, even if this very tree was checked before." },
    { flags: "--watch", help: "Show what the gates print while they run. Default on a terminal." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman verify feat/auth", does: "checks the branch in a checkout of its own, and says what fails where" },
    { run: "banksman verify", does: "checks the newest commit of every agent" },
    { run: "banksman verify HEAD --json | jq .verdict", does: "prints the verdict alone; exit code 0 only for a pass" },
  ],
  whenInterrupted: "The gates go on in the background: `banksman verify` shows what they say.",
  async run({ args, options }, io) {
    const repository = await requireRepository(io);
    const json = options.json === true;
    const views = await withSupervisor(repository, "hold", async (connection) => {
      const { names } = await act<{ readonly names: readonly string[] }>(connection, {
        type: "verify",
        refs: args,
        fresh: options.fresh === true,
      });
      return followVerifications(connection, names, json && !options.watch ? null : createStatusLine(io));
    });
    if (json) printJson(io, args.length === 1 ? views[0] : views);
    else io.out(views.map(renderVerification).join("\n"));
    return views.every(({ verdict }) => verdict === "pass") ? OK : ERROR;
  },
};
