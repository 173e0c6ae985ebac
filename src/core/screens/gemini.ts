import { type After, atBox } from "./at-box.ts";
import { numberedMenu, optionsOf } from "./menu.ts";
import { isHint, isRule, type Page } from "./page.ts";
import { joinRows } from "./passage.ts";
import { type Asked, asking, promptOf, unanswered } from "./prompt.ts";
import type { Screen } from "./screen.ts";

/**
 * Gemini CLI, as 0.61 draws it: a rule, its approval mode, ` > ` with what is typed, and two lines with workspace and
 * model; or a frame with choices. With 24-bit colour the box has edges of half blocks, without it there are none. A
 * redraw may leave those last two lines twice.
 */
export function readGemini(page: Page): Screen | null {
  return readFrame(page) ?? readBox(page);
}

const HINT = "Type your message or @path/to/file";
const FOOTER = /^ workspace(?: \(\/directory\))? {2,}\S/;

function readBox(page: Page): Screen | null {
  const { lines } = page;
  let footer = lines.length - 2;
  if (!FOOTER.test(lines[footer] ?? "")) return null;
  while (footer >= 2 && FOOTER.test(lines[lastShown(lines, footer - 1) - 1] ?? ""))
    footer = lastShown(lines, footer - 1) - 1;
  const rule = lines.slice(0, footer).findLastIndex((line) => isRule(line));
  const first = lines.findIndex((line, i) => i > rule && i < footer && /^ [>!*]( |$)/.test(line));
  // In a low pane a box full of text leaves no room for the rule, nor for anything else.
  if (first < 0 || (rule < 0 && lines.slice(0, first).some((line) => line !== ""))) return null;
  const rows = lines.slice(first, footer).filter((line) => !/^▀+$/.test(line));
  if (rows.slice(1).some((line) => !/^( {3}|$)/.test(line))) return null;
  const text = rows
    .map((line) => line.slice(3))
    .join("\n")
    .trim();
  const mode = (lines[first] ?? "").slice(1, 2);
  const hint = isHint(page, first, 2) ?? text === HINT;
  const box = hint || text === HINT ? "" : text;
  if (rule < 0 && box === "") return null;
  const above = lines.slice(0, Math.max(0, rule));
  // What is typed after `!` is run by a shell.
  return atBox(mode === "!" ? `!${box}` : box, {
    working: above.slice(-4).find((line) => /\(esc to cancel(, |\))/.test(line)),
    after: afterTurn(above),
    ready: lines[first] ?? "",
  });
}

const lastShown = (lines: readonly string[], from: number): number => {
  let at = from;
  while (at > 0 && lines[at] === "") at--;
  return at;
};

function afterTurn(above: readonly string[]): After | null {
  const turn = above.slice(above.findLastIndex((line) => /^ > \S/.test(line)) + 1);
  const failed = turn.findLast((line) => /^✕ /.test(line));
  if (failed !== undefined) return ["error", failed];
  const said = turn.findLast((line) => /^✦ /.test(line));
  return said === undefined || turn.length === above.length ? null : ["done", said];
}

const withoutEdges = (row: string): string => {
  const text = row.replace(/^│ ?/, "");
  return text.endsWith("│") ? text.slice(0, -1).trimEnd() : text;
};

/** A frame at the end of the page, without what is around it; null when there is none, or its upper edge is not seen. */
function frameAt(lines: readonly string[]): { rows: readonly string[]; whole: boolean } | null {
  let bottom = lines.length - 1;
  // In a low pane a line about lines that are hidden stands below.
  if (/^ +Press Ctrl\+O to show more lines$/.test(lines[bottom] ?? "")) bottom--;
  if (!/^ ?╰─+╯$/.test(lines[bottom] ?? "")) return null;
  let top = bottom;
  while (top > 0 && /^ ?│.*│$/.test(lines[top - 1] ?? "")) top--;
  const rows = lines.slice(top, bottom).map((line) => withoutEdges(line.trim()));
  return { rows, whole: /^ ?╭─+╮$/.test(lines[top - 1] ?? "") };
}

function readFrame({ lines }: Page): Screen | null {
  const frame = frameAt(lines);
  if (frame === null) return null;
  const { rows, whole } = frame;
  let end = rows.length;
  while (end > 0 && rows[end - 1] === "") end--;
  const auth = rows.findIndex((row) => /^ *How would you like to authenticate/.test(row));
  const list = auth < 0 ? end : rows.findIndex((row, i) => i > auth + 1 && row === "");
  const menu = numberedMenu(rows, list);
  if (menu === null) return null;
  const options = optionsOf(menu.choices, ({ number }) => String(number));
  const body = rows.slice(0, menu.from);
  const asks = body.findLast((row) => row !== "") ?? "";
  const other = { kind: "other", text: shown(body), options, complete: false } as const;
  if (menu.choices.some(({ text }) => /^Trust folder\b/.test(text)))
    return asking("trust", unanswered(other), body.find((row) => row.endsWith("?")) ?? asks);
  if (auth >= 0) return asking("login", unanswered(other), rows[auth] ?? "");
  const width = (lines.findLast((line) => line.startsWith("╰")) ?? "").length;
  return asking("waiting", promptOf({ ...permission(body, whole, width), options }), question(body) ?? asks);
}

/** For a person: without the frame around it. */
const shown = (body: readonly string[]): string =>
  body
    .filter((row) => row !== "" && !/^[╭╰]─+[╮╯]$/.test(row))
    .map((row) => (row.startsWith("│ ") && row.endsWith("│") ? withoutEdges(row) : row))
    .join("\n")
    .trim();

const question = (body: readonly string[]): string | undefined => body.findLast((row) => row.endsWith("?"));

/** The tool is named in the first row; what it is about to do has a frame of its own. */
function permission(body: readonly string[], whole: boolean, width: number): Omit<Asked, "options"> {
  const text = shown(body);
  const [, tool = "", about = ""] = /^\? {1,2}(\S+) +(.*)$/.exec(body.find((row) => row.startsWith("?")) ?? "") ?? [];
  const first = body.find((row) => row !== "") ?? "";
  const named = whole && (first.startsWith("? ") || first === "Action Required");
  const hidden = body.some((row) => /^(│ )?\.\.\. .*hidden/.test(row));
  const top = body.findLastIndex((row) => /^╭─+╮$/.test(row));
  const bottom = body.findLastIndex((row) => /^╰─+╯$/.test(row));
  const inner = body.slice(top + 1, bottom).map(withoutEdges);
  if (question(body) === "Allow execution of [Shell]?") {
    if (top < 0 || bottom < top || tool !== "Shell") return { kind: "command", text, complete: false };
    const { text: command, complete } = joinRows(inner, width - 8);
    return { kind: "command", text, command, complete: complete && named && !hidden };
  }
  const [, path = ""] = /^Writing to (.+)$/.exec(about) ?? /^(.+?)(?:: | => |$)/.exec(about) ?? [];
  if (/^(WriteFile|Edit|Replace)$/.test(tool))
    return { kind: "edit", text, path, complete: named && !hidden && !/…|\.\.\./.test(path) && path !== "" };
  if (tool === "WebFetch") return { kind: "fetch", text, complete: named && !hidden && !text.includes("…") };
  return { kind: (first + about).includes("MCP") ? "mcp" : "other", text, complete: false };
}
