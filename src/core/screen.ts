/** What a pane shows, as far as it can be told from its text. Unknown is never ready. */
export interface Screen {
  readonly state: ScreenState;
  /** What stands in the input box; null where there is none to be seen. */
  readonly box: string | null;
  readonly prompt: ScreenPrompt | null;
}

export type ScreenState = "ready" | "working" | "waiting" | "shell" | "unknown";

/** A question the program asks on its screen, with the key for each answer. */
export interface ScreenPrompt {
  readonly request: string;
  readonly command: string;
  readonly allow: string;
  readonly deny: string;
}

const UNKNOWN: Screen = { state: "unknown", box: null, prompt: null };

/** Reads a captured screen. CLIs that nobody described yet are `unknown`, but a bare shell is known everywhere. */
export function readScreen(cli: string, text: string): Screen {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const last = lines.findLast((line) => line !== "") ?? "";
  if (cli === "scripted") return readScripted(lines, last);
  return isShell(last) ? { ...UNKNOWN, state: "shell" } : UNKNOWN;
}

/** Ours says what it is at on its last line. */
function readScripted(lines: readonly string[], last: string): Screen {
  const ready = /^\[ready\] >(?: (.*))?$/.exec(last);
  if (ready !== null) return { state: "ready", box: ready[1] ?? "", prompt: null };
  if (last.startsWith("[working]")) return { state: "working", box: null, prompt: null };
  if (!last.startsWith("[permission]")) return UNKNOWN;
  const asked = lines.findLast((line) => line.startsWith("May I run this? "));
  const [, request = "", command = ""] = /^May I run this\? (\S+) (".*")$/.exec(asked ?? "") ?? [];
  const prompt = request === "" ? null : { request, command: unquote(command), allow: "1", deny: "2" };
  return { state: "waiting", box: null, prompt };
}

function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

const isShell = (line: string): boolean => /(^|[\w~\])}/:. -])[$#%❯➜]$/.test(line) && line.length < 120;
