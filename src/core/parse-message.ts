import { isGlob, normalPath, pathOf, regionsOf } from "./conflicts/claim-paths.ts";
import type { AgentId } from "./ids.ts";
import {
  type ArtifactPayload,
  type Claim,
  MESSAGE_TYPES,
  type Message,
  type Region,
  type StatusPayload,
} from "./messages.ts";
import { AGENT_ID } from "./naming.ts";
import { nearest } from "./nearest.ts";

/** Why a request's body is not a message. `field` is the path a client has to correct. */
export interface Problem {
  readonly field: string;
  readonly why: string;
}

export interface Envelope {
  readonly message: Message;
  readonly key: string | null;
  readonly re: string | null;
}

export const MOST_FILES = 5_000;
export const DEFAULT_INTENT_SECONDS = 900;
const LONGEST_INTENT_SECONDS = 24 * 60 * 60;
const LONGEST_KEY = 200;
/** Linux takes no longer path. */
const LONGEST_PATH = 4_096;
/** What is looked up costs nothing; what has to be tried is tried on every file of every other agent. */
const MOST_GLOBS = 100;
const LONGEST_GLOB = 256;
const MOST_REGIONS = 1_000;
const LONGEST_NAME = 500;
/** A branch where an id belongs; others (capitals, dots) have ids that cannot be told from the name alone. */
const SLASH_FORM = /^[a-z0-9_-]+(\/[a-z0-9_-]+)+$/;

/**
 * Reads a message from whatever JSON arrived. Unknown extra fields are ignored, as git-paw's broker does; anything
 * else that is not as documented is a problem, never a guess. `self` is the agent whose token was used: it fills a
 * missing sender, and is not yet compared (that is authority, see roles.ts).
 */
export function parseMessage(body: unknown, self: AgentId | null): Envelope | Problem {
  const read = new Reader();
  const fields = read.object(body, "");
  if (fields === null) return read.firstProblem();
  const message = readMessage(read, fields, self);
  const key = read.optionalText(fields.key, "key", LONGEST_KEY) ?? null;
  const re = read.optionalText(fields.re, "re", LONGEST_KEY) ?? null;
  return read.problem ?? (message === null ? read.firstProblem() : { message, key, re });
}

/** What `POST /watch` asks for: to look after a worktree in an agent's name. */
export interface WatchRequest {
  readonly agent: AgentId;
  readonly path: string;
  readonly cli: string | null;
}

export function parseWatch(body: unknown, self: AgentId | null): WatchRequest | Problem {
  const read = new Reader();
  const fields = read.object(body, "");
  if (fields === null) return read.firstProblem();
  const agent = read.id(fields.agent_id ?? self ?? undefined, "agent_id");
  const path = read.filled(fields.worktree_path, "worktree_path");
  const cli = read.optionalText(fields.cli, "cli", LONGEST_KEY) || null;
  return read.problem ?? { agent, path, cli };
}

type Fields = Readonly<Record<string, unknown>>;

function readMessage(read: Reader, fields: Fields, self: AgentId | null): Message | null {
  const type = fields.type;
  if (typeof type !== "string") return read.fail("type", "type is required and must be a string");
  if (!(MESSAGE_TYPES as readonly string[]).includes(type)) return read.unknownType(type);
  if (type === "agent.advanced-main") return readAdvancedMain(read, fields);
  if (type === "supervisor.verify-now") return { type, branch_id: read.id(fields.branch_id, "branch_id") };
  const payload = read.object(fields.payload, "payload");
  if (payload === null) return null;
  if (type === "agent.learning") return readLearning(read, payload);
  const agent_id = read.id(fields.agent_id ?? self ?? undefined, "agent_id");
  switch (type as Exclude<Message["type"], "agent.advanced-main" | "supervisor.verify-now" | "agent.learning">) {
    case "agent.status":
      return { type: "agent.status", agent_id, payload: readStatus(read, payload) };
    case "agent.artifact":
      return { type: "agent.artifact", agent_id, payload: readArtifact(read, payload) };
    case "agent.blocked":
      return {
        type: "agent.blocked",
        agent_id,
        payload: { needs: read.filled(payload.needs, "payload.needs"), from: read.id(payload.from, "payload.from") },
      };
    case "agent.question":
      return {
        type: "agent.question",
        agent_id,
        payload: { question: read.filled(payload.question, "payload.question") },
      };
    case "agent.intent":
      return {
        type: "agent.intent",
        agent_id,
        payload: {
          files: readClaims(read, payload.files),
          summary: read.text(payload.summary, "payload.summary"),
          valid_for_seconds: readSeconds(read, payload.valid_for_seconds),
        },
      };
    case "agent.retract":
      return {
        type: "agent.retract",
        agent_id,
        payload: {
          files: payload.files === undefined || payload.files === null ? null : readReleased(read, payload.files),
        },
      };
    case "agent.verified":
      return {
        type: "agent.verified",
        agent_id,
        payload: {
          verified_by: read.id(payload.verified_by, "payload.verified_by"),
          ...given("message", read.optionalText(payload.message, "payload.message")),
        },
      };
    case "agent.feedback":
      return {
        type: "agent.feedback",
        agent_id,
        payload: { from: read.id(payload.from, "payload.from"), errors: readErrors(read, payload.errors) },
      };
    case "agent.answer":
      return {
        type: "agent.answer",
        agent_id,
        payload: {
          from: read.id(payload.from, "payload.from"),
          answer: read.filled(payload.answer, "payload.answer"),
          ...given(
            "re",
            payload.re === undefined || payload.re === null ? undefined : read.filled(payload.re, "payload.re"),
          ),
        },
      };
  }
}

