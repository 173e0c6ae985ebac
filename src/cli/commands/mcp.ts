import { resolve } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { type Command, type Io, OK } from "../command.ts";

export const command: Command = {
  name: "mcp",
  summary: "Run an MCP server on standard input and output: lets a model read the session, or take part as an agent",
  options: [
    { flags: "--agent", help: "Offer the tools of an agent: publish, inbox, intents, ask." },
    { flags: "--repo <folder>", help: "The repository's folder. Default: the current one." },
  ],
  examples: [
    { run: "banksman mcp", does: "your own CLI starts this, e.g. after `claude mcp add banksman -- banksman mcp`" },
    { run: "banksman mcp --agent", does: "an agent's CLI starts this; it reads BANKSMAN_URL and BANKSMAN_AGENT" },
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
  const { agentPlace } = await import("../supervisor/state-files.ts");
  const place = agentPlace(cwd, env);
  if (place === null) throw new Failed(NOT_AN_AGENT);
  const { AgentClient } = await import("../../broker/agent-client.ts");
  const { AGENT_INSTRUCTIONS, agentTools } = await import("../../mcp/agent-tools.ts");
  return { name: "banksman-agent", instructions: AGENT_INSTRUCTIONS, tools: agentTools(new AgentClient(place)) };
}

async function readOffer(io: Io) {
  const [{ openSources }, { READ_INSTRUCTIONS, readTools }] = await Promise.all([
    import("../wire/mcp-sources.ts"),
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
