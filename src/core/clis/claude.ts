import { asFields, at, costAt, countAt, type Fields, listAt, parseObject, textAt } from "../text/json-fields.ts";
import { type Dialect, type Heard, NOTHING, streamDialect } from "./dialect.ts";
import type { AgentEvent, EndHow } from "./events.ts";
import { hookSettings } from "./hook-settings.ts";
import { hookReply } from "./hook-word.ts";
import { type Approval, type CliKind, OWN_COMMAND, type StartOrder } from "./kind.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

/** Without a mode claude starts in "auto", which does not ask for what it takes to be of low risk (2.1.325). */
const MODES: Readonly<Record<Approval, string>> = {
  manual: "default",
  auto: "acceptEdits",
  "full-auto": "bypassPermissions",
};

export const claude: CliKind = {
  name: "claude",
  title: "Claude Code",
  program: "claude",
  env: ["ANTHROPIC_*", "CLAUDE_*", "DISABLE_*", "API_TIMEOUT_MS", "IS_SANDBOX"],
  envWhere: {
    CLAUDE_CODE_USE_BEDROCK: ["AWS_*"],
    CLAUDE_CODE_USE_VERTEX: ["GOOGLE_*", "CLOUD_ML_REGION", "VERTEX_REGION_*"],
  },
  channels: [
    {
      name: "control",
      prepare: (order) => ({
        args: [
          "-p",
          ...["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
          ...["--permission-prompt-tool", "stdio"],
          ...started(order, "allow.json"),
        ],
        files: { "allow.json": JSON.stringify({ permissions: allowed }) },
      }),
      dialect: controlDialect,
    },
    {
      name: "json",
      prepare: (order) => ({
        args: ["-p", order.prompt, "--output-format", "stream-json", "--verbose", ...started(order, "allow.json")],
        files: { "allow.json": JSON.stringify({ permissions: allowed }) },
      }),
      dialect: () => streamDialect(claudeReader()),
    },
  ],
  toldByHooks: ["PostToolUse", "Stop"],
  terminal: (order) => ({
    args: started(order, "settings.json"),
    files: { "settings.json": JSON.stringify({ permissions: allowed, hooks: hookSettings(order.hook, HOOKS) }) },
  }),
};

const HOOKS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Notification", "Stop", "SessionEnd"];

/** Hooks that it calls over the channel: at these it can be told something in the middle of its turn. */
const LULLS = ["PostToolUse", "Stop"];

const allowed = { allow: [`Bash(${OWN_COMMAND}:*)`] };

const started = ({ approval, conversation, folder }: StartOrder, settings: string): string[] => [
  ...["--permission-mode", MODES[approval]],
  ...["--settings", `${folder}/${settings}`],
  ...(conversation === null ? [] : ["--resume", conversation]),
];

/** Claude over standard input and output: it asks for permissions there, and takes one prompt after the other. */
export function controlDialect(): Dialect {
  const read = claudeReader();
  const asked = new Map<string, unknown>();
  const pausePoints = new Map<string, string>();
  const line = (value: object) => JSON.stringify(value);
  const user = (text: string) => line({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
  const respond = (id: string, response: object) =>
    line({ type: "control_response", response: { subtype: "success", request_id: id, response } });

  return {
    announces: true,
    listens: "between-turns",
    begin: (prompt) => [
      line({
        type: "control_request",
        request_id: "begin",
        request: {
          subtype: "initialize",
          hooks: Object.fromEntries(LULLS.map((name) => [name, [{ matcher: null, hookCallbackIds: [name] }]])),
        },
      }),
      user(prompt),
    ],
    hear(text): Heard {
      const fields = parseObject(text);
      if (fields?.type !== "control_request") return { events: read(text) };
      const id = textAt(fields, "request_id");
      if (id === null) return NOTHING;
      const called = textAt(fields, "request", "callback_id") ?? "";
      if (at(fields, "request", "subtype") === "hook_callback" && LULLS.includes(called)) {
        pausePoints.set(id, called);
        return { events: [], pausePoint: id };
      }
      if (at(fields, "request", "subtype") !== "can_use_tool")
        return {
          events: [],
          reply: line({
            type: "control_response",
            response: { subtype: "error", request_id: id, error: "not supported" },
          }),
        };
      asked.set(id, at(fields, "request", "input"));
      return { events: [permission(id, fields)] };
    },
    answer(request, allow, note) {
      if (!asked.has(request)) return null;
      const input = asked.get(request);
      asked.delete(request);
      return respond(
        request,
        allow
          ? { behavior: "allow", updatedInput: input ?? {} }
          : { behavior: "deny", message: note === "" ? "Not allowed by the supervisor." : note },
      );
    },
    tell: user,
    goOn(pausePoint, text) {
      const event = pausePoints.get(pausePoint);
      if (!pausePoints.delete(pausePoint) || event === undefined) return null;
      return respond(pausePoint, (text === null ? null : hookReply(event, text)) ?? {});
    },
    cancel: () => line({ type: "control_request", request_id: "cancel", request: { subtype: "interrupt" } }),
  };
}

function permission(id: string, fields: Fields): AgentEvent {
  const name = textAt(fields, "request", "tool_name") ?? "a tool";
  const { text, command } = requestText(name, at(fields, "request", "input"));
  return { type: "permission", request: id, text, command };
}

/** The lines of `--output-format stream-json`; qwen writes the same ones. */
export function claudeReader(): (line: string) => AgentEvent[] {
  let session: string | null = null;
  let spent = 0;
  return (text) => {
    const fields = parseObject(text);
    if (fields === null) return [];
    const events: AgentEvent[] = [];
    const id = textAt(fields, "session_id");
    if (id !== null && id !== session && fields.type === "system") {
      session = id;
      events.push({ type: "session", id: id.slice(0, 200) });
    }
    if (fields.type === "system" && fields.subtype === "api_retry")
      events.push({ type: "retry", attempt: countAt(fields, "attempt"), reason: textAt(fields, "error") ?? "" });
    if (fields.type === "assistant") events.push(...listAt(fields, "message", "content").flatMap(said));
    if (fields.type === "user") events.push(...listAt(fields, "message", "content").flatMap(done));
    if (fields.type === "result") {
      // The total is the conversation's, with what it cost before it was taken up again; the tokens are this turn's.
      const cost = costAt(fields, "total_cost_usd");
      const own = costSince(at(fields, "model_usage_since_last_result"));
      const usage = {
        input: countAt(fields, "usage", "input_tokens") + countAt(fields, "usage", "cache_creation_input_tokens"),
        output: countAt(fields, "usage", "output_tokens"),
        cached: countAt(fields, "usage", "cache_read_input_tokens"),
        cost: own ?? (cost === null ? null : Math.max(0, cost - spent)),
      };
      spent = cost ?? spent;
      events.push({ type: "usage", usage }, { type: "end", ...ending(fields) });
    }
    return events;
  };
}

/** By model, since the last result; null where it does not say so. */
function costSince(models: unknown): number | null {
  const costs = Object.values(asFields(models) ?? {}).map((each) => costAt(each, "costUSD") ?? 0);
  return costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0);
}

function said(part: unknown): AgentEvent[] {
  const fields = asFields(part);
  if (fields?.type === "text") return [{ type: "text", text: textAt(fields, "text") ?? "" }];
  if (fields?.type === "thinking") return [{ type: "thinking", text: textAt(fields, "thinking") ?? "" }];
  if (fields?.type !== "tool_use") return [];
  const name = textAt(fields, "name") ?? "tool";
  return [{ type: "tool.start", id: textAt(fields, "id") ?? "", name, input: requestText(name, fields.input).text }];
}

function done(part: unknown): AgentEvent[] {
  const fields = asFields(part);
  if (fields?.type !== "tool_result") return [];
  return [
    {
      type: "tool.end",
      id: textAt(fields, "tool_use_id") ?? "",
      ok: fields.is_error !== true,
      ...resultText(fields.content),
    },
  ];
}

/** `subtype` says "success" of an API failure, too: what counts is `is_error`, and that the turn completed. */
function ending(fields: Fields): { how: EndHow; message: string } {
  const message = textAt(fields, "result") ?? textAt(fields, "error", "message") ?? textAt(fields, "subtype") ?? "";
  const reason = textAt(fields, "terminal_reason") ?? "";
  if (reason.startsWith("aborted")) return { how: "aborted", message: "interrupted" };
  if (fields.stop_reason === "refusal") return { how: "refused", message };
  if (fields.is_error !== false || fields.subtype !== "success") return { how: "error", message };
  return { how: "ok", message };
}