function readStatus(read: Reader, payload: Fields): StatusPayload {
  return {
    status: read.text(payload.status, "payload.status"),
    modified_files: read.files(payload.modified_files, "payload.modified_files"),
    message: read.optionalText(payload.message, "payload.message") ?? null,
    ...given("cli", read.optionalText(payload.cli, "payload.cli")),
    ...given("phase", read.optionalText(payload.phase, "payload.phase")),
    ...given("detail", payload.detail ?? undefined),
  };
}

function readArtifact(read: Reader, payload: Fields): ArtifactPayload {
  return {
    status: read.text(payload.status, "payload.status"),
    exports: read.texts(payload.exports ?? [], "payload.exports"),
    modified_files: read.files(payload.modified_files, "payload.modified_files"),
  };
}

function readAdvancedMain(read: Reader, fields: Fields): Message {
  return {
    type: "agent.advanced-main",
    from: read.id(fields.from, "from"),
    merged_branch: read.text(fields.merged_branch, "merged_branch"),
    new_main_sha: read.text(fields.new_main_sha, "new_main_sha"),
    base: read.text(fields.base, "base"),
    merged_at: read.text(fields.merged_at, "merged_at"),
    ...given("summary", read.optionalText(fields.summary, "summary")),
  };
}

function readLearning(read: Reader, payload: Fields): Message {
  return {
    type: "agent.learning",
    payload: {
      id: read.text(payload.id, "payload.id"),
      agent_id: read.id(payload.agent_id, "payload.agent_id"),
      ...given(
        "branch_id",
        payload.branch_id === undefined || payload.branch_id === null
          ? undefined
          : read.id(payload.branch_id, "payload.branch_id"),
      ),
      category: read.text(payload.category, "payload.category"),
      title: read.text(payload.title, "payload.title"),
      body: payload.body ?? null,
      timestamp: read.text(payload.timestamp, "payload.timestamp"),
    },
  };
}

function readClaims(read: Reader, value: unknown): Claim[] {
  const items = read.list(value, "payload.files");
  if (items.length === 0) read.fail("payload.files", "payload.files must name at least one path");
  const claims = items.map((item, i) => {
    const field = `payload.files[${i}]`;
    if (typeof item === "string") return read.path(item, field);
    const claim = read.object(item, field);
    if (claim === null) return "";
    const path = read.path(claim.path, `${field}.path`);
    const regions = read
      .list(claim.regions ?? [], `${field}.regions`)
      .map((region, j) => readRegion(read, region, `${field}.regions[${j}]`));
    return regions.length === 0 ? path : { path, regions };
  });
  return boundClaims<Claim>(read, claims);
}

