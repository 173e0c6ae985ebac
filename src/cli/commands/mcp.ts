import { resolve } from "node:path";
import { Failed } from "../../core/failure.ts";
import { type Command, type Io, OK } from "../command.ts";

export const command: Command = {
  name: "mcp",
  summary: "MCP server on standard input and output: session and project for a model to read, or an agent's side",
  options: [
    { flags: "--agent", help: "The tools of an agent of a session: publish, inbox, intents, ask." },
    { flags: "--repo <folder>", help: "The repository, for a CLI that starts it somewhere else." },
  ],
  examples: [
    { run: "banksman mcp", does: "what your own CLI starts, e.g. after `claude mcp add banksman -- banksman mcp`" },
    { run: "banksman mcp --agent", does: "what an agent's CLI starts; it reads BANKSMAN_URL and BANKSMAN_AGENT" },
  ],
  ownSignals: true,
  async run({ options }, io) {
    const place = typeof options.repo === "string" ? { ...io, cwd: resolve(io.cwd, options.repo) } : io;
    const [{ serveTools }, offer] = await Promise.all([
      import("../../mcp/serve.ts"),
      options.agent ? agentOffer(place) : readOffer(place),
    ]);
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

async function readOffer(io: Io) {
  const [{ openSources }, { READ_INSTRUCTIONS, readTools }] = await Promise.all([
    import("../mcp-sources.ts"),
    import("../../mcp/read-tools.ts"),
  ]);
  return { name: "banksman", instructions: READ_INSTRUCTIONS, tools: readTools(await openSources(io)) };
}

const NOT_AN_AGENT = {
  kind: "usage",
  message: "`banksman mcp --agent` is for agents: BANKSMAN_URL is not set.",
  hint: "A session gives it to its agents. Without --agent it is for you.",
} as const;

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
