import type { Cli } from "../../core/clis/cli.ts";
import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import type { AgentEvent, Exit } from "../../core/clis/events.ts";
import { variablesOf } from "../../core/clis/kinds.ts";
import { pickAnswer } from "../../core/epic/decide/pick-answer.ts";
import type { RoleAnswer } from "../../core/epic/decide/tick.ts";
import { explain } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { AgentId, Branch, RunId } from "../../core/text/ids.ts";
import { prepareHeadless } from "../../engine/agents/prepare-agent.ts";
import type { Ports } from "../../ports/ports.ts";

export interface CliQuestion {
  readonly role: string;
  readonly cli: Cli;
  readonly prompt: string;
  readonly timeoutSeconds: number;
  readonly place: {
    readonly root: string;
    readonly state: string;
    readonly repository: string;
    readonly program: readonly string[];
  };
  readonly env: Environment;
  readonly run: RunId;
}

/** One turn of a coding CLI that plays a role. It may look around; whatever it asks to do is refused. */
export async function askCli(ports: Pick<Ports, "agents" | "files">, question: CliQuestion): Promise<RoleAnswer> {
  try {
    const { exit, events } = await turn(ports, question);
    const how = exit.end?.how ?? (exit.code === 0 && !exit.announces ? "ok" : "error");
    if (how !== "ok") return { failed: `${question.cli.name}: ${how}, ${exit.end?.message || exit.lastLine}` };
    return { said: question.cli.protocol === "plain" ? exit.lastLine : pickAnswer(events) };
  } catch (error) {
    if (error instanceof Failed) return { failed: explain(error.failure).message };
    throw error;
  }
}

async function turn(
  ports: Pick<Ports, "agents" | "files">,
  question: CliQuestion,
): Promise<{ exit: Exit; events: AgentEvent[] }> {
  const { cli, prompt, place, role, env } = question;
  const agent = `role-${role}` as AgentId;
  const log = `${place.state}/epics/${agent}.log`;
  const order = {
    ...{ cli: { ...cli, approval: "manual" as const }, worktree: place.root, branch: "" as Branch, brief: prompt },
    ...{ terminal: false, port: null, log, conversation: null },
  };
  const ready = await prepareHeadless({ ...ports, place }, agent, order, prompt);
  const events: AgentEvent[] = [];
  let leave: (exit: Exit) => void = () => undefined;
  const left = new Promise<Exit>((resolve) => {
    leave = resolve;
  });
  const live = await ports.agents.launch({
    ...{ run: question.run, argv: ready.argv, speaks: ready.speaks, cwd: place.root, prompt: ready.prompt, log },
    env: {
      ...agentEnvironment(env, variablesOf(cli, env), {}),
      ...ready.env,
      BANKSMAN_AGENT: agent,
    },
    ...{ conversation: null, conversationSince: null, secrets: [], texts: true },
    idleSeconds: question.timeoutSeconds,
    workSeconds: question.timeoutSeconds,
    onSign: () => undefined,
    onExit: leave,
    onEvent: (event) => {
      events.push(event);
      if (event.type === "permission")
        void live.answer(event.request, false, "a role only looks").catch(() => undefined);
      if (event.type === "end") void live.dismiss();
    },
  });
  return { exit: await left, events };
}
