import { fnv1a64 } from "../text/hash.ts";
import type { Screen, ScreenPrompt } from "./screen.ts";

export type Asked = Omit<ScreenPrompt, "request" | "allow" | "deny">;

/**
 * A question with its identity and its keys. The identity is what is asked and what can be answered, without blanks and
 * gutters: it stays the same when the pane gets another size, or the mark goes to another choice.
 */
export function promptOf(asked: Asked): ScreenPrompt {
  const { command, ...rest } = asked;
  const { kind, text, options } = rest;
  const key = (grants: "once" | "no") => options.find((each) => each.grants === grants && each.key !== "")?.key ?? null;
  const words = [kind, text, ...options.map((each) => each.text)].join("\n");
  return {
    ...rest,
    ...(command && { command }),
    request: fnv1a64(words.replaceAll(/[\s│]/g, "")),
    allow: key("once"),
    deny: key("no"),
  };
}

/** A question that is shown to a person and never answered from here, whatever it offers. */
export const unanswered = (asked: Asked): ScreenPrompt => ({
  ...promptOf({ ...asked, complete: false }),
  allow: null,
  deny: null,
});

export const asking = (state: "waiting" | "trust" | "login", prompt: ScreenPrompt, evidence: string): Screen => ({
  state,
  box: null,
  prompt,
  evidence: evidence.trim(),
});
