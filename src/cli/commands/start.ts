import { Failed, oneOrSeveral } from "../../core/failure/failed.ts";
import { chooseArrangement } from "../../core/session/arrangement.ts";
import { nameLater } from "../../core/session/session.ts";
import { counted } from "../../core/text/counted.ts";
import { sessionName } from "../../core/text/naming.ts";
import type { Snapshot } from "../../core/views/snapshot.ts";
import type { StartAction } from "../../modes/session/plan-start.ts";
import { type Constitution, readConstitution } from "../../modes/session/read-constitution.ts";
import type { StartResult } from "../../modes/session/start.ts";
import { type Command, type Input, type Io, JSON_OPTION, printJson } from "../command.ts";
import { requireGit, requireRepository } from "../repository.ts";
import type { Around } from "../session/around.ts";
import { followLaunch } from "../session/follow-launch.ts";
import { printPlan } from "../session/print-plan.ts";
import { readWanted } from "../session/read-wanted.ts";
import { act, ask } from "../supervisor/connect.ts";
import { openReader, sessionStatus } from "../supervisor/reader.ts";
import { withSupervisor } from "../supervisor/with-supervisor.ts";
import { wireConfig, wirePorts } from "../wire/wire-ports.ts";
import { attach, attachLine } from "./attach.ts";

export const command: Command = {
  name: "start",
  summary: "Start agents, one per branch; or continue the session that is here",
  options: [
    {
      flags: "--supervisor",
      help: "Open a command console in pane 0, above the agents, and warn agents about conflicts.",
    },
    {
      flags: "--no-supervisor",
      help: "Start without the console. Default: `[supervisor] enabled` in the config; otherwise you are asked.",
    },
    {
      flags: "--headless",
      help: "Run the agents in the background, without tmux. Default where tmux is not installed.",
    },
    {
      flags: "--branches <list>",
      help: "One agent per branch, separated by commas. Creates branches that do not exist. `a=claude,b=codex` names a CLI for each.",
    },
    {
      flags: "--specs [names]",
      help: "One agent per spec, separated by commas. Without names, asks which.",
    },
    { flags: "--all-specs", help: "One agent for every spec that is not done yet." },
    { flags: "--from-all-specs", help: "The same as --all-specs; git-paw's name for it." },
    {
      flags: "--issues <numbers>",
      help: "One agent per open GitHub issue, separated by commas. Reads them with `gh`.",
    },
    {
      flags: "--specs-format <type>",
      help: "openspec, markdown, speckit or superpowers. Default: the config, or the only kind that is here.",
    },
    { flags: "--force", help: "Do not warn about specs that are not committed." },
    { flags: "--preset <name>", help: "Use the branches and the CLI of this preset of the config." },
    {
      flags: "--rebase",
      help: "Rebase existing branches onto your present branch first, where they are clean and not pushed. Saves their old tip.",
    },
    { flags: "--no-rebase", help: "Do not rebase, even if `[worktree] rebase` in the config says so." },
    { flags: "--again", help: "Also start agents again that had finished; each begins with its brief." },
    { flags: "--cli <name>", help: "The CLI the agents run. Default: `default_cli` in the config." },
    { flags: "-m, --message <text>", help: "The agents' task, as text." },
    { flags: "--brief <path>", help: "The agents' task: a text file, or a folder with one <agent>.md file per agent." },
    { flags: "--dry-run", help: "Show the plan without changing anything." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: "banksman start --branches feat/auth,feat/api --cli scripted",
      does: "starts two agents in tmux, each on its own branch in its own worktree",
    },
    {
      run: 'banksman start --branches fix/typo --cli claude -m "Fix the typos in README.md"',
      does: "starts one agent with a task",
    },
    { run: "banksman start --specs 001,login-form", does: "starts one agent for each of the two specs" },
    { run: "banksman start --issues 12,15", does: "starts one agent per issue, on the branches issue/12 and issue/15" },
    {
      run: "banksman start --headless --branches fix/typo",
      does: "starts one agent in the background, with the default CLI",
    },
    { run: "banksman start", does: "continues after a stop, a crash or a reboot: the same agents, where they were" },
  ],
  whenInterrupted:
    "The agents keep starting in the background: `banksman status` shows them, `banksman stop` stops them.",
  async run(input, io) {
    const repository = await requireRepository(io);
    await requireGit(io);
    const ports = wirePorts(repository, io.env);
    const { settings } = wireConfig(repository, io.env);
    const around = { repository, ports, settings };
    const { arrangement, supervisor } = await pickArrangement(input, around, io);
    const asked = await readWanted(input, around, io);
    const constitution = await readConstitution(ports.files, repository.root, settings);
    if (constitution?.text === null) noteConstitution(io, constitution);
    const rebase = (input.options.rebase as boolean | undefined) ?? settings.rebase;
    const again = input.options.again === true;
    const dryRun = input.options.dryRun === true;
    const action: StartAction = { type: "start", ...asked, arrangement, supervisor, again, rebase, dryRun };
    if (dryRun) return showPlan(around, action, input.options.json === true, io);
    await ports.git.head();
    // Looked for while the supervisor starts: in a large checkout it takes as long.
    const dirty = ports.git.dirtyFiles(repository.root).catch(() => []);
    const { code, panes } = await withSupervisor(repository, "recover", async (connection) => {
      const result = await act<StartResult>(connection, action);
      const did = whatWasDone(result.did, connection.started);
      if (did === "fresh") noteDirty(io, await dirty);
      else noteUnused(io, input);
      const later = nameLater(result.later, input.options.supervisor as boolean | undefined);
      const code = await followLaunch(connection, { ...result, did, later }, input.options.json === true, io);
      return { code, panes: (await ask<Snapshot>(connection, "/snapshot")).agents.some(({ pane }) => pane !== null) };
    });
    if (!panes || input.options.json) return code;
    if (io.interactive) return attach(repository, io.env);
    io.out(`Look at it: ${attachLine(repository, io.env)}\n`);
    return code;
  },
};

