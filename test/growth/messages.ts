import { parseAction } from "../../src/core/actions/actions.ts";
import { askedPath } from "../../src/core/actions/asked-path.ts";
import { readInput } from "../../src/core/actions/console-input.ts";
import { covers, meet, normalPath } from "../../src/core/claims/claim-paths.ts";
import { compileGlob } from "../../src/core/claims/glob.ts";
import { claimedPaths } from "../../src/core/claims/intents.ts";
import { normalName } from "../../src/core/claims/regions.ts";
import { isDetectors, readConflict } from "../../src/core/conflicts/read-texts.ts";
import { Learner } from "../../src/core/learnings/learnings.ts";
import { appendLearnings } from "../../src/core/learnings/learnings-file.ts";
import { MESSAGE_TYPES, type StoredMessage } from "../../src/core/messages/messages.ts";
import { parseMessage, parseWatch } from "../../src/core/messages/parse-message.ts";
import { parsePermission } from "../../src/core/messages/permission.ts";
import { sentence, tellAgent } from "../../src/core/messages/wording.ts";
import type { AgentId, Instant } from "../../src/core/text/ids.ts";
import { parseObject } from "../../src/core/text/json-fields.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const SELF = "a" as AgentId;

/** Every field of a message that takes a text, with the text in all of them at once. */
const filled = (type: string, text: string) => ({
  type,
  agent_id: SELF,
  branch_id: SELF,
  from: SELF,
  key: text,
  merged_branch: text,
  new_main_sha: text,
  base: text,
  merged_at: text,
  payload: {
    status: text,
    message: text,
    needs: text,
    question: text,
    answer: text,
    summary: text,
    from: "b",
    verified_by: "b",
    errors: [text],
    files: [text, { path: text, regions: [{ kind: "function", name: text }] }],
    modified_files: [text],
    exports: [text],
    id: text,
    agent_id: "a",
    category: text,
    title: text,
    body: { text },
    timestamp: text,
  },
});

const stored = (message: object): StoredMessage =>
  ({
    seq: 1,
    id: "e-1",
    at: 0 as Instant,
    sender: SELF,
    to: [],
    message,
    key: null,
    re: null,
  }) as unknown as StoredMessage;

const paths = (text: string) => text.split("\n").filter((each) => each !== "");

export const MESSAGES: readonly Parser[] = [
  ...MESSAGE_TYPES.map((type) => ({
    name: `message: ${type}`,
    run: (text: string) => [
      parseMessage(filled(type, text), SELF),
      parseMessage(
        {
          type,
          agent_id: SELF,
          payload: {
            files: paths(text),
            modified_files: paths(text),
            exports: paths(text),
            errors: paths(text),
            summary: "s",
            status: "s",
            from: "b",
          },
        },
        SELF,
      ),
    ],
    begins: ["<", " <"],
    ends: ["x"],
  })),
  { name: "message: unknown type", run: (text) => parseMessage({ type: text, payload: {} }, SELF), begins: ["agent."] },
  { name: "message: agent id", run: (text) => parseMessage({ ...filled("agent.status", "x"), agent_id: text }, SELF) },
  {
    name: "message: watch",
    run: (text) => parseWatch({ agent_id: text, worktree_path: text, cli: text }, null),
    begins: ["<"],
  },
  { name: "message: permission", run: parsePermission, begins: ["deny", "deny: "] },
  {
    name: "message: in words",
    run: (text) => [
      sentence(filled("agent.feedback", text) as never),
      tellAgent([stored({ ...filled("agent.feedback", text) }), stored(filled("agent.intent", text))]),
    ],
  },
  { name: "action: unknown", run: (text) => parseAction({ type: text }) },
  { name: "action: text", run: (text) => parseAction({ type: "tell", agent: text, text }) },
  {
    name: "action: unknown fields",
    run: (text) => parseAction(parseObject(text)),
    begins: [],
    shapes: { fields: numbered((i) => `"k${i}":1,`, '{"type":"tell",', '"z":1}') },
  },
  { name: "action: a path", run: askedPath },
  {
    name: "console: a line",
    run: (text) => readInput(text, [{ id: SELF, branch: "feat/a" }]),
    begins: ["/", "/tell ", "tell a ", "please tell ", "should "],
    ends: ["?"],
  },
  {
    name: "claims: a glob",
    run: (text) => compileGlob(text.slice(0, 256)).matches(text),
    begins: ["*a*", "**/", "{", "[a-"],
  },
  {
    name: "claims: a path",
    run: (text) => [normalPath(text), covers(text.slice(0, 256), text), meet(text.slice(0, 256), "src/*.ts")],
  },
  { name: "claims: a region's name", run: normalName, begins: ["fn ", "x("], ends: [")", "("] },
  {
    name: "claims: taken back",
    run: (text) =>
      claimedPaths(
        { agent: SELF, claims: paths(text).slice(0, 5_000), summary: "", expiresAt: 0 as Instant },
        paths(text).slice(0, 5_000),
      ),
    shapes: { files: numbered((i) => `src/${i}/${"deep/".repeat(20)}file.ts\n`) },
  },
  {
    name: "conflict: read back",
    run: (text) => [isDetectors(text), readConflict(text)],
    begins: [
      "[conflict-detector] forward conflict: agent a also intends to modify: ",
      "[conflict-detector] in-flight conflict: file ",
      "[conflict-detector] ownership violation: you edited ",
      "[conflict-detector] predicted conflict: your work would not merge with agent b's work as it is now: ",
    ],
    ends: ["; x was there firs", " is being modified by both you and "],
    shapes: {
      "nearly there first": repeated(
        "; a was ",
        "[conflict-detector] predicted conflict: your work would not merge with agent b's work as it is now: ",
        "\n",
      ),
      "nearly by both": repeated(
        " is being modified by both you and a",
        "[conflict-detector] in-flight conflict: file ",
        "!",
      ),
    },
  },
  {
    name: "learnings: the file",
    run: (text) =>
      appendLearnings(text, [{ section: "Other learnings", key: "k", at: 0 as Instant, text: "t" }], 0 as Instant),
    begins: ["- "],
    shapes: { "nearly keys": repeated(" <!-- a", "- "), "nearly keys, with ends": repeated(" <!-- a -->", "- ", "x") },
  },
  { name: "learnings: heard", run: (text) => new Learner().hear(stored(filled("agent.learning", text))) },
];
