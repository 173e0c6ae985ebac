import type { Action } from "../core/actions/actions.ts";
import type { Question } from "../core/messages/questions.ts";
import { maySettle } from "../core/messages/roles.ts";
import { OPERATOR } from "../core/text/ids.ts";
import { Refused } from "./refused.ts";
import type { Sources } from "./sources.ts";
import type { Tool } from "./tool.ts";

const AGENTS = { is: "texts", help: "Ids or branches; all agents without it." } as const;
const AGENT = { is: "text", required: true, help: "Its id or branch." } as const;

/** What a model may do for a person who has allowed it: the same actions as the commands of these names. */
export const actionTools = ({ session }: Sources, act: (action: Action) => Promise<unknown>): readonly Tool[] => [
  {
    name: "tell",
    acts: true,
    does: "Tell an agent something: a directive into its inbox.",
    takes: { agent: AGENT, text: { is: "text", required: true, help: "What it should know or do." } },
    run: ({ agent, text }) => act({ type: "tell", agent: String(agent), text: String(text) }),
  },
  {
    name: "answer",
    acts: true,
    does: "Answer an agent's question, or decide a conflict. Permissions and decisions are left to a person.",
    takes: {
      id: { is: "text", required: true, help: "The question's id, as get_session_status has it under needsYou." },
      answer: { is: "text", required: true, help: "The answer." },
    },
    run: async ({ id, answer }) => {
      const asked = (await session.questions()).find((each) => each.id === id) as
        | Pick<Question, "kind" | "agent">
        | undefined;
      if (asked !== undefined && !maySettle({ role: "supervisor", agent: OPERATOR }, asked))
        throw new Refused(`${String(id)} is a person's to answer: \`banksman answer ${String(id)} …\`.`);
      return act({ type: "answer", question: String(id), answer: String(answer), session: false });
    },
  },
  {
    name: "verify",
    acts: true,
    does: "Run the project's gates on the work of agents, or on any branch. get_session_status shows what comes of it.",
    takes: { refs: { is: "texts", help: "Agents, branches or other refs; all agents without it." } },
    run: ({ refs = [] }) => act({ type: "verify", refs: refs as string[], fresh: false }),
  },
  {
    name: "retract",
    acts: true,
    does: "Take back what an agent says it will touch; it is told, and the others hear it.",
    takes: { agent: AGENT, paths: { is: "texts", help: "Only these and what lies below them; all without it." } },
    run: ({ agent, paths = [] }) => act({ type: "retract", agent: String(agent), paths: paths as string[] }),
  },
  {
    name: "pause",
    acts: true,
    does: "Hold back messages for agents; they finish what they are doing.",
    takes: { agents: AGENTS },
    run: ({ agents = [] }) => act({ type: "pause", agents: agents as string[], untilCommit: null }),
  },
  {
    name: "resume",
    acts: true,
    does: "Tell them again, and what came meanwhile.",
    takes: { agents: AGENTS },
    run: ({ agents = [] }) => act({ type: "resume", agents: agents as string[] }),
  },
];
