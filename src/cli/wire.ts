import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGit } from "../adapters/git/git.ts";
import { createAgents } from "../adapters/process/agents.ts";
import { createCommand } from "../adapters/process/command.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { systemFiles } from "../adapters/system/files.ts";
import { systemTokens } from "../adapters/system/tokens.ts";
import { type Config, loadConfig } from "../config/load.ts";
import { sessionName } from "../core/naming.ts";
import type { Ports } from "../ports/ports.ts";
import type { Here } from "./place.ts";

/** Here, and for the store in wire-store.ts, adapters are made: what the rest of the program knows are ports. */
export function wireWorld(here: Here, env: NodeJS.ProcessEnv): Omit<Ports, "store"> {
  const session = sessionName(here.project, here.commonDir);
  const command = createCommand(`${session}.command`);
  return {
    git: createGit(command, here, env, excludesFile(here)),
    files: systemFiles,
    command,
    agents: createAgents(env),
    clock: systemClock,
    tokens: systemTokens,
  };
}

export const wireConfig = (here: Here, env: NodeJS.ProcessEnv): Config =>
  loadConfig({
    root: here.root,
    state: here.state,
    env,
    scriptedAgent: [process.execPath, built("scripted-agent.cjs")],
  });

export const excludesFile = (here: Here): string => join(here.state, "excludes");

/** A file beside this one in the built package. */
export const built = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
