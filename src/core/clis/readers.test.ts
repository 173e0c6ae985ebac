import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeReader, controlDialect } from "./claude.ts";
import { codexReader } from "./codex.ts";
import { copilotReader } from "./copilot.ts";
import { type AgentEvent, addUsage, isRateLimit, isWeighty, NO_USAGE } from "./events.ts";
import { geminiReader } from "./gemini.ts";
import { opencodeReader } from "./opencode.ts";
import { eventsDialect } from "./own-dialects.ts";
import { piReader, rpcDialect } from "./pi.ts";

/** Real captures (test/events): every line the CLI printed. */
const linesOf = (name: string): string[] => readFileSync(`test/events/${name}.jsonl`, "utf8").trim().split("\n");

const READERS = {
  claude: claudeReader,
  codex: codexReader,
  copilot: copilotReader,
  gemini: geminiReader,
  opencode: opencodeReader,
  pi: piReader,
  qwen: claudeReader,
} as const;

function readAll(cli: keyof typeof READERS, name: string): AgentEvent[] {
  const read = READERS[cli]();
  return linesOf(`${cli}-${name}`).flatMap(read);
}

const last = (events: readonly AgentEvent[], type: AgentEvent["type"]) =>
  events.findLast((event) => event.type === type);
const usageOf = (events: readonly AgentEvent[]) =>
  events.reduce((sum, event) => (event.type === "usage" ? addUsage(sum, event.usage) : sum), NO_USAGE);

describe("a run that wrote a file", () => {
  it.each([
    ["claude", { input: 2468, output: 112, cached: 200, cost: 0.012152000000000001 }],
    ["codex", { input: 2268, output: 112, cached: 200, cost: null }],
    ["gemini", { input: 2268, output: 112, cached: 200, cost: null }],
    ["opencode", { input: 2268, output: 112, cached: 200, cost: expect.any(Number) }],
    ["pi", { input: 2268, output: 112, cached: 200, cost: expect.any(Number) }],
    ["qwen", { input: 2468, output: 112, cached: 200, cost: null }],
    ["copilot", { input: 0, output: 0, cached: 0, cost: null }],
  ] as const)("of %s says its conversation, its tools, its usage and that it ended well", (cli, usage) => {
    const events = readAll(cli, "write");
    expect(last(events, "session")).toMatchObject({ id: expect.stringMatching(/.{8}/) });
    expect(last(events, "tool.end")).toMatchObject({ ok: true });
    expect(events.filter(({ type }) => type === "tool.start").length).toBe(1);
    expect(usageOf(events)).toEqual(usage);
    expect(last(events, "end")).toEqual({ type: "end", how: "ok", message: expect.stringContaining("FINAL") });
  });
});

describe("a run that was refused by its model's server", () => {
  it.each(["codex", "gemini", "opencode", "pi", "qwen", "copilot"] as const)("of %s ends with an error", (cli) => {
    expect(last(readAll(cli, "401"), "end")).toMatchObject({
      how: "error",
      message: expect.stringMatching(/401|auth/i),
    });
  });

  it("of claude goes on trying, and says so", () => {
    const events = readAll("claude", "401");
    expect(last(events, "end")).toBe(undefined);
    expect(last(events, "retry")).toEqual({ type: "retry", attempt: 8, reason: "authentication_failed" });
  });
});

describe("a run that had to try twice", () => {
  it.each(["claude", "codex", "gemini", "opencode", "pi", "qwen", "copilot"] as const)("of %s ended well", (cli) => {
    expect(last(readAll(cli, "429once"), "end")).toMatchObject({ how: "ok" });
  });
});

describe("claude's control protocol", () => {
  /** The recorded conversation, our side of it taken from the dialect's own words. */
  it("asks, is answered with what it had asked, takes several turns, and is interrupted", () => {
    const dialect = controlDialect();
    const spoken: string[] = dialect.begin("[[bash …]]").map(String);
    const heard: AgentEvent[] = [];
    for (const line of linesOf("claude-stdio")) {
      const { d, o } = JSON.parse(line) as { d: string; o: unknown };
      if (d !== "<") continue;
      for (const event of dialect.hear(JSON.stringify(o)).events) {
        heard.push(event);
        if (event.type === "permission")
          spoken.push(String(dialect.answer(event.request, event.command !== null, "supervisor says no")));
      }
    }
    const asked = heard.filter((event) => event.type === "permission");
    expect(asked.map(({ command }) => command)).toEqual([expect.stringContaining("touch"), null]);
    expect(asked[1]?.text).toMatch(/^Write: .*denied\.txt$/);
    expect(spoken[2]).toContain('"behavior":"allow","updatedInput":{"command":"touch');
    expect(spoken[3]).toContain('"behavior":"deny","message":"supervisor says no"');
    expect(heard.filter((event) => event.type === "end").map(({ how }) => how)).toEqual(["ok", "ok", "aborted"]);
    // The cost it reports is the session's so far.
    expect(usageOf(heard)).toMatchObject({ input: 4936, output: 224, cost: 0.024304000000000003 });
  });

  it("answers nothing that was not asked, and refuses requests it does not know", () => {
    const dialect = controlDialect();
    expect(dialect.answer("made-up", true, "")).toBe(null);
    const { events, reply } = dialect.hear(
      '{"type":"control_request","request_id":"x","request":{"subtype":"mcp_message"}}',
    );
    expect([events, reply]).toEqual([[], expect.stringContaining('"subtype":"error"')]);
  });
});

