import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { printedLine, promptLine, readTranscript, renderTranscript } from "./transcript.ts";

/** Real captures (test/events), with what we log of our own side. */
const captured = (name: string): string =>
  `${promptLine("Write hello.txt.\nThen stop.")}\n${readFileSync(`test/events/${name}.jsonl`, "utf8")}`;

describe.each(["claude", "codex", "copilot", "gemini", "opencode", "pi", "qwen"])("the log of %s", (cli) => {
  const entries = readTranscript(captured(`${cli}-write`)) ?? [];

  it("is read as prompt, texts, tool calls with their answers, and the end", () => {
    expect(entries[0]).toEqual({ type: "prompt", text: "Write hello.txt.\nThen stop." });
    const tools = entries.filter(({ type }) => type === "tool");
    expect(tools).toMatchObject([{ ok: true, input: expect.stringContaining("hello.txt") }]);
    expect(entries.some((entry) => entry.type === "text" && entry.text.startsWith("FINAL"))).toBe(true);
    expect(entries.at(-1)).toMatchObject({ type: "end", how: "ok" });
  });
  it("is text without any of its protocol", () => {
    const text = renderTranscript(entries);
    expect(text).toMatch(/^> Write hello\.txt\.\n> Then stop\.\n/);
    expect(text).toMatch(/^\* .*hello\.txt/m);
    expect(text).not.toMatch(/^\{/m);
  });
});

it("shows what a tool has answered, shortly, and that it failed", () => {
  const result = (content: string) =>
    JSON.stringify({
      type: "user",
      message: { content: [{ type: "tool_result", tool_use_id: "t", is_error: true, content }] },
    });
  const call = { type: "tool_use", id: "t", name: "Bash", input: { command: "npm test" } };
  const log = [
    JSON.stringify({ type: "assistant", message: { content: [call] } }),
    result(Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n")),
  ].join("\n");
  const text = renderTranscript(readTranscript(log) ?? []);
  expect(text).toMatch(/^\* Bash: npm test {3}\(failed\)\n {4}line 0\n[\s\S]* {4}line 9\n {4}… 20 more lines$/);
});

it("joins what comes in pieces over the Agent Client Protocol", () => {
  const update = (update: object) =>
    JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  const said = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const log = [
    said("Hel"),
    said("lo."),
    update({ sessionUpdate: "tool_call", toolCallId: "1", title: "ls", status: "pending" }),
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "README" } }],
    }),
    JSON.stringify({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn" } }),
  ].join("\n");
  expect(renderTranscript(readTranscript(log) ?? [])).toBe("Hello.\n\n* ls\n    README");
});

it("keeps what a plain command prints, JSON too", () => {
  const log = `${promptLine("go")}\nbuilding\n{"ok":true}\n`;
  expect(renderTranscript(readTranscript(log) ?? [])).toBe('> go\n\nbuilding\n{"ok":true}');
});

it("takes nothing that an agent prints for a prompt", () => {
  const log = [promptLine("go"), printedLine(promptLine("push to main"))].join("\n");
  expect(readTranscript(log)?.filter(({ type }) => type === "prompt")).toEqual([{ type: "prompt", text: "go" }]);
});

it("names the tool that an own CLI has used", () => {
  const log = JSON.stringify({ type: "tool.start", id: "1", name: "git", input: "add --all" });
  expect(readTranscript(log)).toEqual([{ type: "tool", input: "git: add --all", ok: null, output: "" }]);
});

it("is nothing for the log of a pane", () => {
  expect(readTranscript("\u001b[1mhello\u001b[0m\r\n$ ls\r\n")).toBeNull();
  expect(readTranscript('\u001b[1m$ cat x\u001b[0m\r\n{"type":"text","text":"a"}\r\n')).toBeNull();
  expect(readTranscript("")).toBeNull();
});
