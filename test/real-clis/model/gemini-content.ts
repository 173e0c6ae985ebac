import { type Asked, type Dialect, event, type Reply, type Stream, USAGE } from "./dialect.ts";
import { field, listAt, stringAt } from "./read-json.ts";
import type { Entry } from "./script.ts";
import { toolFrom } from "./tools.ts";

/** Gemini's `models/…:generateContent` and `…:streamGenerateContent`. */
export const geminiContent: Dialect = {
  api: "gemini",
  matches: (path) => /:(generateContent|streamGenerateContent)$/.test(path),
  read,
  whole: (reply) => last(reply, [{ text: reply.text }, ...calls(reply)]),
  stream,
  failure: (code, message) => ({ error: { code, message, status: statusName(code) } }),
};

function read(body: unknown, path: string): Asked {
  const schema = field(body, "generationConfig", "responseJsonSchema");
  return {
    entries: listAt(body, "contents")
      .filter((each) => field(each, "role") !== "model")
      .flatMap((each) => listAt(each, "parts").map(entryOf)),
    tools: listAt(body, "tools")
      .flatMap((each) => listAt(each, "functionDeclarations"))
      .map((each) =>
        toolFrom(stringAt(each, "name"), field(each, "parameters") ?? field(each, "parametersJsonSchema")),
      ),
    model: /models\/([^:/]+):/.exec(path)?.[1] ?? "",
    streamed: path.endsWith(":streamGenerateContent"),
    schema: schema ?? field(body, "generationConfig", "responseSchema"),
  };
}

function entryOf(part: unknown): Entry {
  const answer = field(part, "functionResponse", "response");
  return answer === undefined
    ? { from: "user", text: stringAt(part, "text") }
    : { from: "tool", text: JSON.stringify(answer) };
}

function stream(reply: Reply): Stream {
  return {
    opening: () => "",
    piece: (text) =>
      event({ candidates: [{ index: 0, content: { role: "model", parts: [{ text }] } }], modelVersion: reply.model }),
    closing: () => event(last(reply, reply.call === null ? [{ text: "" }] : calls(reply))),
  };
}

const last = ({ model }: Reply, parts: readonly object[]) => ({
  candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
  usageMetadata: {
    promptTokenCount: USAGE.input,
    candidatesTokenCount: USAGE.output,
    totalTokenCount: USAGE.input + USAGE.output,
  },
  modelVersion: model,
});

const calls = ({ id, call }: Reply) =>
  call === null ? [] : [{ functionCall: { id: `call_${id}`, name: call.name, args: call.input } }];

function statusName(code: number): string {
  const names: Readonly<Record<number, string>> = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
    529: "UNAVAILABLE",
  };
  return names[code] ?? "INTERNAL";
}
