import { type After, atBox } from "./at-box.ts";
import { type Choice, numberedMenu, optionsOf, withEscape } from "./menu.ts";
import { isHint, type Page, strokeAt, widthOf } from "./page.ts";
import { joinRows } from "./passage.ts";
import { type Asked, asking, promptOf, unanswered } from "./prompt.ts";
import type { Screen } from "./screen.ts";

/**
 * Codex, as 0.166 draws it: `› ` at the left edge with what is typed, an empty line, a line with its model, a line of
 * hints; or a dialog that ends in `Press enter to confirm or esc to cancel`. Whatever it or its tools say begins with a
 * bullet at the left edge and is indented after that.
 */
export function readCodex(page: Page): Screen | null {
  return readDialog(page) ?? readBox(page);
}

const HINTS = ["Ask Codex to do anything"];

function readBox(page: Page): Screen | null {
  const { lines } = page;
  const first = lines.findLastIndex((line) => /^\S/.test(line));
  if (!/^› /.test(`${lines[first] ?? ""} `)) return null;
  const status = lines.findLastIndex((line) => / · [~/…]/.test(line) && line.startsWith("  "));
  const hints = lines.length - 1 - status;
  if (status <= first + 1 || lines[status - 1] !== "" || hints > 2) return null;
  const rows = lines.slice(first, status - 1).map((line) => line.slice(2));
  const text = rows.map(withoutArrow).join("\n").trim();
  const hint = isHint(page, first, 2) ?? HINTS.includes(text);
  const above = lines.slice(0, first);
  const busy = above.findLast((line) => /^\S/.test(line)) ?? "";
  return atBox(hint ? "" : text, {
    working: /^[•◦] .*esc to interrupt\)/.test(busy) && busy.includes("(") ? busy : undefined,
    after: afterTurn(above),
    ready: lines[first] ?? "",
  });
}

/** At the right edge it says that there is more above. */
const withoutArrow = (row: string): string => (row.endsWith(" ↑") ? row.slice(0, -1).trimEnd() : row);

/** Its own last word before the box. A message that failed goes on at the left edge when it is wrapped. */
function afterTurn(above: readonly string[]): After | null {
  const bullet = above.findLastIndex((line) => /^[•■›✔✗⚠] /.test(line));
  const line = above[bullet] ?? "";
  if (/^■ /.test(line) && !line.startsWith("■ Conversation interrupted")) return ["error", line];
  const worked = above.slice(bullet + 1).findLast((each) => each !== "") ?? "";
  return /^ {2}Worked for \S/.test(worked) ? ["done", worked] : null;
}

function readDialog(page: Page): Screen | null {
  const { lines } = page;
  const last = lines.findLastIndex((line) => /^ {2}(Press )?enter /.test(line));
  // In a narrow pane it is wrapped.
  const foot = lines
    .slice(last)
    .map((line) => line.trim())
    .join(" ");
  const login = foot === "Press enter to continue" && lines.some((line) => /^ {2}Welcome to Codex\b/.test(line));
  const trust = /^enter continue · esc \w+$/.test(foot);
  const confirm = foot === "Press enter to confirm or esc to cancel";
  if (!login && !trust && !confirm) return null;
  let end = last;
  while (end > 0 && /^[\s↓]*$/.test(lines[end - 1] ?? "")) end--;
  const menu = numberedMenu(lines, end);
  if (menu === null) return { state: "waiting", box: null, prompt: null, evidence: foot };
  const body = lines.slice(0, menu.from);
  const options = optionsOf(menu.choices, keyOf);
  if (login || trust) {
    const about = body.find((line) => /Trust this folder\?|Welcome to Codex/.test(line)) ?? foot;
    const asked = { kind: "other", text: about.trim(), options, complete: false } as const;
    return asking(login ? "login" : "trust", unanswered(asked), about);
  }
  const title =
    body.find((line) => line === RUN || line === EDIT) ?? body.findLast((line) => /^ {2}\S.*\?$/.test(line));
  return asking("waiting", promptOf({ ...permission(page, body), options: withEscape(options, foot) }), title ?? foot);
}

/** Its own letter for a choice, which means the same in every list; else the number. */
function keyOf({ text, number }: Choice): string {
  const [, letter = ""] = /\((\w{1,3})\)$/.exec(text) ?? [];
  return letter === "esc" ? "Escape" : /^\w$/.test(letter) ? letter : String(number);
}

const RUN = "  Would you like to run the following command?";
const EDIT = "  Would you like to make the following edits?";

function permission(page: Page, body: readonly string[]): Omit<Asked, "options"> {
  const titles = body.flatMap((line, i) => ((line === RUN || line === EDIT) && isBold(page, i) ? [i] : []));
  const [title = body.length] = titles;
  const rows = body.slice(title + 1);
  const text = rows
    .map((line) => line.slice(2))
    .join("\n")
    .trim();
  if (titles.length === 0) return { kind: "other", text: body.slice(-12).join("\n").trim(), complete: false };
  const sure = titles.length === 1 && (page.styled || body.slice(0, title).some((line) => /^\S/.test(line)));
  if (body[title] === EDIT) {
    const [path, ...more] = labelled(rows, "Destination");
    const whole = sure && more.length === 0 && joinRows([path ?? ""], 0).complete;
    return { kind: "edit", text, ...(path !== undefined && { path }), complete: whole };
  }
  const dollars = rows.flatMap((line, i) => (line.startsWith("  $ ") ? [i] : []));
  const command = rows.slice(dollars[0] ?? rows.length).map((line) => line.slice(2));
  while (command.at(-1) === "") command.pop();
  if (command.length === 0) return { kind: "command", text, complete: false };
  const { text: joined, complete } = joinRows([(command[0] ?? "").slice(2), ...command.slice(1)], widthOf(page) - 2);
  const whole = sure && complete && command.length === 1 && dollars.length === 1;
  return { kind: "command", text, command: joined, complete: whole };
}

/**
 * A command is shown as it is, so a line of it may read like the title. The real one is bold; where colours are not
 * known, there must be one only, and something of the conversation has to stand between it and the upper edge, which a
 * command cannot print.
 */
const isBold = (page: Page, line: number): boolean => !page.styled || strokeAt(page, line, 2)?.bold === true;

const labelled = (rows: readonly string[], label: string): string[] => {
  const from = rows.findIndex((line) => line.startsWith(`  ${label}: `));
  if (from < 0) return [];
  const to = rows.indexOf("", from);
  const [first = "", ...more] = rows.slice(from, to < 0 ? rows.length : to);
  return [first.slice(label.length + 4), ...more.map((line) => line.trim())];
};
