import { costAt, countAt, listAt, parseObject, textAt } from "../text/json-fields.ts";
import type { AgentEvent, EndHow } from "./events.ts";
import { resultText } from "./result-text.ts";

const ENDS: readonly EndHow[] = ["ok", "error", "refused", "aborted", "timeout"];

/**
 * One line of an agent's event stream, or null when it is none. Lines come from a program we half trust: anything
 * unexpected is ignored, and every text is cut.
 */
export function parseEvent(line: string): AgentEvent | null {
  const fields = parseObject(line);
  if (fields === null) return null;
  const text = (name: string) => textAt(fields, name);
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
      return given(text("id"), (id) => ({
        type: "tool.end",
        id,
        ok: fields.ok === true,
        ...resultText(fields.output),
      }));
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
      return { type: "retry", attempt: countAt(fields, "attempt"), reason: text("reason") ?? "" };
    case "usage":
      return {
        type: "usage",
        usage: {
          input: countAt(fields, "input"),
          output: countAt(fields, "output"),
          cached: countAt(fields, "cached"),
          cost: costAt(fields, "cost"),
        },
      };
    case "plan":
      return { type: "plan", entries: shortTexts(listAt(fields, "entries")) };
    case "end": {
      const how = ENDS.find((each) => each === fields.how);
      return how === undefined ? null : { type: "end", how, message: text("message") ?? "" };
    }
    default:
      return null;
  }
}

const given = <T>(value: string | null, make: (value: string) => T): T | null => (value === null ? null : make(value));

/** A plan's entries: enough to show, and no more. */
export const shortTexts = (values: readonly unknown[]): string[] =>
  values
    .filter((each) => typeof each === "string")
    .slice(0, 200)
    .map((each) => each.slice(0, 500));
