import { describe, expect, it } from "vitest";
import type { TerminalOrder } from "./kind.ts";
import { kindNamed } from "./kinds.ts";

const ORDER: TerminalOrder = {
  ...{ approval: "manual", conversation: null, fresh: "f-1", folder: "/state/agents/a" },
  ...{ git: [], hook: "banksman hook" },
};
const terminal = (cli: string, conversation: string | null) => {
  const prepared = kindNamed(cli)?.terminal({ ...ORDER, conversation });
  return { line: prepared?.args.join(" ") ?? "", begins: prepared?.begins, keepsIn: prepared?.keepsIn };
};

describe("a conversation on a terminal", () => {
  it("is begun by pi in a file of ours, and continued from it", () => {
    expect(terminal("pi", null)).toMatchObject({
      line: expect.stringContaining("--session /state/agents/a/f-1.jsonl"),
      begins: "f-1",
    });
    expect(terminal("pi", "c-1")).toMatchObject({
      line: expect.stringContaining("--session /state/agents/a/c-1.jsonl"),
      begins: undefined,
      keepsIn: "c-1.jsonl",
    });
  });
  it("is begun by gemini under an id of ours, and continued by it", () => {
    expect(terminal("gemini", null)).toMatchObject({
      line: expect.stringContaining("--session-id f-1"),
      begins: "f-1",
    });
    expect(terminal("gemini", "c-1")).toMatchObject({
      line: expect.stringContaining("--resume c-1"),
      begins: undefined,
    });
  });
  it.each([
    ["claude", "--resume c-1"],
    ["codex", "resume c-1"],
    ["opencode", "-s c-1"],
  ])("is chosen by %s, which says through a hook which it is, or never", (cli, line) => {
    expect(terminal(cli, null).begins).toBe(undefined);
    expect(terminal(cli, "c-1").line).toContain(line);
  });
});
