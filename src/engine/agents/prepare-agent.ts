import type { LaunchOrder } from "../../core/agents/effects.ts";
import type { Environment } from "../../core/clis/environment.ts";
import { asArgument, GO_ON } from "../../core/clis/first-prompt.ts";
import type { HeadlessChannel, Prepared, StartOrder } from "../../core/clis/kind.ts";
import { kindNamed } from "../../core/clis/kinds.ts";
import { eventsDialect, plainDialect } from "../../core/clis/own-dialects.ts";
import { Failed } from "../../core/failure/failed.ts";
import { uuidOf } from "../../core/text/hash.ts";
import type { AgentId, RunId } from "../../core/text/ids.ts";
import { shellWord } from "../../core/text/quote.ts";
import type { Speaks } from "../../ports/agent-cli.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Place } from "../loop/place.ts";

/** A run's program as it is to be started, with what it needs laid out. */
export interface ReadyAgent {
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly speaks: Speaks;
  readonly prompt: string;
  /** The channel's name, for people. */
  readonly channel: string;
}

/** Also there where no supervisor runs. */
type Preparing = Pick<Ports, "agents" | "files"> & {
  readonly place: Pick<Place, "state" | "program" | "repository">;
};

/** For a headless run: the first of its CLI's channels whose program is installed. Rejects with `cli.not-found`. */
export async function prepareHeadless(
  context: Preparing,
  agent: AgentId,
  order: LaunchOrder,
  first: string | null = null,
): Promise<ReadyAgent> {
  const { cli } = order;
  const kind = kindNamed(cli.protocol);
  if (kind === null) {
    const dialect = cli.protocol === "plain" ? plainDialect() : eventsDialect();
    const argv = [...cli.argv, ...resumeArgs(order)];
    return { argv, env: {}, speaks: { dialect }, prompt: first ?? order.brief, channel: cli.protocol };
  }
  const prompt = first ?? (order.conversation === null ? order.brief : GO_ON);
  const [program = "", ...args] = cli.argv;
  const wanted = kind.channels.filter(({ name }) => cli.channel == null || name === cli.channel);
  const channel = await firstInstalled(context, wanted, program, order.worktree);
  if (channel === null) {
    const missing = wanted.find((each) => each.program)?.program ?? program;
    throw new Failed({ kind: "cli.not-found", cli: cli.name, command: missing });
  }
  const start = startOrder(context, agent, order);
  const prepared = channel.prepare({ ...start, prompt: asArgument(prompt) });
  await layOut(context, start.folder, prepared);
  const own = channel.program === undefined ? [program, ...args] : [channel.program];
  const speaks =
    "acp" in channel ? { acp: channel.acp, mode: channel.acp.mode[start.approval] } : { dialect: channel.dialect() };
  return { argv: [...own, ...prepared.args], env: prepared.env ?? {}, speaks, prompt, channel: channel.name };
}

/** For a pane. */
export async function prepareTerminal(
  context: Preparing,
  agent: AgentId,
  run: RunId,
  order: LaunchOrder,
): Promise<ReadyTerminal> {
  const kind = kindNamed(order.cli.protocol);
  if (kind === null) return { argv: order.cli.argv, env: {}, begins: null };
  const start = { ...startOrder(context, agent, order), fresh: uuidOf(run) };
  const asked = kind.terminal(start);
  const isThere = asked.keepsIn === undefined || (await context.files.list(start.folder)).includes(asked.keepsIn);
  const prepared = isThere ? asked : kind.terminal({ ...start, conversation: null });
  await layOut(context, start.folder, prepared);
  const argv = [...order.cli.argv, ...prepared.args];
  return { argv, env: prepared.env ?? {}, begins: prepared.begins ?? null };
}

/** A run's program in a pane. */
export interface ReadyTerminal extends Pick<ReadyAgent, "argv" | "env"> {
  /** The conversation it is told to begin; null where it goes on with one, or takes one of its own choice. */
  readonly begins: string | null;
}

async function firstInstalled(
  { agents }: Preparing,
  channels: readonly HeadlessChannel[],
  program: string,
  cwd: string,
): Promise<HeadlessChannel | null> {
  for (const channel of channels) if ((await agents.find(channel.program ?? program, cwd)) !== null) return channel;
  return null;
}

const resumeArgs = ({ cli, conversation }: LaunchOrder): string[] =>
  conversation === null ? [] : cli.resumeArgs.map((arg) => arg.replaceAll("{session}", conversation));

const startOrder = (
  { place }: Preparing,
  agent: AgentId,
  { cli, conversation, worktree }: LaunchOrder,
): StartOrder => ({
  approval: cli.approval ?? "manual",
  conversation,
  folder: `${place.state}/agents/${agent}`,
  git: [place.repository, `${place.repository}/worktrees/${worktree.split("/").at(-1)}`],
  hook: [...place.program, "hook"].map(shellWord).join(" "),
});

/** One folder per agent, written anew at each launch: outside the worktree, where the agent's own work cannot reach it. */
async function layOut({ files }: Preparing, folder: string, { files: wanted = {} }: Prepared): Promise<void> {
  for (const [name, text] of Object.entries(wanted)) await files.write(`${folder}/${name}`, text, 0o600);
}
