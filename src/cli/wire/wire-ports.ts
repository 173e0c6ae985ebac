import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGit } from "../../adapters/git/git.ts";
import { createHistory } from "../../adapters/git/history.ts";
import { ownHooks } from "../../adapters/git/own-hooks.ts";
import { createPredictor } from "../../adapters/git/predictor.ts";
import { createRepositoryReader } from "../../adapters/git/repository-reader.ts";
import { createSlots } from "../../adapters/git/slots.ts";
import { createTarget } from "../../adapters/git/target.ts";
import { createGh } from "../../adapters/github/gh.ts";
import { createAgents } from "../../adapters/process/agents.ts";
import { createCommand } from "../../adapters/process/command.ts";
import { tiedToUs } from "../../adapters/process/tied.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import { systemTokens } from "../../adapters/system/tokens.ts";
import { createTmux } from "../../adapters/tmux/tmux.ts";
import { createWatcher } from "../../adapters/watcher/watcher.ts";
import { type Config, type ConfigPlace, loadConfig, loadGates, REPOSITORY_CONFIG } from "../../config/load.ts";
import { readTrust } from "../../config/trust.ts";
import type { Base } from "../../core/gates/check.ts";
import type { GateSettings } from "../../core/gates/gate-settings.ts";
import type { Forge } from "../../ports/forge.ts";
import type { History } from "../../ports/history.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Predictor } from "../../ports/predictor.ts";
import { CONFIG_READERS } from "./config-readers.ts";
import type { Repository } from "./find-repository.ts";

/** Here, and for the store in wire-store.ts, adapters are made: what the rest of the program knows are ports. */
export function wirePorts(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  markers: Markers = PERSONS,
): Omit<Ports, "store"> {
  const command = createCommand(markers.command);
  const { commonDir, state } = repository;
  const excludes = excludesFile(repository);
  const trusted = () => trustedPrograms(repository);
  return {
    git: createGit(command, repository, env, excludes, trusted),
    predictor: createPredictor(command, { commonDir, quarantine: join(state, "quarantine"), excludes, trusted }, env),
    history: createHistory(command, commonDir, env),
    slots: createSlots(command, { folder: join(state, "scratch"), commonDir, trusted }, env),
    target: createTarget(command, repository, env, trusted),
    watcher: createWatcher(() => tiedToUs([process.execPath, built("watcher.mjs")])),
    files: systemFiles,
    command,
    agents: createAgents(env),
    tmux: createTmux(
      { ...env, BANKSMAN_RUN: markers.tmux },
      {
        socket: env.BANKSMAN_TMUX_SOCKET || null,
        folder: join(repository.state, "launch"),
        lasting: markers !== PERSONS,
      },
    ),
    clock: systemClock,
    tokens: systemTokens,
  };
}

/** Where the repository's issues are: GitHub, by its own program. */
export const wireForge = (repository: Repository, env: NodeJS.ProcessEnv): Forge =>
  createGh(createCommand(PERSONS.command), repository.root, env);

/** The names of the hooks that the repository has itself. */
export const wireOwnHooks = (repository: Repository, env: NodeJS.ProcessEnv): Promise<readonly string[]> =>
  ownHooks(createCommand(PERSONS.command), repository, env);

/** For refs of any repository, without a supervisor or a checkout. */
export const wirePredictor = (commonDir: string, quarantine: string, env: NodeJS.ProcessEnv): Predictor =>
  createPredictor(createCommand(PERSONS.command), { commonDir, quarantine }, env);

/** To look at a session's worktrees where no supervisor does. */
export const wireViewer = (repository: Repository, quarantine: string, env: NodeJS.ProcessEnv) => ({
  predictor: createPredictor(
    createCommand(PERSONS.command),
    {
      commonDir: repository.commonDir,
      quarantine,
      excludes: excludesFile(repository),
      trusted: () => trustedPrograms(repository),
    },
    env,
  ),
  clock: systemClock,
});

/** For whoever may read a repository and nothing else. */
export const wireRepositoryReader = (repository: Repository, env: NodeJS.ProcessEnv) =>
  createRepositoryReader(createCommand(PERSONS.command), repository, env, systemFiles);

/** By these a supervisor knows, and ends, what its killed predecessor left running. */
interface Markers {
  readonly command: string;
  readonly tmux: string;
}

/** What a person's command runs beside a supervisor is none of its business. */
const PERSONS: Markers = { command: "banksman.cli", tmux: "banksman.cli" };

/** What gates run, as the config of one commit says. */
export async function wireGates(
  repository: Repository,
  env: NodeJS.ProcessEnv,
  history: History,
  { branch, commit }: Base,
): Promise<GateSettings> {
  const source = (await history.texts(commit, [REPOSITORY_CONFIG])).get(REPOSITORY_CONFIG) ?? null;
  return loadGates(configPlace(repository, env), { source, from: branch });
}

export const wireConfig = (repository: Repository, env: NodeJS.ProcessEnv): Config =>
  loadConfig(configPlace(repository, env));

const configPlace = (repository: Repository, env: NodeJS.ProcessEnv): ConfigPlace => ({
  root: repository.root,
  state: repository.state,
  env,
  scriptedAgent: [process.execPath, built("scripted-agent.cjs")],
  ...CONFIG_READERS,
});

/** Read at each call: trust can be given while a supervisor runs. */
const trustedPrograms = ({ state, root }: Repository): ReadonlyMap<string, string> =>
  new Map(Object.entries(readTrust(state, root, CONFIG_READERS.readOwn).programs));

export const excludesFile = (repository: Repository): string => join(repository.state, "excludes");

/** A file beside this one in the built package. */
export const built = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
