import { type Asked, type Dialect, errorType, event, type Reply, type Stream, USAGE } from "./dialect.ts";
import { field, listAt, stringAt, textOf } from "./read-json.ts";
import type { Entry } from "./script.ts";
import { toolFrom } from "./tools.ts";

/** OpenAI's `/v1/chat/completions`, which most providers speak. */
export const openaiChat: Dialect = {
  api: "chat",
  matches: (path) => path.endsWith("/chat/completions"),
  read,
  whole: (reply) => ({
    ...completion(reply),
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.text,
          ...(reply.call === null ? {} : { tool_calls: calls(reply) }),
        },
        finish_reason: finish(reply),
      },
    ],
    usage,
  }),
  stream,
  failure: (status, message) => ({ error: { message, type: errorType(status), code: errorType(status) } }),
};

function read(body: unknown): Asked {
  return {
    entries: listAt(body, "messages").flatMap(entryOf),
    tools: listAt(body, "tools").map((each) =>
      toolFrom(stringAt(each, "function", "name"), field(each, "function", "parameters")),
    ),
    model: stringAt(body, "model"),
    streamed: field(body, "stream") === true,
    schema: field(body, "response_format", "json_schema", "schema"),
  };
}

function entryOf(message: unknown): readonly Entry[] {
  const role = field(message, "role");
  const text = textOf(field(message, "content"));
  if (role === "user") return [{ from: "user", text }];
  return role === "tool" ? [{ from: "tool", text }] : [];
}

function stream(reply: Reply): Stream {
  const chunk = (rest: object): string =>
    event({ ...completion(reply), object: "chat.completion.chunk", choices: [], ...rest });
  const delta = (delta: object, reason: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta, finish_reason: reason }] });
  return {
    opening: () => delta({ role: "assistant", content: "" }),
    piece: (text) => delta({ content: text }),
    closing: () =>
      (reply.call === null ? "" : delta({ tool_calls: calls(reply) })) +
      delta({}, finish(reply)) +
      chunk({ usage }) +
      "data: [DONE]\n\n",
  };
}

const completion = ({ id, model }: Reply) => ({ id: `chatcmpl-${id}`, created: 1, model });

const calls = ({ id, call }: Reply) => [
  {
    index: 0,
    id: `call_${id}`,
    type: "function",
    function: { name: call?.name, arguments: JSON.stringify(call?.input) },
  },
];

const finish = ({ call }: Reply): string => (call === null ? "stop" : "tool_calls");

const usage = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
  prompt_tokens_details: { cached_tokens: 0 },
};
