import type { Page } from "./page.ts";
import { promptOf } from "./prompt.ts";
import type { Screen } from "./screen.ts";

/** Ours says what it is at on its last line. */
export function readScripted({ lines }: Page): Screen | null {
  const last = lines.at(-1) ?? "";
  const ready = /^\[ready\] >(?: (.*))?$/.exec(last);
  if (ready !== null) return { state: "ready", box: ready[1] ?? "", prompt: null, evidence: last };
  if (last.startsWith("[working]")) return { state: "working", box: null, prompt: null, evidence: last };
  if (!last.startsWith("[permission]")) return null;
  const asked = lines.findLast((line) => line.startsWith("May I run this? ")) ?? "";
  const [, request = "", quoted = ""] = /^May I run this\? (\S+) (".*")$/.exec(asked) ?? [];
  const command = unquote(quoted);
  if (request === "" || command === null) return { state: "waiting", box: null, prompt: null, evidence: last };
  const options = [
    { key: "1", text: "Yes", grants: "once" },
    { key: "2", text: "No", grants: "no" },
  ] as const;
  const prompt = { ...promptOf({ kind: "command", text: command, command, options, complete: true }), request };
  return { state: "waiting", box: null, prompt, evidence: last };
}

function unquote(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
