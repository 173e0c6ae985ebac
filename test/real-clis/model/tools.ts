import { field, listAt, stringAt } from "./read-json.ts";
import type { CallStep } from "./script.ts";

/** A tool as a client offers it. `custom` ones take plain text instead of arguments. */
export interface Tool {
  readonly name: string;
  readonly custom: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

const SHELLS = [
  "bash",
  "run_shell_command",
  "exec_command",
  "shell_command",
  "shell",
  "local_shell",
  "execute_command",
];
const WRITERS = ["write", "write_file", "write_to_file", "create_file", "create", "str_replace_editor"];
const PLANNERS = ["TodoWrite", "todo_write", "write_todos", "update_plan", "TaskCreate", "update_todo"];

/**
 * The call that does the step with what is offered, in the names the client uses for tools and arguments; null when
 * nothing that is offered can do it. `folder` is where the client works, for tools that want absolute paths.
 */
export function callFor(step: CallStep, tools: readonly Tool[], folder: string | null): Call | null {
  switch (step.kind) {
    case "write":
      return write(step.file, step.content, tools, folder);
    case "commit":
      return shell(commitCommand(step.file, step.content), tools);
    case "bash":
      return shell(step.command, tools);
    case "escalate":
      return escalated(shell(step.command, tools), tools);
    case "plan":
      return plan(tools);
  }
}

export function toolFrom(name: string, schema: unknown, custom = false): Tool {
  const properties = (field(schema, "properties") ?? {}) as Readonly<Record<string, unknown>>;
  return { name, custom, properties, required: listAt(schema, "required").map(String) };
}

/** One command, so that one permission and one tool result is all there is of it. */
export const commitCommand = (file: string, content: string): string =>
  [writeCommand(file, content), `git add -- ${quote(file)}`, `git commit -q -m ${quote(`Add ${file}`)}`].join(" && ");

function write(file: string, content: string, tools: readonly Tool[], folder: string | null): Call | null {
  const tool = find(tools, WRITERS);
  if (tool !== null) {
    const path = file.startsWith("/") || folder === null ? file : `${folder}/${file}`;
    const input = {
      [nameOf(tool, ["file_path", "filePath", "path", "absolute_path"])]: path,
      [nameOf(tool, ["content", "contents", "file_text", "text"])]: `${content}\n`,
      ...("command" in tool.properties ? { command: "create" } : {}),
    };
    return { name: tool.name, input: completed(tool, input) };
  }
  const patcher = find(tools, ["apply_patch"]);
  if (patcher === null) return shell(writeCommand(file, content), tools);
  const added = content.split("\n").map((line) => `+${line}`);
  const patch = ["*** Begin Patch", `*** Add File: ${file}`, ...added, "*** End Patch", ""].join("\n");
  return { name: patcher.name, input: patcher.custom ? patch : { [nameOf(patcher, ["input", "patch"])]: patch } };
}

function shell(command: string, tools: readonly Tool[]): Call | null {
  const tool = find(tools, SHELLS);
  if (tool === null) return null;
  if (tool.name === "shell") return { name: tool.name, input: completed(tool, { command: ["bash", "-lc", command] }) };
  const name = nameOf(tool, ["command", "cmd", "commands", "script"]);
  const input = { [name]: typeOf(tool, name) === "array" ? [command] : command };
  const described = "description" in tool.properties ? { description: "A scripted command" } : {};
  return { name: tool.name, input: completed(tool, { ...input, ...described }) };
}

/** Asks to run outside the sandbox, where the client knows how that is asked. */
function escalated(call: Call | null, tools: readonly Tool[]): Call | null {
  const properties = tools.find(({ name }) => name === call?.name)?.properties ?? {};
  if (call === null || typeof call.input === "string" || !("sandbox_permissions" in properties)) return call;
  const asking = { sandbox_permissions: "require_escalated", justification: "May this run outside the sandbox?" };
  return { ...call, input: { ...call.input, ...asking } };
}

function plan(tools: readonly Tool[]): Call | null {
  const tool = find(tools, PLANNERS);
  if (tool === null) return null;
  const items = [
    { text: "Read the code", status: "completed" },
    { text: "Write the fix", status: "in_progress" },
    { text: "Run the tests", status: "pending" },
  ];
  if ("plan" in tool.properties) {
    return { name: tool.name, input: { plan: items.map(({ text, status }) => ({ step: text, status })) } };
  }
  const known = field(tool.properties, "todos", "items", "properties");
  const todos = items.map(({ text, status }, index) => {
    const all = {
      content: text,
      description: text,
      activeForm: text,
      id: String(index + 1),
      priority: "medium",
      status,
    };
    return known === undefined ? all : Object.fromEntries(Object.entries(all).filter(([name]) => field(known, name)));
  });
  return { name: tool.name, input: completed(tool, "todos" in tool.properties ? { todos } : {}) };
}

const writeCommand = (file: string, content: string): string => {
  const folder = file.includes("/") ? `mkdir -p ${quote(file.slice(0, file.lastIndexOf("/")))} && ` : "";
  return `${folder}printf '%s\\n' ${quote(content)} > ${quote(file)}`;
};

/** In the order of our wishes, not of the client's list. */
const find = (tools: readonly Tool[], names: readonly string[]): Tool | null =>
  names.map((name) => tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase())).find(Boolean) ?? null;

const nameOf = (tool: Tool, names: readonly string[]): string =>
  names.find((name) => name in tool.properties) ?? names[0] ?? "";

const typeOf = (tool: Tool, name: string): string => stringAt(tool.properties, name, "type");

/** What is required besides gets a value of its type, so that the client does not refuse the call for its form. */
function completed(tool: Tool, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const missing = tool.required.filter((name) => !(name in input));
  return { ...Object.fromEntries(missing.map((name) => [name, filler(typeOf(tool, name))])), ...input };
}

function filler(type: string): unknown {
  if (type === "boolean") return false;
  if (type === "number" || type === "integer") return 10_000;
  return type === "array" ? [] : "scripted";
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
