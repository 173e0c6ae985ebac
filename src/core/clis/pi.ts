import { at, costAt, countAt, type Fields, listAt, parseObject, textAt } from "../text/json-fields.ts";
import { type Dialect, type Heard, NOTHING, streamDialect } from "./dialect.ts";
import type { AgentEvent } from "./events.ts";
import type { CliKind, StartOrder } from "./kind.ts";
import { gateSource } from "./pi-gate.ts";
import { requestText } from "./request-text.ts";
import { resultText } from "./result-text.ts";

export const pi: CliKind = {
  name: "pi",
  title: "pi",
  program: "pi",
  env: ["PI_*", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  channels: [
    {
      name: "rpc",
      prepare: (order) => ({
        args: ["--mode", "rpc", ...started(order)],
        files: { "gate.ts": gateSource(order.approval, "rpc") },
      }),
      dialect: rpcDialect,
    },
    {
      name: "json",
      // Nobody could answer it here: what would be asked is refused.
      prepare: (order) => ({
        args: ["--mode", "json", "-p", ...started(order), order.prompt],
        files: { "gate.ts": gateSource(order.approval, "nobody") },
      }),
      dialect: () => streamDialect(piReader()),
    },
  ],
  // In a file of our choice, because on a terminal it does not say which it took: it opens one that is there, and makes it.
  terminal: ({ folder, approval, conversation, fresh }) => {
    const file = `${conversation ?? fresh}.jsonl`;
    return {
      args: [...gate(folder), "--session", `${folder}/${file}`],
      files: { "gate.ts": gateSource(approval, "screen") },
      ...(conversation === null ? { begins: fresh } : { keepsIn: file }),
    };
  },
};

const gate = (folder: string): string[] => ["-e", `${folder}/gate.ts`];

const started = ({ conversation, folder }: StartOrder): string[] => [
  ...gate(folder),
  ...(conversation === null ? [] : ["--session", conversation]),
];

/** pi over standard input and output. It never asks by itself: our gate does, as a dialogue of an extension. */
export function rpcDialect(): Dialect {
  const read = piEvents();
  const asked = new Set<string>();
  const pausePoints = new Set<string>();
  let settling = 0;
  let ended = false;
  const line = (value: object) => JSON.stringify(value);
  const state = () => line({ type: "get_state", id: `settled-${++settling}` });

  /**
   * Over when nothing follows `agent_end`: a retry or a compaction may. It is asked for its state, and whatever it goes
   * on with is said before the answer; newer versions say `agent_settled` by themselves.
   */
  function turn(fields: Fields): Heard | null {
    const { type } = fields;
    if (type === "agent_end" || type === "auto_retry_end" || type === "compaction_end") {
      ended = true;
      return { events: read.events(fields), reply: state() };
    }
    if (type === "agent_start" || type === "auto_retry_start" || type === "compaction_start") ended = false;
    const asksBack = type === "response" && fields.id === `settled-${settling}`;
    if (ended && (type === "agent_settled" || asksBack)) {
      ended = false;
      return { events: [read.ending()] };
    }
    return null;
  }

  return {
    announces: true,
    listens: "between-turns",
    begin: (prompt) => [
      line({ type: "get_state", id: "begin" }),
      line({ type: "prompt", id: "brief", message: prompt }),
    ],
    hear(text) {
      const fields = parseObject(text) ?? cutObject(text);
      if (fields === null) return NOTHING;
      if (fields.type === "extension_ui_request") return dialogue(fields, asked, pausePoints);
      if (fields.type === "response" && fields.id === "begin")
        return { events: session(textAt(fields, "data", "sessionId")) };
      if (fields.type === "response" && fields.success === false && fields.command === "prompt")
        return { events: [{ type: "end", how: "error", message: textAt(fields, "error") ?? "it took no prompt" }] };
      return turn(fields) ?? { events: read.events(fields) };
    },
    answer(request, allow, note) {
      if (!asked.delete(request)) return null;
      return line({
        type: "extension_ui_response",
        id: request,
        value: allow ? "Yes" : note === "" ? "No" : `No: ${note}`,
      });
    },
    tell: (text) => line({ type: "prompt", message: text }),
    goOn(pausePoint, text) {
      if (!pausePoints.delete(pausePoint)) return null;
      const answer = text === null ? { cancelled: true } : { value: text };
      return line({ type: "extension_ui_response", id: pausePoint, ...answer });
    },
    cancel: () => line({ type: "abort" }),
  };
}

/** A line that was too long to be kept whole still says what it is: the last one repeats the whole conversation. */
const cutObject = (text: string): Fields | null =>
  text.startsWith('{"type":"agent_end"') ? { type: "agent_end" } : null;

const session = (id: string | null): AgentEvent[] => (id === null ? [] : [{ type: "session", id: id.slice(0, 200) }]);

/** Our gate's questions come as JSON in the title; what other extensions ask in a dialogue is refused, not guessed. */
function dialogue(fields: Fields, asked: Set<string>, pausePoints: Set<string>): Heard {
  const id = textAt(fields, "id");
  const method = textAt(fields, "method") ?? "";
  if (id === null || !["select", "confirm", "input", "editor"].includes(method)) return NOTHING;
  const request = parseObject(textAt(fields, "title") ?? "");
  if (method === "input" && at(request, "pausePoint") === true) {
    pausePoints.add(id);
    return { events: [], pausePoint: id };
  }
  const tool = textAt(request, "tool");
  if (method !== "select" || tool === null)
    return { events: [], reply: JSON.stringify({ type: "extension_ui_response", id, cancelled: true }) };
  asked.add(id);
  return { events: [{ type: "permission", request: id, ...requestText(tool, at(request, "input")) }] };
}

/** The lines of `--mode json`. Its exit code is 0 even when the model failed: what counts is the last message. */
export function piReader(): (line: string) => AgentEvent[] {
  const read = piEvents();
  let retrying = false;
  return (text) => {
    const fields = parseObject(text) ?? cutObject(text);
    if (fields === null) return [];
    if (fields.type === "session") return session(textAt(fields, "id"));
    if (fields.type === "auto_retry_start") retrying = true;
    if (fields.type === "auto_retry_end") retrying = false;
    if (fields.type === "auto_retry_end" && fields.success === false) return [read.ending()];
    // An `agent_end` that a retry follows is taken back by the next one: the last word counts.
    if (fields.type === "agent_end" && !retrying) return [read.ending()];
    return read.events(fields);
  };
}

interface PiEvents {
  events(fields: Fields): AgentEvent[];
  ending(): AgentEvent;
}

function piEvents(): PiEvents {
  let last = "";
  let failure: string | null = null;
  let aborted = false;
  return {
    events(fields) {
      switch (fields.type) {
        case "message_end": {
          if (textAt(fields, "message", "role") !== "assistant") return [];
          const reason = textAt(fields, "message", "stopReason");
          aborted = reason === "aborted";
          failure = reason === "error" ? (textAt(fields, "message", "errorMessage") ?? "the model failed") : null;
          const texts = listAt(fields, "message", "content").flatMap((part) =>
            at(part, "type") === "text" ? [textAt(part, "text") ?? ""] : [],
          );
          last = texts.join("\n") || last;
          const usage = {
            input: countAt(fields, "message", "usage", "input") + countAt(fields, "message", "usage", "cacheWrite"),
            output: countAt(fields, "message", "usage", "output"),
            cached: countAt(fields, "message", "usage", "cacheRead"),
            cost: costAt(fields, "message", "usage", "cost", "total"),
          };
          return [...texts.map((text): AgentEvent => ({ type: "text", text })), { type: "usage", usage }];
        }
        case "tool_execution_start": {
          const name = textAt(fields, "toolName") ?? "tool";
          const input = requestText(name, fields.args).text;
          return [{ type: "tool.start", id: textAt(fields, "toolCallId") ?? "", name, input }];
        }
        case "tool_execution_end":
          return [
            {
              type: "tool.end",
              id: textAt(fields, "toolCallId") ?? "",
              ok: fields.isError !== true,
              ...resultText(at(fields, "result", "content")),
            },
          ];
        case "auto_retry_start":
          return [{ type: "retry", attempt: countAt(fields, "attempt"), reason: textAt(fields, "errorMessage") ?? "" }];
        default:
          return [];
      }
    },
    ending() {
      if (aborted) return { type: "end", how: "aborted", message: "interrupted" };
      return failure === null
        ? { type: "end", how: "ok", message: last }
        : { type: "end", how: "error", message: failure };
    },
  };
}