describe("claude in the middle of its turn", () => {
  const called = (id: string, callback: string) =>
    JSON.stringify({
      type: "control_request",
      request_id: id,
      request: { subtype: "hook_callback", callback_id: callback, input: { hook_event_name: callback } },
    });

  it("waits after a tool and before it stops, and takes a word there, once", () => {
    const dialect = controlDialect();
    expect(String(dialect.begin("x")[0])).toContain(
      '"PostToolUse":[{"matcher":null,"hookCallbackIds":["PostToolUse"]}]',
    );
    expect(dialect.hear(called("1", "PostToolUse"))).toEqual({ events: [], pausePoint: "1" });
    expect(dialect.goOn?.("1", "the word")).toContain(
      '"response":{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"the word"}}',
    );
    expect(dialect.goOn?.("1", "again")).toBe(null);
    dialect.hear(called("2", "Stop"));
    expect(dialect.goOn?.("2", "not yet")).toContain('"response":{"decision":"block","reason":"not yet"}');
    dialect.hear(called("3", "Stop"));
    expect(dialect.goOn?.("3", null)).toContain('"request_id":"3","response":{}');
  });

  it("is answered at no hook that we did not ask for", () => {
    const dialect = controlDialect();
    const { pausePoint, reply } = dialect.hear(called("1", "PreToolUse"));
    expect([pausePoint, reply, dialect.goOn?.("1", "x")]).toEqual([
      undefined,
      expect.stringContaining('"subtype":"error"'),
      null,
    ]);
  });
});

describe("pi's RPC", () => {
  const begun = () => {
    const dialect = rpcDialect();
    dialect.begin("brief");
    return dialect;
  };

  it("knows its conversation, and its end only when nothing follows", () => {
    const dialect = begun();
    expect(dialect.hear('{"type":"response","id":"begin","data":{"sessionId":"s-1"}}').events).toEqual([
      { type: "session", id: "s-1" },
    ]);
    const failing = '{"type":"message_end","message":{"role":"assistant","stopReason":"error","errorMessage":"429"}}';
    dialect.hear(failing);
    expect(dialect.hear('{"type":"agent_end"}').reply).toBe('{"type":"get_state","id":"settled-1"}');
    expect(dialect.hear('{"type":"auto_retry_start","attempt":1,"errorMessage":"429"}').events).toMatchObject([
      { type: "retry" },
    ]);
    expect(dialect.hear('{"type":"response","id":"settled-1"}').events).toEqual([]);
    dialect.hear('{"type":"agent_start"}');
    dialect.hear(
      '{"type":"message_end","message":{"role":"assistant","stopReason":"stop","content":[{"type":"text","text":"done"}]}}',
    );
    dialect.hear('{"type":"agent_end"}');
    expect(dialect.hear('{"type":"response","id":"settled-2"}').events).toEqual([
      { type: "end", how: "ok", message: "done" },
    ]);
    expect(dialect.hear('{"type":"agent_settled"}').events).toEqual([]);
  });

  it("asks by our gate only, and closes other dialogues", () => {
    const dialect = begun();
    const title = JSON.stringify({ tool: "bash", input: { command: "ls" } });
    const ask = (fields: object) => dialect.hear(JSON.stringify({ type: "extension_ui_request", ...fields }));
    expect(ask({ id: "1", method: "select", title }).events).toEqual([
      { type: "permission", request: "1", text: "bash: ls", command: "ls" },
    ]);
    expect(dialect.answer("1", false, "too risky")).toContain('"value":"No: too risky"');
    expect(dialect.answer("1", true, "")).toBe(null);
    expect(ask({ id: "2", method: "select", title: "Trust me?" })).toEqual({
      events: [],
      reply: '{"type":"extension_ui_response","id":"2","cancelled":true}',
    });
  });

  it("waits after a tool, and takes a word there", () => {
    const dialect = begun();
    const pausePoint = { type: "extension_ui_request", id: "7", method: "input", title: '{"pausePoint":true}' };
    expect(dialect.hear(JSON.stringify(pausePoint))).toEqual({ events: [], pausePoint: "7" });
    expect(dialect.goOn?.("7", "the word")).toBe('{"type":"extension_ui_response","id":"7","value":"the word"}');
    expect(dialect.goOn?.("7", null)).toBe(null);
    dialect.hear(JSON.stringify({ ...pausePoint, id: "8" }));
    expect(dialect.goOn?.("8", null)).toBe('{"type":"extension_ui_response","id":"8","cancelled":true}');
  });

  it("takes a last line that was too long to be kept whole for what it is", () => {
    const dialect = begun();
    expect(
      dialect.hear(`{"type":"agent_end","messages":[{"role":"user","content":"${"x".repeat(100)}`).reply,
    ).toContain("get_state");
  });
});

describe("whatever a program prints", () => {
  const dialects = [controlDialect, rpcDialect, eventsDialect];
  it("is read without a throw, and is never an allowed permission or a good end by accident", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.constant('{"type":"result"}'))), (lines) => {
        for (const make of Object.values(READERS)) {
          const ends = lines.flatMap(make()).filter((event) => event.type === "end");
          expect(ends.every(({ how }) => how !== "ok")).toBe(true);
        }
        for (const make of dialects) {
          const dialect = make();
          for (const line of lines) dialect.hear(line);
        }
      }),
    );
  });
});

describe("a model that limits the rate", () => {
  it.each(["claude", "codex", "pi"] as const)("is named as such by %s, once until something else comes", (cli) => {
    const events = readAll(cli, "429once");
    const at = events.findIndex(({ type }) => type === "retry");
    const [retry, next] = events.slice(at);
    expect(retry?.type === "retry" && isRateLimit(retry.reason)).toBe(true);
    if (retry === undefined || next === undefined) throw new Error("nothing follows");
    expect([isWeighty(retry, false), isWeighty(retry, true), isWeighty(next, true)]).toEqual([true, false, true]);
  });
  it("is not every model that has a bad day", () => expect(isRateLimit("overloaded: 529")).toBe(false));
});
