import { Failed } from "../../core/failure.ts";
import { type Command, type Io, OK } from "../command.ts";

export const command: Command = {
  name: "mcp",
  summary: "MCP server on standard input and output, for an agent of a session",
  options: [{ flags: "--agent", help: "The tools of an agent of a session: publish, inbox, intents, ask." }],
  examples: [
    { run: "banksman mcp --agent", does: "what an agent's CLI starts; it reads BANKSMAN_URL and BANKSMAN_AGENT" },
    { run: "claude mcp add banksman -- banksman mcp --agent", does: "the agent's side as tools of its CLI" },
  ],
  ownSignals: true,
  async run({ options }, io) {
    if (!options.agent) throw new Failed(AGENTS_ONLY);
    const [{ serveTools }, offer] = await Promise.all([import("../../mcp/serve.ts"), agentOffer(io)]);
    await serveTools({ ...offer, version: __VERSION__, onError: (error) => io.err(`${textOf(error)}\n`) });
    // Calls that still wait at the supervisor would keep us.
    process.exit(OK);
  },
};

async function agentOffer({ cwd, env }: Io) {
  const { agentPlace } = await import("../place.ts");
  const place = agentPlace(cwd, env);
  if (place === null) throw new Failed(NOT_AN_AGENT);
  const { AgentClient } = await import("../../broker/agent-client.ts");
  const { AGENT_INSTRUCTIONS, agentTools } = await import("../../mcp/agent-tools.ts");
  return { name: "banksman-agent", instructions: AGENT_INSTRUCTIONS, tools: agentTools(new AgentClient(place)) };
}

const NOT_AN_AGENT = {
  kind: "usage",
  message: "`banksman mcp --agent` is for agents: BANKSMAN_URL is not set.",
  hint: "A session gives it to its agents. Without --agent it is for you.",
} as const;

const AGENTS_ONLY = {
  kind: "usage",
  message: "There is nothing without --agent yet.",
  hint: "Use `banksman mcp --agent` in an agent's environment.",
} as const;

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
