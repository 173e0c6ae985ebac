import { type Asked, type Dialect, errorType, event, type Reply, type Stream, USAGE } from "./dialect.ts";
import { field, listAt, stringAt, textOf } from "./read-json.ts";
import type { Entry } from "./script.ts";
import { toolFrom } from "./tools.ts";

/** OpenAI's `/v1/responses`, which codex speaks. */
export const openaiResponses: Dialect = {
  api: "responses",
  matches: (path) => path.endsWith("/responses"),
  read,
  whole: (reply) => ({ ...response(reply), status: "completed", output: outputOf(reply), usage }),
  stream,
  failure: (status, message) => ({ error: { message, type: errorType(status), code: errorType(status) } }),
};

function read(body: unknown): Asked {
  const input = field(body, "input");
  return {
    entries: typeof input === "string" ? [{ from: "user", text: input }] : listAt(input).flatMap(entryOf),
    tools: listAt(body, "tools").map((each) => {
      const kind = stringAt(each, "type");
      return toolFrom(stringAt(each, "name") || kind, field(each, "parameters"), kind === "custom");
    }),
    model: stringAt(body, "model"),
    streamed: field(body, "stream") === true,
    schema: field(body, "text", "format", "schema"),
  };
}

function entryOf(item: unknown): readonly Entry[] {
  if (field(item, "role") === "user") return [{ from: "user", text: textOf(field(item, "content")) }];
  if (!stringAt(item, "type").endsWith("_output")) return [];
  const output = field(item, "output");
  return [{ from: "tool", text: typeof output === "string" ? output : JSON.stringify(output) }];
}

function stream(reply: Reply): Stream {
  let number = 0;
  const say = (type: string, rest: object): string => event({ type, sequence_number: number++, ...rest }, type);
  const [message, ...calls] = outputOf(reply);
  const part = { item_id: message?.id, output_index: 0, content_index: 0 };
  return {
    opening: () =>
      say("response.created", { response: { ...response(reply), status: "in_progress" } }) +
      say("response.output_item.added", { output_index: 0, item: { ...message, status: "in_progress", content: [] } }) +
      say("response.content_part.added", { ...part, part: outputText("") }),
    piece: (text) => say("response.output_text.delta", { ...part, delta: text }),
    closing: () =>
      say("response.output_text.done", { ...part, text: reply.text }) +
      say("response.content_part.done", { ...part, part: outputText(reply.text) }) +
      say("response.output_item.done", { output_index: 0, item: message }) +
      calls
        .flatMap((item) => [
          say("response.output_item.added", { output_index: 1, item: { ...item, status: "in_progress" } }),
          say("response.output_item.done", { output_index: 1, item }),
        ])
        .join("") +
      say("response.completed", {
        response: { ...response(reply), status: "completed", output: outputOf(reply), usage },
      }),
  };
}

const response = ({ id, model }: Reply) => ({
  id: `resp_${id}`,
  object: "response",
  created_at: 1,
  model,
  output: [],
  parallel_tool_calls: true,
  tools: [],
  tool_choice: "auto",
});

function outputOf({ id, text, call }: Reply): readonly { readonly id: string }[] {
  const status = "completed";
  const message = { id: `msg_${id}`, type: "message", role: "assistant", status, content: [outputText(text)] };
  if (call === null) return [message];
  const said = { status, call_id: `call_${id}`, name: call.name };
  const spoken =
    typeof call.input === "string"
      ? { id: `ctc_${id}`, type: "custom_tool_call", ...said, input: call.input }
      : { id: `fc_${id}`, type: "function_call", ...said, arguments: JSON.stringify(call.input) };
  return [message, spoken];
}

const outputText = (text: string) => ({ type: "output_text", text, annotations: [] });

const usage = {
  input_tokens: USAGE.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.input + USAGE.output,
};
