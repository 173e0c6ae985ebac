import type { Action } from "../../core/actions.ts";
import { Failed } from "../../core/failure.ts";
import { agentLane, OPERATOR, SUPERVISOR } from "../../core/ids.ts";
import { parsePermission, writePermission } from "../../core/permission.ts";
import { answered, isOpen, type Question, questionId } from "../../core/questions.ts";
import { type Identity, maySettle } from "../../core/roles.ts";
import { directive } from "../../core/wording.ts";
import type { House } from "../../engine/house.ts";
import { runsOf } from "../../engine/look.ts";
import { publish } from "../../engine/publish.ts";
import { named } from "./named.ts";

/** A person's word to an agent: feedback marked as a directive, in its inbox until it has read it. */
export async function tell(
  house: House,
  { agent, text }: Extract<Action, { type: "tell" }>,
): Promise<{ agent: string; seq: number }> {
  const [run] = named(runsOf(house.journal), [agent]);
  if (run === undefined) throw new Failed({ kind: "session.none" });
  const message = {
    type: "agent.feedback" as const,
    agent_id: run.agent,
    payload: { from: SUPERVISOR, errors: [directive(text)] },
  };
  const [seq = 0] = await publish(house, [{ message, key: null, re: null }]);
  return { agent: run.agent, seq };
}

/** The answer to a question: to the agent as a message, or to the process that waits for a permission. */
export async function answer(
  house: House,
  action: Extract<Action, { type: "answer" }>,
  by: Identity,
): Promise<{ id: string; agent: string | null; answer: string }> {
  const question = openQuestion(house, action.question);
  if (!maySettle(by, question)) throw new Failed({ kind: "question.persons", id: questionId(question) });
  const { agent } = question;
  if (question.kind === "approval") await decidePermission(house, question, action.answer);
  else if (question.kind === "conflict") await settleConflict(house, question, action.answer);
  else if (agent !== null) {
    const payload = { from: SUPERVISOR, answer: action.answer, re: question.text };
    await publish(house, [
      { message: { type: "agent.answer", agent_id: agent, payload }, key: null, re: questionId(question) },
    ]);
  }
  return { id: questionId(question), agent, answer: action.answer };
}

/** To both who are in it; they are the ones who have to do something now. */
async function settleConflict(house: House, question: Question, text: string): Promise<void> {
  const envelopes = (question.concerns ?? []).map((agent) => ({
    message: {
      type: "agent.answer" as const,
      agent_id: agent,
      payload: { from: SUPERVISOR, answer: text, re: question.text },
    },
    key: null,
    re: questionId(question),
  }));
  await house.journal.transact((put) =>
    put({ row: "question", put: answered(question, text, OPERATOR, house.clock.now()) }),
  );
  if (envelopes.length > 0) await publish(house, envelopes);
}

async function decidePermission(house: House, question: Question, text: string): Promise<void> {
  const permission = parsePermission(text);
  if (permission === null) throw new Failed({ kind: "question.allow-or-deny", id: questionId(question) });
  await house.journal.transact((put) =>
    put({ row: "question", put: answered(question, writePermission(permission), OPERATOR, house.clock.now()) }),
  );
  if (question.agent !== null) house.wake(agentLane(question.agent));
}

function openQuestion({ journal }: House, id: string): Question {
  const known = [...journal.openQuestions.values()];
  const found = known.find((question) => questionId(question) === id && isOpen(question));
  if (found !== undefined) return found;
  throw new Failed({ kind: "question.unknown", id, open: known.filter(isOpen).map(questionId) });
}
