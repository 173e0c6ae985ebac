import type { Claim, Region } from "../claims/claim.ts";
import { isGlob, pathOf, regionsOf } from "../claims/claim-paths.ts";
import type { AgentId } from "../text/ids.ts";
import type { Fields } from "../text/json-fields.ts";
import type { Problem } from "../text/json-reader.ts";
import { MessageReader, MOST_FILES } from "./message-reader.ts";
import { type ArtifactPayload, MESSAGE_TYPES, type Message, type StatusPayload } from "./messages.ts";

export interface Envelope {
  readonly message: Message;
  readonly key: string | null;
  readonly re: string | null;
}

export const DEFAULT_INTENT_SECONDS = 900;
const LONGEST_INTENT_SECONDS = 24 * 60 * 60;
const LONGEST_KEY = 200;
/** What is looked up costs nothing; what has to be tried is tried on every file of every other agent. */
const MOST_GLOBS = 100;
const LONGEST_GLOB = 256;
const MOST_REGIONS = 1_000;

/**
 * Reads a message from whatever JSON arrived. Unknown extra fields are ignored, as git-paw's broker does; anything
 * else that is not as documented is a problem, never a guess. `self` is the agent whose token was used: it fills a
 * missing sender, and is not yet compared (that is authority, see roles.ts).
 */
export function parseMessage(body: unknown, self: AgentId | null): Envelope | Problem {
  const read = new MessageReader();
  const fields = read.body(body);
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
  const read = new MessageReader();
  const fields = read.body(body);
  if (fields === null) return read.firstProblem();
  const agent = read.id(fields.agent_id ?? self ?? undefined, "agent_id");
  const path = read.filled(fields.worktree_path, "worktree_path");
  const cli = read.optionalText(fields.cli, "cli", LONGEST_KEY) || null;
  return read.problem ?? { agent, path, cli };
}

function readMessage(read: MessageReader, fields: Fields, self: AgentId | null): Message | null {
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
        payload: {
          needs: read.filled(payload.needs, "payload.needs"),
          from: read.other(payload.from, "payload.from", agent_id),
        },
      };
    case "agent.question":
      return {
        type: "agent.question",
        agent_id,
        payload: { question: read.long(payload.question, "payload.question") },
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

function readStatus(read: MessageReader, payload: Fields): StatusPayload {
  return {
    status: read.text(payload.status, "payload.status"),
    modified_files: read.files(payload.modified_files, "payload.modified_files"),
    message: read.optionalText(payload.message, "payload.message") ?? null,
    ...given("cli", read.optionalText(payload.cli, "payload.cli")),
    ...given("phase", read.optionalText(payload.phase, "payload.phase")),
    ...given("detail", payload.detail ?? undefined),
  };
}

function readArtifact(read: MessageReader, payload: Fields): ArtifactPayload {
  return {
    status: read.text(payload.status, "payload.status"),
    exports: read.texts(payload.exports ?? [], "payload.exports"),
    modified_files: read.files(payload.modified_files, "payload.modified_files"),
  };
}

function readAdvancedMain(read: MessageReader, fields: Fields): Message {
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

function readLearning(read: MessageReader, payload: Fields): Message {
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

function readClaims(read: MessageReader, value: unknown): Claim[] {
  const items = read.list(value, "payload.files", MOST_FILES);
  if (items.length === 0) read.fail("payload.files", "payload.files must name at least one path");
  const claims = items.map((item, i) => {
    const field = `payload.files[${i}]`;
    if (typeof item === "string") return read.path(item, field);
    const claim = read.object(item, field);
    if (claim === null) return "";
    const path = read.path(claim.path, `${field}.path`);
    const regions = read
      .list(claim.regions ?? [], `${field}.regions`, MOST_FILES)
      .map((region, j) => readRegion(read, region, `${field}.regions[${j}]`));
    return regions.length === 0 ? path : { path, regions };
  });
  return boundClaims<Claim>(read, claims);
}

function boundClaims<Each extends Claim>(read: MessageReader, claims: Each[]): Each[] {
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
const readReleased = (read: MessageReader, files: unknown): string[] =>
  boundClaims(read, read.texts(files, "payload.files"));

function readRegion(read: MessageReader, value: unknown, field: string): Region {
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

function readSeconds(read: MessageReader, value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_INTENT_SECONDS;
  return Math.min(read.integer(value, "payload.valid_for_seconds", 1, Number.MAX_SAFE_INTEGER), LONGEST_INTENT_SECONDS);
}

function readErrors(read: MessageReader, value: unknown): string[] {
  const errors = read.list(value, "payload.errors", MOST_FILES);
  if (errors.length === 0) read.fail("payload.errors", "payload.errors must hold at least one text");
  return errors.map((error, i) => read.filled(error, `payload.errors[${i}]`));
}

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
