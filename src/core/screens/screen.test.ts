import { describe, expect, it } from "vitest";
import { readScreen } from "./read-screen.ts";

describe("the scripted agent's screen", () => {
  it.each([
    ["hello\n[ready] >\n\n", { state: "ready", box: "", prompt: null }],
    ["hello\n[ready] > half typed\n", { state: "ready", box: "half typed", prompt: null }],
    ["x\n[working] esc to interrupt", { state: "working", box: null, prompt: null }],
    ["[ready] >\nsomething after it", { state: "unknown", box: null, prompt: null }],
    ["", { state: "unknown", box: null, prompt: null }],
  ])("%j", (text, screen) => expect(readScreen("scripted", text)).toMatchObject(screen));

  it("with a question holds what would be run, and the keys", () => {
    const text = 'May I run this? ask-2 "echo \\"a\\"\\nb"\n  1. Yes\n  2. No\n[permission] press 1 or 2\n';
    expect(readScreen("scripted", text)).toMatchObject({
      state: "waiting",
      box: null,
      prompt: { request: "ask-2", kind: "command", command: 'echo "a"\nb', complete: true, allow: "1", deny: "2" },
    });
  });
  it("with a question that cannot be read is waiting all the same, and has no keys", () => {
    expect(readScreen("scripted", "May I run\n[permission] press 1 or 2")).toMatchObject({
      state: "waiting",
      prompt: null,
    });
  });
});

describe("another program's screen", () => {
  it.each([
    ["user@host:~/project$", "shell"],
    ["~/project ❯", "shell"],
    ["Price: 5$ and more", "unknown"],
    ["> ", "unknown"],
  ])("%j is %s", (text, state) => expect(readScreen("other", text).state).toBe(state));
});

describe("a CLI that has left its pane to a shell", () => {
  it.each(["claude", "codex", "gemini", "opencode", "pi"])("is seen as one: %s", (cli) =>
    expect(readScreen(cli, "bye\nuser@host:~/project$ ").state).toBe("shell"),
  );
});
