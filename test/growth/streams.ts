import { paneLines, readPane } from "../../src/adapters/tmux/read-panes.ts";
import { ReplyReader } from "../../src/adapters/tmux/reply-reader.ts";
import { readPermission, readUpdate, readUsage } from "../../src/core/clis/acp.ts";
import { readHook } from "../../src/core/clis/hook-word.ts";
import { KINDS } from "../../src/core/clis/kinds.ts";
import { eventsDialect, plainDialect } from "../../src/core/clis/own-dialects.ts";
import { isOwnWord } from "../../src/core/clis/own-word.ts";
import { requestText } from "../../src/core/clis/request-text.ts";
import { pickAnswer } from "../../src/core/epic/decide/pick-answer.ts";
import { LineCutter } from "../../src/core/text/lines.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const TYPES =
  "assistant user result message text tool_use item.completed control_request extension_ui_request message_end permission tool.start plan".split(
    " ",
  );

/** One line as each kind of event, with the text where most of them have theirs, and in one place of its own each. */
const lines = (text: string): string[] => {
  const quoted = JSON.stringify(text);
  return TYPES.map(
    (type, i) =>
      `{"type":"${type}","role":"assistant","method":"select",${PLACES[i % PLACES.length]?.replace("TEXT", () => quoted)}}`,
  );
};

const PLACES = [
  '"id":TEXT',
  '"text":TEXT',
  '"request":TEXT',
  '"session_id":TEXT',
  '"content":TEXT',
  '"title":TEXT',
  '"message":{"role":"assistant","content":[{"type":"text","text":TEXT}]}',
  '"message":{"content":[{"type":"tool_use","name":"x","input":{"command":TEXT}}]}',
  '"item":{"type":"agent_message","text":TEXT}',
  '"part":{"text":TEXT}',
  '"data":{"toolName":"x","arguments":{"other":TEXT}}',
];

const dialects = [
  ...KINDS.flatMap((kind) =>
    kind.channels.flatMap((channel) =>
      "dialect" in channel ? [[`${kind.name} ${channel.name}`, channel.dialect] as const] : [],
    ),
  ),
  ["our own events", eventsDialect] as const,
  ["plain", plainDialect] as const,
];

export const STREAMS: readonly Parser[] = [
  {
    name: "tmux: control mode",
    run: (text) => {
      const [cutter, reader] = [new LineCutter(1024 * 1024), new ReplyReader()];
      return [...cutter.push(text), ...cutter.end()].map((line) => reader.read(line));
    },
    begins: ["%begin 1 1 1\n", "%begin 1 1 0\n", "%exit "],
  },
  { name: "tmux: panes", run: (text) => paneLines(text.split("\n")).map(readPane), begins: ["%1<|banksman|>"] },
  ...dialects.map(([name, dialect]) => ({
    name: `events: ${name}`,
    run: (text: string) => {
      const hears = dialect();
      return [text, ...lines(text)].map((line) => hears.hear(line));
    },
    begins: ['{"type":"', '{"type":"agent_end"'],
    shapes: {
      "deep JSON": repeated('{"a":', '{"type":"result","a":'),
      "many parts": numbered(
        (i) => `{"type":"text","text":"${i}"},`,
        '{"type":"assistant","message":{"content":[',
        "{}]}}",
      ),
      "many keys": numbered((i) => `"k${i}":1,`, '{"type":"result",', '"z":1}'),
    },
  })),
  {
    name: "events: many lines",
    run: (text) => {
      const all = dialects.map(([, dialect]) => dialect());
      return text.split("\n").map((line, i) => all[i % all.length]?.hear(line));
    },
    shapes: Object.fromEntries(
      ["control_request", "extension_ui_request", "message", "tool_use", "result"].map((type) => [
        type,
        numbered(
          (i) =>
            `{"type":"${type}","id":"${i}","request_id":"${i}","request":{"subtype":"can_use_tool"},"method":"select","title":"{\\"tool\\":\\"x\\"}","content":"a","role":"assistant"}\n`,
        ),
      ]),
    ),
  },
  {
    name: "events: ACP",
    run: (text) => [
      ...["agent_message_chunk", "tool_call", "plan", "usage_update"].map((kind) =>
        readUpdate({
          sessionUpdate: kind,
          toolCallId: text,
          title: text,
          content: { text },
          entries: [{ content: text }],
        }),
      ),
      readPermission("r", {
        toolCall: { title: text, rawInput: { command: text }, locations: text.split("\n").map((path) => ({ path })) },
      }),
      readUsage({ usage: { inputTokens: text } }),
    ],
  },
  {
    name: "events: a hook's word",
    run: (text) => readHook({ hook_event_name: text, session_id: text, notification_type: text }),
    begins: ["permission"],
  },
  {
    name: "events: a request",
    run: (text) => [
      requestText("x", { command: text }),
      requestText("x", { command: text.split(" ") }),
      requestText(text, { y: text }),
    ],
  },
  { name: "events: our own command", run: isOwnWord, begins: ["banksman say", "banksman say "] },
  {
    name: "events: the answer among them",
    run: (text) => pickAnswer(text.split("\n").map((each) => ({ type: "text", text: each }) as const)),
  },
];
