import { agentEnvironment, type Environment } from "../clis/environment.ts";

/** Where a gate runs. */
export interface GatePlaces {
  readonly home: string;
  readonly temporary: string;
  readonly slot: number;
  /** Names what it starts outside of its own processes, as docker compose does. */
  readonly project: string;
}

/** Programs that are found through the user's home: the variable that says where, and its usual place there. */
export const TOOL_HOMES: readonly (readonly [variable: string, folder: string])[] = [
  ["RUSTUP_HOME", ".rustup"],
  ["PYENV_ROOT", ".pyenv"],
  ["NVM_DIR", ".nvm"],
  ["VOLTA_HOME", ".volta"],
  ["ASDF_DATA_DIR", ".asdf"],
  ["SDKMAN_DIR", ".sdkman"],
  ["GOROOT", "go-root"],
];

const PASSED: readonly string[] = [...TOOL_HOMES.map(([variable]) => variable), "JAVA_HOME", "CC", "CXX"];

/** Never the user's: they lead to tokens, agents of keys, or the repository itself. */
const NEVER = /^(GIT_|SSH_|GPG_|BANKSMAN_|XDG_)/;

const FIRST_PORT = 41_000;

/**
 * What a gate gets: the usual variables, programs' homes (`tools`: those that were found), what the config names, and a
 * home, a folder for temporary files and a port of its own.
 */
export function gateEnvironment(
  user: Environment,
  names: readonly string[],
  tools: Environment,
  { home, temporary, slot, project }: GatePlaces,
): Environment {
  const given = agentEnvironment(user, [...PASSED, ...names], {
    CI: "1",
    HOME: home,
    TMPDIR: temporary,
    PORT: String(FIRST_PORT + slot * 10),
    COMPOSE_PROJECT_NAME: `${project}-${slot}`,
  });
  const kept = Object.entries(given).filter(([name]) => names.includes(name) || !NEVER.test(name));
  return { ...tools, ...Object.fromEntries(kept) };
}
