import { normalPath } from "../claims/claim-paths.ts";
import type { AgentId } from "../text/ids.ts";
import { asFields, type Fields } from "../text/json-fields.ts";
import { JsonReader, type Problem } from "../text/json-reader.ts";
import { AGENT_ID } from "../text/naming.ts";
import { nearest } from "../text/nearest.ts";
import { MESSAGE_TYPES } from "./messages.ts";

export const MOST_FILES = 5_000;
/** Linux takes no longer path. */
const LONGEST_PATH = 4_096;
const LONGEST_NAME = 500;
/** Of a question: it is kept in memory until somebody has read and answered it. */
const LONGEST_TEXT = 64 * 1024;
/** A branch where an id belongs; others (capitals, dots) have ids that cannot be told from the name alone. */
const SLASH_FORM = /^[a-z0-9_-]+(\/[a-z0-9_-]+)+$/;

/** Reads what messages are made of: agents' ids, paths of a worktree, texts that a template may have left unfilled. */
export class MessageReader extends JsonReader {
  body(value: unknown): Fields | null {
    return asFields(value) ?? this.fail("", "the body must be a JSON object");
  }

  firstProblem(): Problem {
    return this.problem ?? { field: "", why: "the body is not a message" };
  }

  unknownType(type: string): null {
    const near = nearest(type, MESSAGE_TYPES);
    return this.fail(
      "type",
      `type ${JSON.stringify(type.slice(0, 80))} is not known${near ? `; did you mean ${near}?` : ""}`,
    );
  }

  /** Of a part of a file. */
  name(value: unknown, field: string): string {
    const text = this.text(value, field);
    if (text.length > LONGEST_NAME) this.fail(field, `${field} is longer than ${LONGEST_NAME} characters`);
    return text;
  }

  texts(value: unknown, field: string): string[] {
    return this.list(value, field, MOST_FILES).map((item, i) => this.text(item, `${field}[${i}]`));
  }

  /** A text that a template may have left unfilled: `<what you need>` is refused. */
  filled(value: unknown, field: string): string {
    const text = this.text(value, field);
    if (/^\s*<[^<>]*>\s*$/.test(text))
      this.fail(field, `${field} looks like an unfilled placeholder: ${text.trim().slice(0, 80)}`);
    return text;
  }

  /** The same, of a length that can be kept in memory. */
  long(value: unknown, field: string): string {
    const text = this.filled(value, field);
    if (text.length > LONGEST_TEXT) this.fail(field, `${field} is longer than ${LONGEST_TEXT} characters`);
    return text;
  }

  /** Relative, inside the worktree, one spelling per path. */
  path(value: unknown, field: string): string {
    const text = this.filled(value, field)
      .replaceAll("\\", "/")
      .replaceAll(/\/{2,}/g, "/");
    const parts = text.split("/").filter((part) => part !== ".");
    if (text.startsWith("/") || parts.includes(".."))
      this.fail(field, `${field} must be a path inside the worktree, without a leading / and without ..`);
    // It is repeated to others in the supervisor's name: a second line of it would be taken for the supervisor's own.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)) this.fail(field, `${field} holds a control character`);
    if (text.length > LONGEST_PATH) this.fail(field, `${field} is longer than ${LONGEST_PATH} characters`);
    return parts.join("/");
  }

  /** Files as somebody else's program names them: whatever git can name, in the spelling that git has. */
  files(value: unknown, field: string): string[] {
    return this.list(value ?? [], field, MOST_FILES).map((item, i) => {
      const text = this.text(item, `${field}[${i}]`);
      if (text.length > LONGEST_PATH)
        this.fail(`${field}[${i}]`, `${field}[${i}] is longer than ${LONGEST_PATH} characters`);
      return text.startsWith("./") || text.includes("/./") || text.includes("//") ? normalPath(text) : text;
    });
  }

  /** Somebody else than `self`. */
  other(value: unknown, field: string, self: AgentId): AgentId {
    const id = this.id(value, field);
    if (id === self) this.fail(field, `${field} must be somebody else than ${self}`);
    return id;
  }

  id(value: unknown, field: string): AgentId {
    if (typeof value === "string" && value.length <= 256) {
      if (AGENT_ID.test(value)) return value as AgentId;
      const slugged = SLASH_FORM.test(value) ? value.replaceAll("/", "-") : "";
      if (AGENT_ID.test(slugged)) return slugged as AgentId;
    }
    this.fail(field, value === undefined ? `${field} is required` : `${field} must be 1 to 64 of a-z, 0-9, _ and -`);
    return "" as AgentId;
  }
}
