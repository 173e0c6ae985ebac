import type { AgentId } from "../text/ids.ts";
import { nearest } from "../text/nearest.ts";

/** What a person typed into the console. */
export type ConsoleInput =
  | { readonly kind: "nothing" }
  | { readonly kind: "help" }
  | { readonly kind: "quit" }
  | { readonly kind: "agents" }
  /** A question about how things stand: answered here, and nothing is published. */
  | { readonly kind: "status"; readonly about: AgentId | null; readonly only: "blocked" | null }
  /** For one agent. */
  | { readonly kind: "directive"; readonly agent: AgentId; readonly text: string }
  | { readonly kind: "questions" }
  | { readonly kind: "answer"; readonly question: string; readonly text: string }
  /** Allows or denies; null is the only request that is open. */
  | { readonly kind: "permission"; readonly request: string | null; readonly text: string }
  /** Which of two should come first, or what to do: answered from what is known, else asked once. */
  | { readonly kind: "judgement"; readonly text: string; readonly between: readonly AgentId[] }
  /** Agents, branches or refs; all agents, naming none. */
  | { readonly kind: "verify"; readonly refs: readonly string[] }
  | { readonly kind: "land"; readonly branches: readonly string[]; readonly plan: boolean }
  | { readonly kind: "unknown-agent"; readonly name: string; readonly near: string | null }
  | { readonly kind: "unclear"; readonly hint: string };

export interface Known {
  readonly id: AgentId;
  readonly branch: string | null;
}

/** Reads a line as the seed's supervisor would: a status question, a directive, a judgement, or a command. */
export function readInput(line: string, agents: readonly Known[]): ConsoleInput {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  if (text.startsWith("/")) return readCommand(text, agents);
  const permission = readPermission(text);
  if (permission !== null) return permission;
  const [, name, words] = /^(?:please\s+)?(?:tell|ask)\s+(\S+)\s+(.+)$/is.exec(text) ?? [];
  if (name !== undefined && words !== undefined) return directive(name, words.replace(/^to\s+/i, ""), agents);
  const named = mentioned(text, agents);
  if (isJudgement(text)) return { kind: "judgement", text, between: named };
  if (isQuestion(text)) return { kind: "status", about: named[0] ?? null, only: BLOCKED.test(text) ? "blocked" : null };
  return { kind: "unclear", hint: "Say `tell <agent> …`, ask how something is going, or /help." };
}

/** `y`, `n`, `allow`, `deny not there`: the only open request; `allow q5`, `deny q5 not there`: this one. */
function readPermission(text: string): ConsoleInput | null {
  const [, word = "", rest = ""] = /^(y|yes|n|no|allow|deny)(?:[\s:,]+(.*))?$/is.exec(text) ?? [];
  if (word === "") return null;
  const allow = /^(y|yes|allow)$/i.test(word);
  const named = /^(q\d+)(?:[\s:,]+(.*))?$/is.exec(rest);
  const id = named?.[1] ?? null;
  const why = named === null ? rest : (named[2] ?? "");
  if (allow && why.trim() !== "") return { kind: "unclear", hint: "To allow a request, say `allow` or `allow q5`." };
  const note = why.trim() === "" ? "deny" : `deny ${why.trim()}`;
  return { kind: "permission", request: id, text: allow ? "allow" : note };
}

const JUDGES = /^(should|shall|ought|do you think|would you|is it better|which (one )?(first|should)|who should)\b/i;

const isJudgement = (text: string): boolean =>
  JUDGES.test(text) || (text.endsWith("?") && /\b(before|first|or)\b/i.test(text));

const BLOCKED = /\b(blocked|stuck|waiting|needs me)\b/i;

const isQuestion = (text: string): boolean =>
  text.endsWith("?") || /^(how|what|what's|how's|who|where|when|is|are|any|anything|status)\b/i.test(text);

function readCommand(text: string, agents: readonly Known[]): ConsoleInput {
  const [, name = "", rest = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const [first = "", ...words] = rest.split(/\s+/);
  switch (name) {
    case "help":
      return { kind: "help" };
    case "quit":
    case "exit":
      return { kind: "quit" };
    case "agents":
      return { kind: "agents" };
    case "questions":
      return { kind: "questions" };
    case "status":
      return first === "" ? { kind: "status", about: null, only: null } : about(first, agents);
    case "tell":
      if (first === "" || words.length === 0)
        return { kind: "unclear", hint: "/tell <agent> <what it should know or do>" };
      return directive(first, rest.slice(first.length).trim(), agents);
    case "answer":
      if (first === "" || words.length === 0) return { kind: "unclear", hint: "/answer <question> <answer>" };
      return { kind: "answer", question: first, text: rest.slice(first.length).trim() };
    case "verify":
      return { kind: "verify", refs: [first, ...words].filter((word) => word !== "") };
    case "land": {
      const named = [first, ...words].filter((word) => word !== "");
      return { kind: "land", branches: named.filter((word) => word !== "--plan"), plan: named.includes("--plan") };
    }
    default: {
      const near = nearest(name, COMMANDS);
      const meant = near === null ? "Type /help for the list." : `Did you mean /${near}?`;
      return { kind: "unclear", hint: `Unknown command /${name.slice(0, 40)}. ${meant}` };
    }
  }
}

const COMMANDS = ["help", "quit", "agents", "status", "questions", "tell", "answer", "verify", "land"];

function directive(name: string, text: string, agents: readonly Known[]): ConsoleInput {
  const agent = find(name, agents);
  return agent === null ? unknown(name, agents) : { kind: "directive", agent, text };
}

function about(name: string, agents: readonly Known[]): ConsoleInput {
  const agent = find(name, agents);
  return agent === null ? unknown(name, agents) : { kind: "status", about: agent, only: null };
}

const unknown = (name: string, agents: readonly Known[]): ConsoleInput => ({
  kind: "unknown-agent",
  name,
  near: nearest(
    name,
    agents.map(({ id }) => id),
  ),
});

/** By id or branch, as it stands. */
const find = (name: string, agents: readonly Known[]): AgentId | null =>
  agents.find(({ id, branch }) => id === name || branch === name)?.id ?? null;

/** Agents a sentence speaks of, in order. */
function mentioned(text: string, agents: readonly Known[]): AgentId[] {
  const words = text.split(/[\s,;:!?'"()]+/).map((word) => word.replace(/\.$/, ""));
  return words.flatMap((word) => find(word.replace(/'s$/, ""), agents) ?? []);
}

/** Who waits for whom, as agents have said it. */
export interface Blocked {
  readonly agent: AgentId;
  readonly by: AgentId;
}

/** What is known that settles a judgement between two agents; null where it stays open. */
export function settle(between: readonly AgentId[], blocked: readonly Blocked[]): string | null {
  const [a, b] = between;
  if (a === undefined || b === undefined) return null;
  if (blocked.some((each) => each.agent === a && each.by === b)) return `${b} first: ${a} is blocked on it.`;
  if (blocked.some((each) => each.agent === b && each.by === a)) return `${a} first: ${b} is blocked on it.`;
  return null;
}
