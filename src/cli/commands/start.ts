import { Failed, oneOrSeveral } from "../../core/failure.ts";
import type { Arrangement } from "../../core/layout.ts";
import { sessionName } from "../../core/naming.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import { plan } from "../../modes/session/plan.ts";
import type { StartResult } from "../../modes/session/start.ts";
import type { Tmux } from "../../ports/tmux.ts";
import { readBriefs } from "../briefs.ts";
import { type Command, type Input, type Io, JSON_OPTION, printJson } from "../command.ts";
import { act, ask } from "../connect.ts";
import { followLaunch } from "../follow-launch.ts";
import { requireGit, requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { printPlan } from "../print-plan.ts";
import { openReader } from "../reader.ts";
import { wireConfig, wireWorld } from "../wire.ts";
import { withSupervisor } from "../with-supervisor.ts";
import { attach, attachLine } from "./attach.ts";

export const command: Command = {
  name: "start",
  summary: "Start the session, or bring it back as it was",
  options: [
    { flags: "--headless", help: "Run the agents in the background, without tmux; the default where there is none." },
    {
      flags: "--branches <list>",
      help: "One agent for each of these branches, separated by commas; missing ones are made.",
    },
    { flags: "--cli <name>", help: "The CLI they run; `default_cli` in the config otherwise." },
    { flags: "--brief <path>", help: "Their task: a text file, or a folder with <agent>.md files." },
    { flags: "--dry-run", help: "Show the plan, and change nothing." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: "banksman start --branches feat/auth,feat/api --cli scripted",
      does: "two agents in tmux, each on its own branch in its own worktree",
    },
    { run: "banksman start --headless --branches fix/typo", does: "one in the background, with the default CLI" },
    { run: "banksman start", does: "after a stop, a crash or a reboot: the same agents, where they were" },
  ],
  async run(input, io) {
    const here = await requireHere(io);
    await requireGit(io);
    const world = wireWorld(here, io.env);
    const { settings } = wireConfig(here, io.env);
    const arrangement = await chooseArrangement(input, world.tmux, settings.broker, io);
    const wanted = { ...readWanted(input, io), arrangement };
    if (input.options.dryRun) return dryRun(here, wanted, input.options.json === true, io);
    await world.git.head();
    // Looked for while the supervisor starts: in a large checkout it takes as long.
    const dirty = world.git.dirtyFiles(here.root).catch(() => []);
    const { code, panes } = await withSupervisor(here, "recover", async (line) => {
      const result = await act<StartResult>(line, { type: "start", ...wanted });
      // A supervisor that was just started has brought the session back before it could be asked to.
      const did = result.did === "reattach" && line.started ? "recover" : result.did;
      if (did === "fresh") noteDirty(io, await dirty);
      else noteUnused(io, input);
      const code = await followLaunch(line, { ...result, did }, input.options.json === true, io);
      return { code, panes: (await ask<Snapshot>(line, "/snapshot")).agents.some(({ pane }) => pane !== null) };
    });
    if (!panes || input.options.json) return code;
    if (io.interactive) return attach(here, io.env);
    io.out(`Look at it: ${attachLine(here, io.env)}\n`);
    return code;
  },
};

/** In tmux where there is one, unless it was not wanted; said where there is none. */
async function chooseArrangement({ options }: Input, tmux: Tmux, broker: boolean, io: Io): Promise<Arrangement | null> {
  if (options.headless) return null;
  const version = await tmux.version();
  if (version === null) io.err("tmux is not installed: the agents run headless.\n");
  else if (Number.parseFloat(version) < OLDEST_TMUX)
    throw new Failed({ kind: "tmux.old", version, needed: OLDEST_TMUX.toFixed(1) });
  return version === null ? null : broker ? "broker" : "plain";
}

const OLDEST_TMUX = 3.2;

/** The agents that are here keep what they were started with. */
function noteUnused(io: Io, { options }: Input): void {
  const given = [options.cli === undefined ? "" : "--cli", options.brief === undefined ? "" : "--brief"].filter(
    Boolean,
  );
  if (given.length > 0)
    io.err(`Note: ${given.join(" and ")} not used: this session's agents keep theirs. New ones: \`banksman add\`.\n`);
}

function noteDirty(io: Io, files: readonly string[]): void {
  if (files.length > 0)
    io.err(`Note: ${files.length} uncommitted files of your checkout are not in the agents' worktrees.\n`);
}

function readWanted({ options }: Input, io: Io) {
  const branches =
    typeof options.branches === "string" ? options.branches.split(",").filter((branch) => branch !== "") : [];
  const cli = typeof options.cli === "string" ? options.cli : null;
  return { branches, cli, briefs: readBriefs(options.brief, io) };
}

type Asked = ReturnType<typeof readWanted> & { readonly arrangement: Arrangement | null };

async function dryRun(here: Here, wanted: Asked, json: boolean, io: Io): Promise<number> {
  const session = sessionName(here.project, here.commonDir);
  const { settings } = wireConfig(here, io.env);
  const planning = { ports: wireWorld(here, io.env), root: here.root, session, settings };
  const reader = await openReader(here);
  const { status, agents } = await reader.snapshot();
  await reader.close();
  if (status !== "none") {
    const present = agents.map(({ id, branch }) => ({ id, branch }));
    const asked = wanted.branches.filter((each) => !agents.some(({ id, branch }) => id === each || branch === each));
    if (asked.length > 0)
      throw new Failed({ kind: "session.other-branches", extra: asked, present: present.map(({ id }) => id) });
    if (json) printJson(io, { session, status, agents: present, problems: [] });
    else
      io.out(`${session} is here (${status}) with ${agents.map(({ id }) => id).join(", ")}: start brings it back.\n`);
    return 0;
  }
  const { arrangement } = wanted;
  const planned = await plan(planning, { ...wanted, terminal: arrangement !== null, present: [] });
  printPlan(io, { session, placement: settings.placement, arrangement, ...planned }, json);
  if (planned.problems.length > 0 && !json) throw new Failed(oneOrSeveral(planned.problems));
  return planned.problems.length > 0 ? 1 : 0;
}
