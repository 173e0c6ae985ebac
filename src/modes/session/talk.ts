import type { Action } from "../../core/actions/actions.ts";
import { agentLane } from "../../core/agents/reduce-assignment.ts";
import { type Hears, whenHears } from "../../core/agents/when-hears.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type Permission, parsePermission, writePermission } from "../../core/messages/permission.ts";
import {
  answered,
  isOpen,
  pickOption,
  type Question,
  type QuestionKind,
  questionId,
} from "../../core/messages/questions.ts";
import { type Identity, maySettle } from "../../core/messages/roles.ts";
import { directive, refusedBecause } from "../../core/messages/wording.ts";
import { everyAssignment, sessionOf } from "../../core/session/read-session.ts";
import { SESSION_LANE } from "../../core/session/session.ts";
import { type AgentId, type LaneKey, SUPERVISOR } from "../../core/text/ids.ts";
import type { Recording, Waking } from "../../engine/journal/recording.ts";
import { publishAndWake } from "../../engine/messages/publish.ts";
import type { Ports } from "../../ports/ports.ts";
import { named } from "./named.ts";

/** A person's word to an agent: feedback marked as a directive, in its inbox until it has read it. */
export async function tell(
  context: Recording,
  { agent, text }: Extract<Action, { type: "tell" }>,
  by: Identity,
): Promise<{ agent: string; seq: number; hears: Hears }> {
  const { journal } = context;
  if (sessionOf(journal) === null) throw new Failed({ kind: "session.none" });
  const [run] = named(everyAssignment(journal), [agent]);
  if (run === undefined) throw new Failed({ kind: "session.none" });
  const hears = whenHears(run);
  const message = {
    type: "agent.feedback" as const,
    agent_id: run.agent,
    // What a person says to an agent goes by the supervisor; the supervising model hears who says it.
    payload: { from: run.agent === SUPERVISOR ? by.agent : SUPERVISOR, errors: [directive(text)] },
  };
  const [seq = 0] = await publishAndWake(context, [{ message, key: null, re: null }]);
  return { agent: run.agent, seq, hears };
}

export interface Answered {
  readonly id: string;
  readonly kind: QuestionKind;
  readonly agent: string | null;
  /** Who hears it. */
  readonly agents: readonly string[];
  readonly answer: string;
}

/** The answer to a question: to the agent as a message, or to the process that waits for a permission. */
export async function answer(
  context: Recording & Waking & Pick<Ports, "store">,
  action: Extract<Action, { type: "answer" }>,
  by: Identity,
): Promise<Answered> {
  const question = await openQuestion(context, action.question);
  if (!maySettle(by, question)) throw new Failed({ kind: "question.persons", id: questionId(question) });
  const { agent } = question;
  if (question.lane !== undefined) await answerLane(context, question, question.lane, action.answer, by.agent);
  else if (question.kind === "approval") await decidePermission(context, question, action, by.agent);
  else if (question.kind === "conflict") await settleConflict(context, question, action.answer, by.agent);
  else if (agent !== null) {
    const payload = { from: SUPERVISOR, answer: action.answer, re: question.text };
    await publishAndWake(context, [
      { message: { type: "agent.answer", agent_id: agent, payload }, key: null, re: questionId(question) },
    ]);
  }
  const { kind, concerns } = question;
  const agents = kind === "conflict" || question.lane !== undefined ? (concerns ?? []) : agent === null ? [] : [agent];
  return { id: questionId(question), kind, agent, agents, answer: action.answer };
}

/** To the lane that has asked: it understands the words it has offered. */
async function answerLane(
  { journal, clock, wake }: Recording & Waking,
  question: Question,
  lane: LaneKey,
  text: string,
  by: AgentId,
): Promise<void> {
  const chosen = pickOption(question.options, text);
  if (chosen === null)
    throw new Failed({ kind: "question.options", id: questionId(question), options: question.options });
  await journal.transact(({ put }) => put({ row: "question", put: answered(question, chosen, by, clock.now()) }));
  wake(lane);
}

/** To both who are in it; they are the ones who have to do something now. */
async function settleConflict(context: Recording, question: Question, text: string, by: AgentId): Promise<void> {
  const messages = (question.concerns ?? []).map((agent) => ({
    message: {
      type: "agent.answer" as const,
      agent_id: agent,
      payload: { from: SUPERVISOR, answer: text, re: question.text },
    },
    key: null,
    re: questionId(question),
  }));
  // In one commit: an answer that is recorded is told, whatever happens in between.
  await publishAndWake(context, messages, ({ put }) =>
    put({ row: "question", put: answered(question, text, by, context.clock.now()) }),
  );
}

async function decidePermission(
  context: Recording & Waking,
  question: Question,
  { answer: text, session }: Extract<Action, { type: "answer" }>,
  by: AgentId,
): Promise<void> {
  const permission = parsePermission(text);
  if (permission === null) throw new Failed({ kind: "question.allow-or-deny", id: questionId(question) });
  const { command } = question;
  if (session && (!permission.allow || command === null))
    throw new Failed({ kind: "question.not-for-session", id: questionId(question) });
  // In one commit: a refusal that is recorded is explained, whatever happens in between.
  await publishAndWake(context, explanation(context, question, permission), (transaction) => {
    const closed = answered(question, writePermission(permission), by, context.clock.now());
    transaction.put({ row: "question", put: closed });
    if (session && command !== null) transaction.send(SESSION_LANE, { type: "allowed", command });
  });
  if (question.agent !== null) context.wake(agentLane(question.agent).key);
}

/** In a pane only a key says no: the reason is a message. Over a channel it goes with the answer. */
function explanation({ journal }: Recording, { agent, command, text }: Question, { allow, note }: Permission) {
  const isInPane = agent !== null && journal.state(agentLane(agent))?.terminal === true;
  if (allow || note === "" || !isInPane) return [];
  const payload = { from: SUPERVISOR, errors: [refusedBecause(command ?? text, note)] };
  return [{ message: { type: "agent.feedback" as const, agent_id: agent, payload }, key: null, re: null }];
}

async function openQuestion(
  { journal, store }: Pick<Recording, "journal"> & Pick<Ports, "store">,
  id: string,
): Promise<Question> {
  const known = [...journal.openQuestions.values()];
  const found = known.find((question) => questionId(question) === id && isOpen(question));
  if (found !== undefined) return found;
  const closed = /^q\d+$/.test(id) ? (await store.question(Number(id.slice(1))))?.closed : null;
  if (closed) throw new Failed({ kind: "question.over", id, answer: closed.how === "answered" ? closed.answer : null });
  throw new Failed({ kind: "question.unknown", id, open: known.filter(isOpen).map(questionId) });
}
