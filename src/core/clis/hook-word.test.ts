import { expect, it } from "vitest";
import { conversationId, readHook } from "./hook-word.ts";

it.each([
  ["UserPromptSubmit", undefined, { state: "working", submitted: true }],
  ["BeforeAgent", undefined, { state: "working", submitted: true }],
  ["PreToolUse", undefined, { state: "working", submitted: false }],
  ["AfterTool", undefined, { state: "working", submitted: false }],
  ["Notification", "permission_prompt", { state: "waiting" }],
  ["Notification", "ToolPermission", { state: "waiting" }],
  ["Notification", "idle_prompt", null],
  ["Stop", undefined, { state: "ready" }],
  ["AfterAgent", undefined, { state: "ready" }],
  ["SessionStart", undefined, null],
  ["SessionEnd", undefined, null],
  ["something new", undefined, null],
])("understands %s (%s)", (hook_event_name, notification_type, expected) => {
  const word = readHook({ hook_event_name, notification_type, session_id: "c-1" });
  if (expected === null) expect(word).toBe(null);
  else expect(word).toMatchObject({ ...expected, session: "c-1" });
});

it.each([null, 1, "x", [], {}, { hook_event_name: 1 }])("takes %j for nothing", (payload) =>
  expect(readHook(payload)).toBe(null),
);

it.each(["--yolo", "", " x", "a b", "a\nb", `a${"x".repeat(300)}`])("does not take %j for a conversation", (id) =>
  expect(conversationId(id)).toBe(null),
);
