import type { AgentEvent, EndHow, Usage } from "./events.ts";

const LONGEST_TEXT = 64 * 1024;
const ENDS: readonly EndHow[] = ["ok", "error", "refused", "aborted", "timeout"];

/**
 * One line of an agent's event stream, or null when it is none. Lines come from a program we half trust: anything
 * unexpected is ignored, and every text is cut.
 */
export function parseEvent(line: string): AgentEvent | null {
  const fields = parseObject(line);
  if (fields === null) return null;
  const text = (name: string) =>
    typeof fields[name] === "string" ? (fields[name] as string).slice(0, LONGEST_TEXT) : null;
  switch (fields.type) {
    case "session":
      return given(text("id"), (id) => ({ type: "session", id: id.slice(0, 200) }));
    case "text":
    case "thinking":
      return given(text("text"), (said) => ({ type: fields.type as "text" | "thinking", text: said }));
    case "tool.start":
      return given(text("id"), (id) => ({
        type: "tool.start",
        id,
        name: text("name") ?? "tool",
        input: text("input") ?? "",
      }));
    case "tool.end":
      return given(text("id"), (id) => ({ type: "tool.end", id, ok: fields.ok === true }));
    case "permission":
      return given(text("request"), (request) => {
        const command = text("command");
        return {
          type: "permission",
          request: request.slice(0, 200),
          text: text("text") ?? command ?? "permission",
          command,
        };
      });
    case "retry":
      return { type: "retry", attempt: count(fields.attempt), reason: text("reason") ?? "" };
    case "usage":
      return { type: "usage", usage: readUsage(fields) };
    case "plan":
      return { type: "plan", entries: texts(fields.entries) };
    case "end": {
      const how = ENDS.find((each) => each === fields.how);
      return how === undefined ? null : { type: "end", how, message: text("message") ?? "" };
    }
    default:
      return null;
  }
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const given = <T>(value: string | null, make: (value: string) => T): T | null => (value === null ? null : make(value));

function readUsage(fields: Record<string, unknown>): Usage {
  const cost = typeof fields.cost === "number" && Number.isFinite(fields.cost) && fields.cost >= 0 ? fields.cost : null;
  return { input: count(fields.input), output: count(fields.output), cached: count(fields.cached), cost };
}

const count = (value: unknown): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((each) => typeof each === "string")
        .slice(0, 200)
        .map((each) => each.slice(0, 500))
    : [];
