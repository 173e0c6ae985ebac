import { chooseArrangement } from "../../core/arrangement.ts";
import { Failed, oneOrSeveral } from "../../core/failure.ts";
import type { Arrangement } from "../../core/layout.ts";
import { sessionName } from "../../core/naming.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import { plan } from "../../modes/session/plan.ts";
import { readConstitution } from "../../modes/session/read-constitution.ts";
import type { StartResult } from "../../modes/session/start.ts";
import { type Command, type Input, type Io, JSON_OPTION, printJson } from "../command.ts";
import { act, ask } from "../connect.ts";
import { followLaunch } from "../follow-launch.ts";
import { requireGit, requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { printPlan } from "../print-plan.ts";
import { type Around, readWanted, sessionStatus } from "../read-wanted.ts";
import { openReader } from "../reader.ts";
import { wireConfig, wireWorld } from "../wire.ts";
import { withSupervisor } from "../with-supervisor.ts";
import { attach, attachLine } from "./attach.ts";

export const command: Command = {
  name: "start",
  summary: "Start the session, or bring it back as it was",
  options: [
    { flags: "--supervisor", help: "With a console in pane 0 that answers, directs and watches." },
    { flags: "--no-supervisor", help: "Without; else `[supervisor] enabled` in the config, else you are asked." },
    { flags: "--headless", help: "Run the agents in the background, without tmux; the default where there is none." },
    {
      flags: "--branches <list>",
      help: "One agent for each of these branches, separated by commas; missing ones are made.",
    },
    {
      flags: "--specs [names]",
      help: "One agent for each of these specs, separated by commas; asks which, without names.",
    },
    { flags: "--all-specs", help: "One for each spec that waits to be done." },
    { flags: "--from-all-specs", help: "The same, as git-paw calls it." },
    {
      flags: "--issues <numbers>",
      help: "One agent for each of these open issues on GitHub, separated by commas; read with `gh`.",
    },
    {
      flags: "--specs-format <type>",
      help: "openspec, markdown, speckit or superpowers; else the config's, or the only one there.",
    },
    { flags: "--force", help: "Do not warn about specs that are not committed." },
    { flags: "--preset <name>", help: "The branches and the CLI of this preset in the config." },
    {
      flags: "--no-rebase",
      help: "Leave existing branches where they are; else clean, unpushed ones are rebased onto yours.",
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
    { run: "banksman start --specs 001,login-form", does: "one for each piece of work that is written down there" },
    { run: "banksman start --issues 12,15", does: "one for each of these issues, on issue/12 and issue/15" },
    { run: "banksman start --headless --branches fix/typo", does: "one in the background, with the default CLI" },
    { run: "banksman start", does: "after a stop, a crash or a reboot: the same agents, where they were" },
  ],
  async run(input, io) {
    const here = await requireHere(io);
    await requireGit(io);
    const world = wireWorld(here, io.env);
    const { settings } = wireConfig(here, io.env);
    const arrangement = await pickArrangement(input, { here, world, settings }, io);
    const asked = await readWanted(input, { here, world, settings }, io);
    const constitution = await readConstitution(world.files, here.root, settings);
    if (constitution?.text === null)
      io.err(`Note: ${constitution.path}, the constitution in the config, is not in the repository.\n`);
    const wanted = { ...asked, arrangement, rebase: input.options.rebase !== false };
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
async function pickArrangement({ options }: Input, { here, world, settings }: Around, io: Io) {
  const tmux = options.headless ? null : await world.tmux.version();
  if (tmux === null && !options.headless) io.err("tmux is not installed: the agents run headless.\n");
  const choice = chooseArrangement({
    flags: { headless: options.headless === true, supervisor: (options.supervisor as boolean | undefined) ?? null },
    config: { broker: settings.broker, supervisor: settings.supervisor.enabled },
    tmux,
    canAsk: io.interactive && !options.dryRun && (await sessionStatus(here)) === "none",
  });
  if (choice.do === "refuse") throw new Failed(choice.failure);
  if (choice.do === "take") return choice.arrangement;
  const { pickYes } = await import("../pickers.ts");
  return (await pickYes("With a supervisor in pane 0, to talk to?")) ? "supervisor" : choice.otherwise;
}

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

type Asked = Awaited<ReturnType<typeof readWanted>> & {
  readonly rebase: boolean;
  readonly arrangement: Arrangement | null;
};

async function dryRun(here: Here, wanted: Asked, json: boolean, io: Io): Promise<number> {
  const session = sessionName(here.project, here.commonDir);
  const { settings } = wireConfig(here, io.env);
  const planning = { ports: wireWorld(here, io.env), root: here.root, project: here.project, session, settings };
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
  const planned = await plan(planning, {
    ...wanted,
    terminal: arrangement !== null,
    supervised: arrangement === "supervisor",
    present: [],
  });
  printPlan(io, { session, placement: settings.placement, arrangement, ...planned }, json);
  if (planned.problems.length > 0 && !json) throw new Failed(oneOrSeveral(planned.problems));
  return planned.problems.length > 0 ? 1 : 0;
}