function boundClaims<Each extends Claim>(read: Reader, claims: Each[]): Each[] {
  const globs = claims.map(pathOf).filter(isGlob);
  const regions = claims.reduce((sum, claim) => sum + (regionsOf(claim)?.length ?? 0), 0);
  if (globs.length > MOST_GLOBS)
    read.fail("payload.files", `payload.files holds ${globs.length} globs; the most is ${MOST_GLOBS}: name folders`);
  if (globs.some((glob) => glob.length > LONGEST_GLOB))
    read.fail("payload.files", `payload.files holds a glob of more than ${LONGEST_GLOB} characters`);
  if (regions > MOST_REGIONS)
    read.fail("payload.files", `payload.files holds ${regions} regions; the most is ${MOST_REGIONS}: name files`);
  return claims;
}

/** Whatever they name, nothing is taken back but what one claims: only what it costs to find out is bounded. */
const readReleased = (read: Reader, files: unknown): string[] => boundClaims(read, read.texts(files, "payload.files"));

function readRegion(read: Reader, value: unknown, field: string): Region {
  const region = read.object(value, field) ?? {};
  const kind = region.kind;
  if (kind === "function" || kind === "class") return { kind, name: read.name(region.name, `${field}.name`) };
  if (kind === "block") return { kind, anchor: read.name(region.anchor, `${field}.anchor`) };
  if (kind !== "range") read.fail(`${field}.kind`, `${field}.kind must be function, class, block or range`);
  const start_line = read.integer(region.start_line, `${field}.start_line`, 1, 2 ** 31);
  return {
    kind: "range",
    start_line,
    end_line: read.integer(region.end_line, `${field}.end_line`, start_line, 2 ** 31),
  };
}

function readSeconds(read: Reader, value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_INTENT_SECONDS;
  return Math.min(read.integer(value, "payload.valid_for_seconds", 1, Number.MAX_SAFE_INTEGER), LONGEST_INTENT_SECONDS);
}

function readErrors(read: Reader, value: unknown): string[] {
  const errors = read.list(value, "payload.errors");
  if (errors.length === 0) read.fail("payload.errors", "payload.errors must hold at least one text");
  return errors.map((error, i) => read.filled(error, `payload.errors[${i}]`));
}

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };

/** Keeps the first problem, so that a body wrong in several places still gets one clear sentence. */
class Reader {
  problem: Problem | null = null;

  fail(field: string, why: string): null {
    this.problem ??= { field, why };
    return null;
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

  object(value: unknown, field: string): Fields | null {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
    return this.fail(
      field,
      field === "" ? "the body must be a JSON object" : `${field} is required and must be an object`,
    );
  }

  list(value: unknown, field: string): readonly unknown[] {
    if (!Array.isArray(value)) this.fail(field, `${field} must be a list`);
    else if (value.length > MOST_FILES)
      this.fail(field, `${field} holds ${value.length} entries; the most is ${MOST_FILES}`);
    else return value;
    return [];
  }

  text(value: unknown, field: string): string {
    if (typeof value === "string" && value.trim() !== "") return value;
    this.fail(field, `${field} is required and must be a non-blank string`);
    return "";
  }

  optionalText(value: unknown, field: string, longest = Number.POSITIVE_INFINITY): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string" && value.length <= longest) return value;
    this.fail(
      field,
      `${field} must be a string${longest === Number.POSITIVE_INFINITY ? "" : ` of at most ${longest} characters`}`,
    );
    return undefined;
  }

  /** Of a part of a file. */
  name(value: unknown, field: string): string {
    const text = this.text(value, field);
    if (text.length > LONGEST_NAME) this.fail(field, `${field} is longer than ${LONGEST_NAME} characters`);
    return text;
  }

  texts(value: unknown, field: string): string[] {
    return this.list(value, field).map((item, i) => this.text(item, `${field}[${i}]`));
  }

  /** A text that a template may have left unfilled: `<what you need>` is refused. */
  filled(value: unknown, field: string): string {
    const text = this.text(value, field);
    if (/^\s*<[^<>]*>\s*$/.test(text))
      this.fail(field, `${field} looks like an unfilled placeholder: ${text.trim().slice(0, 80)}`);
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
    return this.list(value ?? [], field).map((item, i) => {
      const text = this.text(item, `${field}[${i}]`);
      if (text.length > LONGEST_PATH)
        this.fail(`${field}[${i}]`, `${field}[${i}] is longer than ${LONGEST_PATH} characters`);
      return text.startsWith("./") || text.includes("/./") || text.includes("//") ? normalPath(text) : text;
    });
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

  integer(value: unknown, field: string, least: number, most: number): number {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    this.fail(field, `${field} must be a whole number of at least ${least}`);
    return least;
  }
}
