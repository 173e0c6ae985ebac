import { claude } from "./claude.ts";
import type { Cli } from "./cli.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import type { Environment } from "./environment.ts";
import { gemini } from "./gemini.ts";
import type { CliKind } from "./kind.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** The coding CLIs we know by name. */
export const KINDS: readonly CliKind[] = [claude, codex, gemini, opencode, pi, qwen, copilot];

export const kindNamed = (name: string): CliKind | null => KINDS.find((kind) => kind.name === name) ?? null;

/** The variables of the user's environment that a CLI gets besides the common ones: its kind's, and those its config names. */
export function variablesOf({ protocol, env }: Pick<Cli, "protocol" | "env">, user: Environment): string[] {
  const kind = kindNamed(protocol);
  const switched = Object.entries(kind?.envWhere ?? {}).filter(([name]) => !OFF.has((user[name] ?? "").toLowerCase()));
  return [...(kind?.env ?? []), ...switched.flatMap(([, names]) => names), ...env];
}

const OFF: ReadonlySet<string> = new Set(["", "0", "false", "no", "off"]);
