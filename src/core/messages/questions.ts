import type { AgentId, Instant, LaneKey, RunId } from "../text/ids.ts";

export type QuestionKind = "question" | "approval" | "conflict" | "gate" | "decision";

/** Something only a person (or a supervisor it trusts) can settle. It stays until answered, or withdrawn by its asker. */
export interface Question {
  readonly number: number;
  readonly kind: QuestionKind;
  readonly agent: AgentId | null;
  readonly text: string;
  readonly since: Instant;
  /**
   * For a permission: what would be run, the ways to answer, and the request to answer to in which run. For one that a
   * lane has asked, `request` is the lane's own word for what it is about.
   */
  readonly command: string | null;
  readonly options: readonly string[];
  readonly run: RunId | null;
  readonly request: string | null;
  readonly closed: Closed | null;
  /** For a conflict: the agents who hear the answer. */
  readonly concerns?: readonly AgentId[];
  /** For one that ends by itself: the paths both are at. */
  readonly paths?: readonly string[];
  /** The lane that has asked, and takes the answer. */
  readonly lane?: LaneKey;
}

export type Closed =
  | {
      readonly how: "answered";
      readonly answer: string;
      readonly by: AgentId;
      readonly at: Instant;
      readonly handed: boolean;
    }
  | { readonly how: "withdrawn"; readonly at: Instant };

export const questionId = (question: Question): string => `q${question.number}`;

export const isOpen = (question: Question): boolean => question.closed === null;

const IN_WORDS: ReadonlySet<QuestionKind> = new Set<QuestionKind>(["question", "conflict"]);

/** The same text from the same agent is one question while it is open, and a new one afterwards. */
export function alreadyAsked(open: Iterable<Question>, agent: AgentId, text: string): boolean {
  for (const each of open)
    if (isOpen(each) && each.agent === agent && IN_WORDS.has(each.kind) && each.text === text) return true;
  return false;
}

export function askedByMessage(number: number, agent: AgentId, text: string, since: Instant): Question {
  return {
    number,
    kind: "question",
    agent,
    text,
    since,
    command: null,
    options: [],
    run: null,
    request: null,
    closed: null,
  };
}

export interface PermissionRequest {
  readonly request: string;
  readonly text: string;
  readonly command: string | null;
}

/** Until approvals are there, every permission request is an open question for the person. */
export function askedForPermission(
  number: number,
  agent: AgentId,
  run: RunId,
  asked: PermissionRequest,
  since: Instant,
): Question {
  const { request, text, command } = asked;
  return {
    number,
    kind: "approval",
    agent,
    text,
    since,
    command,
    options: ["allow", "deny"],
    run,
    request,
    closed: null,
  };
}

/** Asked by a lane of its own accord; `options` are the words it understands. */
export function askedByLane(
  number: number,
  asked: Pick<Question, "kind" | "text" | "options" | "request" | "concerns"> & { readonly lane: LaneKey },
  since: Instant,
): Question {
  return { number, agent: null, since, command: null, run: null, closed: null, ...asked };
}

/** Whether a question of a lane asks about all of these findings, by their keys. */
export const isAbout = ({ request, lane }: Question, keys: readonly string[]): boolean =>
  lane !== undefined && request !== null && keys.every((key) => request.includes(key));

const REFUSE = "refuse";

/** The reason behind a refusal, as it was given; empty where none was. */
export const refusalReason = (answer: string): string =>
  answer
    .trim()
    .slice(REFUSE.length)
    .replace(/^[\s:,]+/, "");

/** The option an answer means: the same words, or those that begin like one with a name of its own (`first <branch>`). */
export function pickOption(options: readonly string[], answer: string): string | null {
  const text = answer.trim().replaceAll(/\s+/g, " ");
  const same = options.find((option) => option.toLowerCase() === text.toLowerCase());
  if (same !== undefined) return same;
  const [word = "", ...rest] = text.split(" ");
  // A refusal may have its reason behind it.
  if (word.toLowerCase() === REFUSE && options.includes(REFUSE)) return `${REFUSE} ${rest.join(" ")}`;
  const named = options.some((option) => option.toLowerCase().startsWith(`${word.toLowerCase()} `)) && rest.length > 0;
  return named ? `${word.toLowerCase()} ${rest.join(" ")}` : null;
}

export function answered(question: Question, answer: string, by: AgentId, at: Instant): Question {
  const handed = question.kind !== "approval" && question.lane === undefined;
  return { ...question, closed: { how: "answered", answer, by, at, handed } };
}

/** An answer given but not yet passed on to the process that waits for it. */
export const unhanded = (question: Question): boolean => question.closed?.how === "answered" && !question.closed.handed;

/** Still to be looked after: open, or answered and not yet passed on. What is neither is history. */
export const isPending = (question: Question): boolean => isOpen(question) || unhanded(question);

export function handed(question: Question): Question {
  return question.closed?.how === "answered" ? { ...question, closed: { ...question.closed, handed: true } } : question;
}

export const withdrawn = (question: Question, at: Instant): Question => ({
  ...question,
  closed: { how: "withdrawn", at },
});
