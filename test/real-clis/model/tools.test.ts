import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { GIT_ENV, TempRepository } from "../../git-repository.ts";
import type { CallStep } from "./script.ts";
import { callFor, commitCommand, type Tool, toolFrom } from "./tools.ts";

const tool = (name: string, properties: Record<string, string>, required = Object.keys(properties)): Tool =>
  toolFrom(name, {
    properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
    required,
  });

const write: CallStep = { kind: "write", file: "a.txt", content: "hi" };
const bash: CallStep = { kind: "bash", command: "ls" };

describe("calls tools by the names the client gives them", () => {
  it.each([
    [tool("Write", { file_path: "string", content: "string" }), { file_path: "/w/a.txt", content: "hi\n" }],
    [tool("write", { filePath: "string", content: "string" }), { filePath: "/w/a.txt", content: "hi\n" }],
    [tool("create", { path: "string", file_text: "string" }), { path: "/w/a.txt", file_text: "hi\n" }],
  ])("writes with $name", (writer, input) => {
    expect(callFor(write, [writer], "/w")).toEqual({ name: writer.name, input });
  });

  it.each([
    [tool("Bash", { command: "string", description: "string" }), { command: "ls", description: "A scripted command" }],
    [tool("exec_command", { cmd: "string", tty: "boolean" }), { cmd: "ls", tty: false }],
    [tool("shell", { command: "array" }), { command: ["bash", "-lc", "ls"] }],
  ])("runs with $name", (runner, input) => {
    expect(callFor(bash, [runner], null)).toEqual({ name: runner.name, input });
  });

  it("patches where files are patched, and writes by shell where there is nothing else", () => {
    const patch = "*** Begin Patch\n*** Add File: a.txt\n+hi\n*** End Patch\n";
    expect(callFor(write, [toolFrom("apply_patch", {}, true)], "/w")?.input).toBe(patch);
    expect(callFor(write, [tool("apply_patch", { input: "string" })], "/w")?.input).toEqual({ input: patch });
    expect(callFor(write, [tool("shell_command", { command: "string" })], "/w")?.input).toEqual({
      command: "printf '%s\\n' 'hi' > 'a.txt'",
    });
  });

  it("asks for escalation where the client knows it", () => {
    const runner = tool("exec_command", { cmd: "string", sandbox_permissions: "string" }, ["cmd"]);
    expect(callFor({ kind: "escalate", command: "ls" }, [runner], null)?.input).toMatchObject({
      cmd: "ls",
      sandbox_permissions: "require_escalated",
    });
  });

  it("plans in the client's form", () => {
    expect(callFor({ kind: "plan" }, [tool("update_plan", { plan: "array" })], null)?.input).toMatchObject({
      plan: [{ step: "Read the code", status: "completed" }, {}, {}],
    });
    expect(callFor({ kind: "plan" }, [tool("TodoWrite", { todos: "array" })], null)?.input).toMatchObject({
      todos: [{ content: "Read the code", status: "completed" }, {}, {}],
    });
  });

  it("calls nothing that is not offered", () => {
    expect(callFor(bash, [tool("Read", { path: "string" })], null)).toBe(null);
    expect(callFor(bash, [], null)).toBe(null);
  });
});

it("commits in one command, whatever the name and the text are", () => {
  const repo = new TempRepository();
  try {
    execFileSync("sh", ["-c", commitCommand("a b/it's.txt", "don't\n$HOME")], { cwd: repo.root, env: GIT_ENV });
    expect(repo.git("show", "HEAD:a b/it's.txt")).toBe("don't\n$HOME");
    expect(repo.git("status", "--porcelain")).toBe("");
  } finally {
    repo.dispose();
  }
});
