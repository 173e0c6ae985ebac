import { type After, atBox } from "./at-box.ts";
import { type Menu, markedMenu, numberedMenu, optionsOf, walkTo, withEscape } from "./menu.ts";
import { columns, isHint, isRule, type Page } from "./page.ts";
import { joinRows } from "./passage.ts";
import { type Asked, asking, promptOf, unanswered } from "./prompt.ts";
import type { Screen } from "./screen.ts";

/**
 * Claude Code, as 2.1 draws it: an input box between two rules at the left edge with a footer below, or a dialog in
 * their place. What it and its tools say is indented or begins with a bullet, so nothing of it can be a rule.
 */
export function readClaude(page: Page): Screen | null {
  return readBox(page) ?? readDialog(page) ?? readFailure(page);
}

const MOST_FOOTER_LINES = 5;

function readBox(page: Page): Screen | null {
  const { lines } = page;
  const bottom = lines.findLastIndex((line) => isRule(line));
  const footer = lines.slice(bottom + 1).filter((line) => line !== "");
  if (bottom < 2 || footer.length > MOST_FOOTER_LINES || footer.some((line) => !line.startsWith("  "))) return null;
  let first = bottom - 1;
  while (first > 0 && /^(\s|$)/.test(lines[first] ?? "")) first--;
  const top = lines[first - 1] ?? "";
  const [, mode = ""] = /^([❯>!#])(\s|$)/.exec(lines[first] ?? "") ?? [];
  if (mode === "" || columns(top) !== columns(lines[bottom] ?? "") || !/^─{3}/.test(top)) return null;

  const above = lines.slice(0, first - 1);
  return atBox(boxText(page, first, bottom, mode), {
    working: footer.find((line) => line.includes("esc to interrupt")) ?? spinner(above),
    login: footer.find((line) => line.includes("Not logged in")),
    after: afterTurn(above),
    ready: lines[first] ?? "",
  });
}

/** Modes other than the prompt's stay visible: what is typed into `!` is run by a shell. */
function boxText(page: Page, first: number, bottom: number, mode: string): string {
  const rows = page.lines.slice(first, bottom).map((line) => line.slice(2));
  const text = rows.join("\n").trim();
  if (mode !== "❯" && mode !== ">") return `${mode}${text}`;
  const hint = isHint(page, first, 2) ?? /^Try "/.test(text);
  return hint && rows.slice(1).every((row) => row === "") ? "" : text;
}

/** The line that says it is at work. Right after a paste the footer has other words, and this is all there is. */
function spinner(above: readonly string[]): string | undefined {
  for (let i = above.length - 1; i >= 0 && above.length - i < 30; i--) {
    const line = above[i] ?? "";
    if (/^[·✢✳✶✻✽*] .*(…|Retrying in)/.test(line)) return line;
    if (/^\S/.test(line)) return undefined;
  }
  return undefined;
}

function afterTurn(above: readonly string[]): After | null {
  const last = above.findLastIndex((line) => /^\S/.test(line));
  const line = above[last] ?? "";
  if (!/^[✢✳✶✻✽*] \S+ for \d/.test(line)) return null;
  const said = above.slice(0, last).findLast((each) => /^[●⏺❯>]/.test(each)) ?? "";
  return /^[●⏺] API Error\b/.test(said) ? ["error", said] : ["done", line];
}

/** What stands in the place of the box: choices at the end, a rule and a title at the beginning. */
function readDialog({ lines }: Page): Screen | null {
  const last = lines.length - 1;
  const keys = /^ {0,3}(Enter to|Esc to|Tab to|↑).*\b(cancel|confirm|select)\b/.test(lines[last] ?? "");
  let end = keys ? last : last + 1;
  while (end > 0 && lines[end - 1] === "") end--;
  const menu = numberedMenu(lines, end) ?? (keys ? markedMenu(lines, end) : null);
  if (menu === null) return keys ? { state: "waiting", box: null, prompt: null, evidence: lines[last] ?? "" } : null;
  const top = lines.slice(0, menu.from).findLastIndex((line) => isRule(line) || isRule(line, "▔"));
  // Without its keys below, only the rule above tells a dialog from what somebody has printed.
  if (!keys && top < 0) return null;
  const body = lines.slice(top + 1, menu.from);
  const numbered = numberedMenu(lines, end) !== null;
  const options = optionsOf(menu.choices, ({ number }, i) =>
    numbered ? String(number) : walkTo(menu.choices, i, "Up", "Down"),
  );
  const text = shown(body);
  const state = standing(body, menu);
  if (state !== null)
    return asking(state, unanswered({ kind: "other", text, options, complete: false }), marked(lines, menu));
  const asked = { ...permission(body, top < 0 ? null : (lines[top] ?? "")), text };
  // Its other questions have numbers, too, but their answers are words, and refusing is none of them.
  const cut = numbered && options.some(({ grants }) => grants === "once");
  const prompt = numbered
    ? promptOf({ ...asked, options: cut ? withEscape(options, lines[last] ?? "") : options })
    : unanswered({ ...asked, options });
  return asking("waiting", prompt, question(body));
}

/** Dialogs before the first prompt: it preselects "No, exit" in them, and nothing is ever pressed there by us. */
function standing(body: readonly string[], { choices }: Menu): "trust" | "login" | null {
  const offers = (words: RegExp) => choices.some((each) => words.test(each.text));
  if (offers(/^Yes, I trust\b|^Yes, I accept$/) && offers(/^No\b/)) return "trust";
  const asks = [body.find((line) => line !== "") ?? "", question(body)].join("\n");
  if (/Accessing workspace|trust the files in this folder/.test(asks)) return "trust";
  return /custom API key in your environment|Select login method|Choose the text style/.test(asks) ? "login" : null;
}

function permission(body: readonly string[], rule: string | null): Omit<Asked, "text" | "options"> {
  const [title = "", subject = ""] = rule === null ? [] : body.map((line) => line.trim()).filter((line) => line !== "");
  const dashes = body.flatMap((line, i) => (isRule(line, "╌") && line.length === rule?.length ? [i] : []));
  const [from = 0, to = 0] = dashes;
  const whole = dashes.length === 2 && to > from + 1 && /^ Do you want to .*\?$/.test(question(body));
  const rows = body.slice(from + 1, to);
  if (/^Bash command\b/.test(title)) {
    if (!whole) return { kind: "command", complete: false };
    const { text, complete } = joinRows(withoutGutter(rows), (rule ?? "").length - 2);
    return { kind: "command", command: text, complete };
  }
  if (/^(Edit|Create|Overwrite|Write|Update|Delete) (file|notebook)$/.test(title))
    return { kind: "edit", path: subject, complete: whole && from === 2 && !/…|\s{2}/.test(subject) };
  if (title === "Fetch") return { kind: "fetch", complete: whole && joinRows(rows.slice(0, 1), 0).complete };
  return { kind: title === "Tool use" && /\(MCP\)$/.test(subject) ? "mcp" : "other", complete: false };
}

/** Several lines have a bar before each of them, which keeps them apart from the dialog around them. */
function withoutGutter(rows: readonly string[]): string[] {
  const bars = rows.length > 1 && rows.every((row) => /^ │( |$)/.test(row));
  return rows.map((row) => row.slice(bars ? 3 : 1));
}

/** What a person is shown of it: without rules, tips, and the question that is always the same. */
const shown = (body: readonly string[]): string =>
  body
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "" && !/^[─╌▔]+$/.test(line.trim()) && !line.startsWith(" Tip: "))
    .map((line) => line.replace(/^ {1,3}/, ""))
    .join("\n");

const question = (body: readonly string[]): string => body.findLast((line) => line !== "") ?? "";

const marked = (lines: readonly string[], { from, choices }: Menu): string =>
  lines[from + choices.findIndex((each) => each.marked)] ?? "";

/** It could not even begin; it ends by itself then. */
function readFailure({ lines }: Page): Screen | null {
  const line = lines.find((each) =>
    /^ ?(Unable to connect to Anthropic services|Failed to connect to api\.)/.test(each),
  );
  const titled = lines.some((each) => /^Welcome to Claude Code v/.test(each));
  return line === undefined || !titled ? null : { state: "error", box: null, prompt: null, evidence: line.trim() };
}
