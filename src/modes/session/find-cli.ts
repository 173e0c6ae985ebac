import type { Cli } from "../../core/clis/cli.ts";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentCli } from "../../ports/agent-cli.ts";

/** A CLI with its program as the shell would find it; or why it cannot be run. */
export async function findCli(
  agents: Pick<AgentCli, "find">,
  root: string,
  cli: Cli | Failure,
): Promise<Cli | Failure> {
  if ("kind" in cli) return cli;
  const program = cli.argv[0] ?? "";
  const found = await agents.find(program, root);
  return found === null
    ? { kind: "cli.not-found", cli: cli.name, command: program }
    : { ...cli, argv: [found, ...cli.argv.slice(1)] };
}
