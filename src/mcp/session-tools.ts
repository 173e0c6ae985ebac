import { LEARNINGS_FILE } from "../core/learnings/learnings-file.ts";
import { slug } from "../core/text/naming.ts";
import { textOf } from "./read-document.ts";
import type { Sources } from "./sources.ts";
import type { Tool } from "./tool.ts";

/** What goes on in the session. */
export const sessionTools = ({ session, repository, project }: Sources): readonly Tool[] => [
  {
    name: "get_session_status",
    does: "The session: every agent with its state, branch, files and what makes us say so, and what waits for a person.",
    takes: {},
    run: () => session.snapshot(),
  },
  {
    name: "get_intents",
    does: "What agents say they will touch, as far as it still holds.",
    takes: {},
    run: () => session.intents(),
  },
  {
    name: "get_intent",
    does: "The same of one agent, by its id or its branch; null if it has none.",
    takes: { branch_id: { is: "text", required: true, help: "The agent's id or branch." } },
    run: async ({ branch_id }) => {
      const name = String(branch_id);
      const intents = await session.intents();
      return intents.find(({ agent }) => agent === name || agent === slug(name)) ?? null;
    },
  },
  {
    name: "get_conflicts",
    does: "Conflicts between agents: forward (both plan to edit), in flight (both edit), ownership, predicted (merging now would conflict).",
    takes: {},
    run: () => session.conflicts(),
  },
  {
    name: "get_session_summary",
    does: "What the last session came to, if that was written down.",
    takes: {},
    run: () => textOf(repository, ".banksman/summary.md"),
  },
  {
    name: "get_learnings",
    does: "What was learned in sessions here: conflicts, stuck times, recovery cycles, if that is kept.",
    takes: {},
    run: () => textOf(repository, LEARNINGS_FILE),
  },
  {
    name: "get_dependency_graph",
    does: "Who waits for whom: specs and agents, and an edge for each time one said that it was blocked by another.",
    takes: {},
    run: async () => {
      const [{ agents }, specs, blocks] = await Promise.all([session.snapshot(), project.specs(), session.blocks()]);
      const nodes = [
        ...agents.map(({ id, branch, state }) => ({ id, kind: "agent", branch, state })),
        ...specs.map(({ id, branch }) => ({ id, kind: "spec", branch })),
      ];
      const edges = blocks.map(({ agent, from, needs, at }) => ({ from: agent, needs: from, because: needs, at }));
      return { nodes, edges };
    },
  },
];
