import { textAt } from "../text/json-fields.ts";

/** What a CLI on a terminal says of itself through its hooks. */
export interface HookWord {
  readonly state: "working" | "waiting" | "ready";
  /** A prompt has just been taken in: typed by us, or by a person. */
  readonly submitted: boolean;
  /** Its own conversation, once there is something in it. */
  readonly session: string | null;
}

const WORKING: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "BeforeTool", "AfterTool"]);
const SUBMITTED: ReadonlySet<string> = new Set(["UserPromptSubmit", "BeforeAgent"]);
const READY: ReadonlySet<string> = new Set(["Stop", "AfterAgent"]);

export const hookEvent = (payload: unknown): string => textAt(payload, "hook_event_name") ?? "";

/**
 * What a hook prints to tell its CLI something, as claude takes it: beside a tool's result, or instead of stopping. Null
 * for events at which nothing can be told.
 */
export function hookReply(event: string, text: string): object | null {
  if (event === "PostToolUse") return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
  return event === "Stop" ? { decision: "block", reason: text } : null;
}

/**
 * A hook's payload, in claude's names (codex's are the same) or gemini's; null for those that say nothing about what it
 * is at. It may be made up by whoever runs as the agent: it decides what we believe of this agent, and nothing else.
 */
export function readHook(payload: unknown): HookWord | null {
  const name = hookEvent(payload);
  const session = conversationId(textAt(payload, "session_id"));
  if (SUBMITTED.has(name)) return { state: "working", submitted: true, session };
  if (WORKING.has(name)) return { state: "working", submitted: false, session };
  if (READY.has(name)) return { state: "ready", submitted: false, session };
  const kind = textAt(payload, "notification_type") ?? "";
  if (name === "Notification" && /permission/i.test(kind)) return { state: "waiting", submitted: false, session };
  return null;
}

/** An id that can be an argument: later it stands on a command line. */
export const conversationId = (id: string | null): string | null =>
  id !== null && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}$/.test(id) ? id : null;
