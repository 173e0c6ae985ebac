import { type Asked, type Dialect, errorType, event, type Reply, type Stream, USAGE } from "./dialect.ts";
import { field, listAt, stringAt, textOf } from "./read-json.ts";
import type { Entry } from "./script.ts";
import { toolFrom } from "./tools.ts";

/** Anthropic's `/v1/messages`. */
export const anthropicMessages: Dialect = {
  api: "messages",
  matches: (path) => path.endsWith("/v1/messages"),
  read,
  whole: (reply) => ({ ...message(reply), content: contentOf(reply), stop_reason: stopReason(reply), usage: usage() }),
  stream,
  failure: (status, text) => ({ type: "error", error: { type: errorType(status), message: text } }),
};

function read(body: unknown): Asked {
  return {
    entries: listAt(body, "messages")
      .filter((each) => field(each, "role") === "user" || isSteering(each))
      .flatMap((each) => entriesOf(field(each, "content"))),
    tools: listAt(body, "tools").map((each) => toolFrom(stringAt(each, "name"), field(each, "input_schema"))),
    model: stringAt(body, "model"),
    streamed: field(body, "stream") === true,
    schema: field(body, "output_config", "format", "schema") ?? field(body, "output_format", "schema"),
  };
}

/** What a person says while claude is at work reaches the model as a message of the system. */
const isSteering = (message: unknown): boolean =>
  field(message, "role") === "system" && /^The user sent a new message/.test(textOf(field(message, "content")));

function entriesOf(content: unknown): readonly Entry[] {
  if (!Array.isArray(content)) return [{ from: "user", text: textOf(content) }];
  return content.map((part) =>
    field(part, "type") === "tool_result"
      ? { from: "tool", text: textOf(field(part, "content")) }
      : { from: "user", text: textOf(part) },
  );
}

function stream(reply: Reply): Stream {
  const say = (type: string, rest: object): string => event({ type, ...rest }, type);
  return {
    opening: () =>
      say("message_start", { message: { ...message(reply), usage: { ...usage(), output_tokens: 1 } } }) +
      say("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    piece: (text) => say("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    closing: () =>
      say("content_block_stop", { index: 0 }) +
      toolUses(reply)
        .flatMap((block) => [
          say("content_block_start", { index: 1, content_block: { ...block, input: {} } }),
          say("content_block_delta", {
            index: 1,
            delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          }),
          say("content_block_stop", { index: 1 }),
        ])
        .join("") +
      say("message_delta", {
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      }) +
      say("message_stop", {}),
  };
}

const message = ({ id, model }: Reply) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
});

const contentOf = (reply: Reply) => [{ type: "text", text: reply.text }, ...toolUses(reply)];

const toolUses = ({ call, id }: Reply) =>
  call === null ? [] : [{ type: "tool_use", id: `toolu_${id}`, name: call.name, input: call.input }];

const stopReason = ({ call }: Reply): string => (call === null ? "end_turn" : "tool_use");

const usage = () => ({
  input_tokens: USAGE.input,
  output_tokens: USAGE.output,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});
