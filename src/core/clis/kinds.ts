import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import type { CliKind } from "./kind.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** The coding CLIs we know by name. */
export const KINDS: readonly CliKind[] = [claude, codex, gemini, opencode, pi, qwen, copilot];

export const kindNamed = (name: string): CliKind | null => KINDS.find((kind) => kind.name === name) ?? null;
