import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../broker/client.ts";
import { explain } from "../../core/failure/explain.ts";
import { isAtPane, type PhaseCode } from "../../core/messages/phase.ts";
import { isFinished } from "../../core/messages/roster.ts";
import { onOneLine } from "../../core/text/printable.ts";
import type { AgentView, Snapshot } from "../../core/views/snapshot.ts";
import type { StartResult } from "../../modes/session/start.ts";
import { ERROR, type Io, OK, printJson } from "../command.ts";
import { renderAgents } from "../show/render.ts";
import { sayStarted } from "../show/say-started.ts";
import { ask } from "../supervisor/connect.ts";

/**
 * A program that means to stay is still there after this; one that says something we can read is known to be there sooner.
 * Any other output may be its last words: "cannot find model", and it ends.
 */
const FIRST_SIGN_MS = 700;
const WAIT_SECONDS = 5;
/** One that runs and says nothing at all is left to itself after this. */
const FIRST_SIGN_AT_MOST_MS = 15_000;

type Versioned = Snapshot & { readonly version: number };

/** Shows how agents come up, one line per change, until each of them runs or has failed. 1 if any has. */
export async function followLaunch(
  connection: Connection,
  { did, agents, ignored, later, plain }: StartResult,
  json: boolean,
  io: Io,
): Promise<number> {
  if (ignored.length > 0)
    io.err(`Not used until you trust this repository's config (\`banksman trust\`): ${ignored.join(", ")}\n`);
  if (later.length > 0)
    io.err(
      `Not in effect until the session is started again (\`banksman stop\`, \`banksman start\`): ${later.join(", ")}\n`,
    );
  let snapshot = await ask<Versioned>(connection, "/snapshot");
  const shown = new Map<string, string>();
  const mine = () => snapshot.agents.filter(({ id }) => agents.includes(id));
  const show = () => {
    for (const agent of mine()) {
      const now = `${agent.state} ${agent.phase ?? ""}`;
      const says = isAtPane(agent.phaseCode) ? agent.evidence : (agent.phase ?? agent.state);
      if (!json && shown.get(agent.id) !== now) io.err(`${agent.id}: ${onOneLine(says)}\n`);
      shown.set(agent.id, now);
    }
  };
  show();
  const patience = performance.now() + FIRST_SIGN_AT_MOST_MS;
  const coming = ({ state, phaseCode }: AgentView) =>
    state === "starting" && (!QUIET.includes(phaseCode) || performance.now() < patience);
  while (mine().some((agent) => coming(agent) || isAway(agent))) {
    snapshot = await ask<Versioned>(connection, `/snapshot?since=${snapshot.version}&wait=${WAIT_SECONDS}`, {
      ms: (WAIT_SECONDS + 10) * 1000,
    });
    show();
    // The agents are recorded, and go on once it can be stored again: nobody has to wait here for that.
    if (snapshot.trouble !== undefined) return stuck(snapshot.trouble, snapshot, did, json, io);
  }
  if (mine().some((agent) => isUp(agent) && (agent.lastSeen === null || plain.includes(agent.id)))) {
    await sleep(FIRST_SIGN_MS);
    snapshot = await ask<Versioned>(connection, "/snapshot");
    show();
  }
  return report(snapshot, mine(), did, json, io);
}

/** It has no process, and has not ended: files that are seen to change may say that it works before it does. */
const isAway = ({ supervised, pid, state }: AgentView): boolean =>
  supervised && pid === null && state !== "failed" && state !== "stopped" && !isFinished(state);

/** It runs, and has nothing to show for it yet. */
const QUIET: readonly (PhaseCode | undefined)[] = ["no-sign", "no-prompt"];

const isUp = ({ state }: AgentView): boolean => state !== "failed" && state !== "stopped" && state !== "done";

function stuck(
  { message, hint }: NonNullable<Snapshot["trouble"]>,
  snapshot: Snapshot,
  did: StartResult["did"],
  json: boolean,
  io: Io,
): number {
  if (json) printJson(io, { did, ...snapshot });
  io.err(
    `${message}\n${hint}\nThe agents continue to start as soon as that is possible again; \`banksman status\` shows it.\n`,
  );
  return ERROR;
}

function report(
  snapshot: Snapshot,
  agents: readonly AgentView[],
  did: StartResult["did"],
  json: boolean,
  io: Io,
): number {
  const failed = agents.filter(({ state }) => state === "failed");
  if (json) printJson(io, { did, ...snapshot });
  else {
    io.out(`${sayStarted(did, snapshot.session ?? "", agents)}\n`);
    io.out(`${renderAgents(agents, Date.now()).join("\n")}\n`);
    io.out("\nbanksman status · banksman questions · banksman tell <agent> <text> · banksman stop\n");
  }
  for (const { id, cli, evidence, log, warnings, failure } of agents) {
    for (const warning of warnings) io.err(`${id}: ${onOneLine(warning)}\n`);
    if (!failed.some((each) => each.id === id)) continue;
    const ended = {
      kind: "cli.ended-at-once",
      cli: cli ?? "its CLI",
      how: onOneLine(evidence),
      log: log ?? "",
    } as const;
    const { message, hint } = failure ?? explain(ended);
    io.err(`${id}: ${message}\n${hint}\n`);
  }
  return failed.length > 0 ? ERROR : OK;
}
