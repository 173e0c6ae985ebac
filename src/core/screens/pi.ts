import { type After, atBox } from "./at-box.ts";
import { markedMenu, optionsOf, walkTo } from "./menu.ts";
import { isRule, type Page } from "./page.ts";
import { joinRows } from "./passage.ts";
import { type Asked, asking, promptOf } from "./prompt.ts";
import type { Screen } from "./screen.ts";

/**
 * pi, as 0.74 and 0.87 draw it: what is typed between two rules, with its folder and its figures below. It never asks by
 * itself; an extension's question stands in the place of the box, and our own gate asks in words we know.
 */
export function readPi(page: Page): Screen | null {
  const { lines } = page;
  const bottom = lines.findLastIndex((line) => isRule(line) || isLabelled(line));
  const footer = lines.slice(bottom + 1);
  const figures = footer.find((line) => /\d%\/|\?\/\d/.test(line));
  if (bottom < 1 || figures === undefined || footer.length > 5 || footer[0] === "") return null;
  return readQuestion(lines, bottom) ?? readBox(lines, bottom, figures);
}

/** A rule that says something: what is above the rows that are shown, or that it is at work. */
const isLabelled = (line: string): boolean => /^─{2,} \S.* ─{2,}$/.test(line);

const SPINNER = /^(?:─+)? ?[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /;

function readBox(lines: readonly string[], bottom: number, figures: string): Screen | null {
  const top = lines.slice(0, bottom).findLastIndex((line) => isRule(line) || isLabelled(line));
  if (top < 0) return null;
  const box = lines
    .slice(top + 1, bottom)
    .join("\n")
    .trim();
  const above = lines.slice(0, top).filter((line) => line !== "");
  return atBox(box, {
    working: [above.at(-1) ?? "", lines[top] ?? ""].find((line) => SPINNER.test(line)),
    login: /%\/0\b.*\bunknown$/.test(figures) ? figures : undefined,
    after: afterTurn(lines.slice(0, top), figures),
    ready: figures,
  });
}

/** It does not say that a turn is over. Its last block tells whether it failed, and its figures whether there was one. */
function afterTurn(above: readonly string[], figures: string): After | null {
  let end = above.length;
  while (end > 0 && above[end - 1] === "") end--;
  const block = above.slice(above.lastIndexOf("", end - 1) + 1, end);
  const failed = block.find((line) => /^ Error: /.test(line));
  if (failed !== undefined) return ["error", failed];
  return /^↑\d/.test(figures) ? ["done", block.at(-1) ?? figures] : null;
}

const KEYS = /^ ↑↓ navigate {2}(?:enter|⏎) select\b/;

function readQuestion(lines: readonly string[], bottom: number): Screen | null {
  const keys = lines.slice(0, bottom).findLastIndex((line) => KEYS.test(line));
  // In a narrow pane they take two rows.
  if (keys < 0 || lines.slice(keys + 1, bottom).filter((line) => line !== "").length > 1) return null;
  const waits: Screen = { state: "waiting", box: null, prompt: null, evidence: (lines[keys] ?? "").trim() };
  const menu = markedMenu(lines, lines.slice(0, keys).findLastIndex((line) => line !== "") + 1);
  if (menu === null) return waits;
  const top = lines.slice(0, menu.from).findLastIndex((line) => isRule(line));
  const body = lines.slice(top + 1, menu.from).map((line) => line.slice(1));
  while (body[0] === "") body.shift();
  while (body.at(-1) === "") body.pop();
  const options = optionsOf(menu.choices, (_, i) => walkTo(menu.choices, i, "Up", "Down"));
  return asking(
    "waiting",
    promptOf({ ...permission(body, top >= 0, (lines[bottom] ?? "").length - 2), options }),
    body[0] ?? waits.evidence,
  );
}

/** As our gate asks: `Allow <tool>?`, an empty line, and what it would do, indented by two. */
function permission(body: readonly string[], whole: boolean, width: number): Omit<Asked, "options"> {
  const text = body.join("\n");
  const [title = "", gap = "", ...rows] = body;
  const [, tool] = whole && gap === "" ? (/^Allow (\w+)\?$/.exec(title) ?? []) : [];
  if (tool === undefined || rows.length === 0) return { kind: "other", text, complete: false };
  const { text: what, complete } = joinRows([(rows[0] ?? "").slice(2), ...rows.slice(1)], width);
  const single = complete && rows.length === 1;
  if (tool === "bash") return { kind: "command", text, command: what, complete: single };
  if (tool === "edit" || tool === "write") return { kind: "edit", text, path: what, complete: single };
  return { kind: "other", text, complete: false };
}
