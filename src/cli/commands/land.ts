import type { Connection } from "../../broker/client.ts";
import { type LandingPlan, type LandingView, trainInWords } from "../../core/landing/view.ts";
import { counted } from "../../core/text/counted.ts";
import { type Command, ERROR, type Input, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { followLanding } from "../landing/follow-gates.ts";
import { requireRepository } from "../repository.ts";
import { confirm } from "../session/confirm.ts";
import { renderLanding, renderLandingPlan } from "../show/render-landing.ts";
import { createStatusLine } from "../show/status-line.ts";
import { act } from "../supervisor/connect.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";

export const command: Command = {
  name: "land",
  summary: "Test branches together and land them on the target, so that it is never red",
  args: [
    { name: "[branches...]", help: "Branches, or agents. Default: all agents whose work is verified or finished." },
  ],
  options: [
    {
      flags: "--plan",
      help: "Only show the order, with reasons, predicted conflicts and how often the gates will run.",
    },
    { flags: "--yes", help: "Do not ask. Needed where there is no terminal to ask on." },
    { flags: "--watch", help: "Only watch the landing that is under way." },
    { flags: "--cancel", help: "End the landing that is under way. What has landed stays." },
    { flags: "--undo <branch>", help: "Land a commit that takes back what this branch has landed." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman land --plan", does: "shows what would land in which order, and what it would cost" },
    { run: "banksman land", does: "lands all agents' finished work, each tree tested before the target moves to it" },
    { run: "banksman land feat/a feat/b feat/c --yes", does: "a merge queue for your own branches, without any agent" },
    { run: "banksman land --undo feat/a", does: "takes back what feat/a has landed, tested like any other change" },
  ],
  whenInterrupted: "The landing goes on in the background: `banksman land --watch` shows it, `--cancel` ends it.",
  async run(input, io) {
    const repository = await requireRepository(io);
    const { options } = input;
    return withSupervisor(repository, "hold", (connection) => {
      if (options.cancel) return cancel(connection, io, options.json === true);
      if (options.watch) return follow(connection, io, options.json === true);
      if (options.undo !== undefined) return undo(connection, input, io);
      return landOrPlan(connection, input, io);
    });
  },
};

async function landOrPlan(connection: Connection, { args, options }: Input, io: Io): Promise<number> {
  const json = options.json === true;
  if (options.plan || !options.yes) {
    const plan = await act<LandingPlan>(connection, { type: "land", branches: args, dryRun: true });
    if (json && options.plan) printJson(io, plan);
    else if (options.plan || io.interactive) io.out(renderLandingPlan(plan));
    if (options.plan) return OK;
    await confirm(io, `Land ${counted(plan.order.length, "branch", "branches")} on ${plan.target}`, "--yes");
  }
  const { branches } = await act<Asked>(connection, { type: "land", branches: args, dryRun: false });
  return follow(connection, io, json, branches);
}

async function undo(connection: Connection, { options }: Input, io: Io): Promise<number> {
  const branch = String(options.undo);
  if (!options.yes) await confirm(io, `Take back what ${branch} has landed`, "--yes");
  const { branches } = await act<Asked>(connection, { type: "land-undo", branch });
  return follow(connection, io, options.json === true, branches);
}

async function cancel(connection: Connection, io: Io, json: boolean): Promise<number> {
  const { cancelled } = await act<{ readonly cancelled: readonly string[] }>(connection, { type: "land-cancel" });
  if (json) printJson(io, { cancelled });
  else io.out(cancelled.length === 0 ? "No landing is under way.\n" : `Cancelled: ${cancelled.join(", ")}.\n`);
  return OK;
}

interface Asked {
  readonly branches: readonly string[];
}

/** Until it is over. 0 where all that was asked for has landed; naming none, all there is. */
async function follow(connection: Connection, io: Io, json: boolean, asked?: readonly string[]): Promise<number> {
  const line = json ? null : createStatusLine(io);
  const seen = { landed: 0, bounced: 0 };
  const view = await followLanding(connection, (now) => {
    if (line === null) return;
    announce(now, seen, line, io);
    if (now.running) line.show(trainInWords(now), `${now.now} ${now.train.map(({ state }) => state).join()}`);
  });
  line?.clear();
  if (json) printJson(io, view);
  else io.out(renderLanding(view) || "Nothing has landed here yet.\n");
  const left = [...view.bounced, ...view.skipped, ...view.waiting];
  return left.some(({ branch }) => asked === undefined || asked.includes(branch)) ? ERROR : OK;
}

/** What has just landed or come back is said at once, above the line that changes. */
function announce(
  { landed, bounced, target }: LandingView,
  seen: { landed: number; bounced: number },
  line: ReturnType<typeof createStatusLine>,
  io: Io,
): void {
  const fresh = landed.slice(seen.landed);
  if (fresh.length > 0) {
    line.clear();
    io.err(`landed on ${target}: ${fresh.map(({ branch }) => branch).join(", ")}\n`);
  }
  for (const { branch, because } of bounced.slice(seen.bounced)) {
    line.clear();
    io.err(`bounced: ${branch}: ${because}\n`);
  }
  seen.landed = landed.length;
  seen.bounced = bounced.length;
}
