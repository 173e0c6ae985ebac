import { asFields, textAt } from "../text/json-fields.ts";

/** Names under which CLIs give a shell command, and a file, to a tool. */
const COMMANDS = ["command", "cmd", "commands", "script"];
const FILES = ["file_path", "filePath", "path", "absolute_path", "target_file", "notebook_path"];

/**
 * What a tool is to do, for a person to decide on: the command as it stands, or the file, or everything it was given.
 * A command is only what the CLI itself says is one; whatever else is in the input stays visible in the text.
 */
export function requestText(tool: string, input: unknown): { text: string; command: string | null } {
  const fields = asFields(input) ?? {};
  const command = COMMANDS.map((name) => commandOf(fields[name])).find((each) => each !== null) ?? null;
  if (command !== null) return { text: `${tool}: ${command}`, command };
  const file = FILES.map((name) => textAt(fields, name)).find((each) => each !== null) ?? null;
  if (file !== null) return { text: `${tool}: ${file}`, command: null };
  const all = JSON.stringify(input ?? {});
  return { text: all === "{}" ? tool : `${tool}: ${all.slice(0, 2_000)}`, command: null };
}

/** As a text, or as a list of words, which is shown as the shell would need it. */
function commandOf(value: unknown): string | null {
  if (typeof value === "string") return value.slice(0, 64 * 1024);
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string")) return null;
  const [shell, flag, script] = value as string[];
  if (value.length === 3 && /(^|\/)(ba|z|da)?sh$/.test(shell ?? "") && /^-l?c$/.test(flag ?? "")) return script ?? null;
  return (value as string[]).map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}