/**
 * A background process that was just started has brought the session back before it could be asked to; one that ran all
 * the time has recovered nothing.
 */
function whatWasDone(did: StartResult["did"], started: boolean): StartResult["did"] {
  if (did === "reattach" && started) return "recover";
  return did === "recover" && !started ? "restart" : did;
}

/** In tmux where there is one, unless it was not wanted; said where there is none. */
async function pickArrangement({ options }: Input, { repository, ports, settings }: Around, io: Io) {
  const tmux = options.headless ? null : await ports.tmux.version();
  if (tmux === null && !options.headless) io.err("tmux is not installed: the agents run headless.\n");
  const choice = chooseArrangement({
    flags: { headless: options.headless === true, supervisor: (options.supervisor as boolean | undefined) ?? null },
    config: { broker: settings.broker, supervisor: settings.supervisor.enabled },
    tmux,
    canAsk: io.interactive && !options.dryRun && (await sessionStatus(repository)) === "none",
  });
  if (choice.do === "refuse") throw new Failed(choice.failure);
  if (choice.do === "take") return choice;
  const { pickYes } = await import("../session/pickers.ts");
  const supervisor = await pickYes("Open a command console above the agents?");
  return { arrangement: supervisor ? ("supervisor" as const) : choice.otherwise, supervisor };
}

function noteConstitution(io: Io, { path, refused }: Constitution): void {
  if (refused === null) io.err(`Note: ${path}, the constitution in the config, is not in the repository.\n`);
  else io.err(`Note: the agents do not get the constitution: ${path} is not read, because ${refused}.\n`);
}

/** The agents that are here keep what they were started with. */
function noteUnused(io: Io, { options }: Input): void {
  const given = (["cli", "brief", "message"] as const)
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name}`);
  if (given.length > 0)
    io.err(`Note: ${given.join(" and ")} not used: this session's agents keep theirs. New ones: \`banksman add\`.\n`);
}

function noteDirty(io: Io, files: readonly string[]): void {
  if (files.length > 0)
    io.err(
      `Note: ${counted(files.length, "uncommitted file")} of your checkout ${files.length === 1 ? "is" : "are"} not in the agents' worktrees.\n`,
    );
}

/** The same decision as the real start's, by the supervisor if one runs, else by its journal. */
async function showPlan(around: Around, action: StartAction, json: boolean, io: Io): Promise<number> {
  const { repository, settings } = around;
  const session = sessionName(repository.project, repository.commonDir);
  const reader = await openReader(repository);
  try {
    const decided = await reader.planStart(action, around);
    if (decided.do !== "fresh") {
      const { status, agents } = await reader.snapshot();
      const present = agents.map(({ id, branch }) => ({ id, branch }));
      if (json) printJson(io, { session, status, agents: present, problems: [] });
      else
        io.out(`${session} is here (${status}) with ${agents.map(({ id }) => id).join(", ")}: start brings it back.\n`);
      return 0;
    }
    const { planned } = decided;
    printPlan(io, { session, placement: settings.placement, arrangement: action.arrangement, ...planned }, json);
    if (planned.problems.length > 0 && !json) throw new Failed(oneOrSeveral(planned.problems));
    return planned.problems.length > 0 ? 1 : 0;
  } finally {
    await reader.close();
  }
}
