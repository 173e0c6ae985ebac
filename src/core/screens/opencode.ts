import { type After, atBox } from "./at-box.ts";
import { grantOf } from "./menu.ts";
import { isHint, type Page, strokeAt, widthOf } from "./page.ts";
import { joinRows } from "./passage.ts";
import { type Asked, asking, promptOf } from "./prompt.ts";
import type { Screen, ScreenOption } from "./screen.ts";

/**
 * opencode, as 1.18 draws it: a bar `┃` along the box, closed by `╹▀▀▀`, its model in the last row and a footer below;
 * or a panel with the same bar that begins with `△` and ends with buttons. On a wide screen there is a column beside.
 */
export function readOpencode(page: Page): Screen | null {
  const narrow = withoutColumn(page);
  return readPanel(narrow) ?? readBox(narrow);
}

/** The column at the right ends in the program's name, beside rows that only the program itself can fill. */
function withoutColumn(page: Page): Page {
  const at = Math.max(...page.lines.slice(-4).map((line) => line.search(/• OpenCode \d[\d.]*$/)));
  return at < 80 ? page : { ...page, lines: page.lines.map((line) => line.slice(0, at).trimEnd()) };
}

const CLOSED = /^ +╹▀{10,}$/;
const BUTTONS = /^ +┃ +Allow once +Allow always +Reject\b/;

function readBox(page: Page): Screen | null {
  const { lines } = page;
  const bottom = lines.findLastIndex((line) => CLOSED.test(line));
  const footer = lines.slice(bottom + 1).filter((line) => line !== "");
  if (bottom < 0 || footer.length > 6) return null;
  const bar = (lines[bottom] ?? "").indexOf("╹");
  let top = bottom;
  while (top > 0 && (lines[top - 1] ?? "").indexOf("┃") === bar) top--;
  // An empty row, what is typed, an empty row, the model.
  if (bottom - top < 4 || rowAt(lines, top, bar) !== "" || rowAt(lines, bottom - 2, bar) !== "") return null;
  const rows = lines.slice(top + 1, bottom - 2).map((_, i) => rowAt(lines, top + 1 + i, bar));
  const text = rows.join("\n").trim();
  const hint = isHint(page, top + 1, bar + 3) === true || /^Ask anything… "/.test(text);
  return atBox(hint ? "" : text, {
    working: footer.find((line) => /^ +[■⬝]{2,} |\besc (again to )?interrupt\b/.test(line)),
    after: afterTurn(lines.slice(0, top)),
    ready: lines[bottom - 1] ?? "",
  });
}

const rowAt = (lines: readonly string[], line: number, bar: number): string => (lines[line] ?? "").slice(bar + 3);

/** `▣` closes a turn, with the time it took when it came to its end. One without, after a block of its own, failed. */
function afterTurn(above: readonly string[]): After | null {
  const last = above.findLast((line) => line !== "") ?? "";
  if (!/^ +▣ /.test(last) || last.endsWith(" · interrupted")) return null;
  if (/ · (\d[\d.]*(ms|s|m|h)|\d+m \d+s)$/.test(last)) return ["done", last];
  const shown = above.slice(0, -1).filter((line) => line !== "");
  const block = shown.slice(0, -1).findLastIndex((line) => !/^ +┃/.test(line));
  const said = shown.slice(block + 1, -1).map((line) => line.replace(/^ +┃ */, ""));
  const gaps = said.filter((line) => line === "").length;
  return gaps >= 4 ? ["error", said.findLast((line) => line !== "") ?? last] : null;
}

/** The height at which it cuts a panel, without a word: what is lower than that is all there. */
const CUT_AT = 15;

function readPanel(page: Page): Screen | null {
  const { lines } = page;
  const last = lines.length - 1;
  const bar = (lines[last] ?? "").indexOf("┃");
  if (bar < 0 || (lines[last] ?? "").slice(0, bar).trim() !== "") return null;
  let top = last;
  while (top > 0 && (lines[top - 1] ?? "").indexOf("┃") === bar) top--;
  const rows = lines.slice(top).map((_, i) => rowAt(lines, top + i, bar));
  const [edge = "", title = ""] = rows;
  if (edge !== "" || !title.startsWith("△ ")) return null;
  const buttons = rows.findLastIndex((_, i) => BUTTONS.test(lines[top + i] ?? ""));
  // In a pane too low for it the buttons are cut off; and there are panels with other ones.
  if (title !== "△ Permission required" || buttons < 0)
    return { state: "waiting", box: null, prompt: null, evidence: title };
  const options = buttonOptions(page, top + buttons);
  const whole = top > 0 && rows.length < CUT_AT && rows.slice(buttons - 2, buttons).every((row) => row === "");
  const asked = permission(rows.slice(2, buttons - 2), whole, widthOf(page) - bar - 5);
  const prompt = promptOf({ ...asked, options });
  return asking("waiting", selected(page, top + buttons) === null ? { ...prompt, allow: null } : prompt, title);
}

const NAMES = ["Allow once", "Allow always", "Reject"];

/** Left and right go around; Escape refuses from anywhere. Without colours the first is taken for the selected one. */
function buttonOptions(page: Page, line: number): ScreenOption[] {
  const at = selected(page, line) ?? 0;
  const steps = (to: number) =>
    [...Array<string>(Math.abs(to - at)).fill(to < at ? "Left" : "Right"), "Enter"].join(" ");
  return NAMES.map((text, i) => ({ key: text === "Reject" ? "Escape" : steps(i), text, grants: grantOf(text) }));
}

/** The button that Enter would press: the one on another ground than the others. Null where that cannot be seen. */
function selected(page: Page, line: number): number | null {
  const text = page.lines[line] ?? "";
  const grounds = NAMES.map((name) => strokeAt(page, line, text.indexOf(name))?.ground ?? null);
  const alone = grounds.flatMap((ground, i) => (grounds.filter((each) => each === ground).length === 1 ? [i] : []));
  return page.styled && alone.length === 1 ? (alone[0] ?? null) : null;
}

function permission([about = "", ...body]: readonly string[], whole: boolean, width: number): Omit<Asked, "options"> {
  const shown = body.slice(1);
  const text = [about.trim(), ...shown].join("\n").trim();
  if (/^ {2}# /.test(about)) {
    const [first = "", ...more] = shown;
    const { text: command, complete } = joinRows([first.replace(/^\$ /, ""), ...more], width);
    return { kind: "command", text, command, complete: whole && complete && more.length === 0 && /^\$ /.test(first) };
  }
  const [, path] = /^ {2}[→←] (?:Edit|Write|Patch) (.+)$/.exec(about) ?? [];
  if (path !== undefined) return { kind: "edit", text, path, complete: body[0] === "" && !/…/.test(path) };
  if (/^ {2}% WebFetch /.test(about)) return { kind: "fetch", text, complete: whole && !/…/.test(about) };
  return { kind: "other", text, complete: false };
}
