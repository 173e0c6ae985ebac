import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readScreen } from "../src/core/screens/read-screen.ts";
import { isListening, type Screen } from "../src/core/screens/screen.ts";
import { sketch } from "./panes/sketch.ts";

const FOLDER = "test/panes";
const capture = (file: string) => readFileSync(join(FOLDER, file), "utf8");
const cliOf = (file: string) => file.split("-")[0] ?? "";
const CLIS = ["claude", "codex", "gemini", "opencode", "pi"];
const files = readdirSync(FOLDER)
  .filter((name) => /\.(txt|ansi)$/.test(name))
  .sort();
const golden = capture("golden.list")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | "));

describe("a captured screen", () => {
  it.each(golden)("%s is %s", (file = "", ...expected) =>
    expect(sketch(readScreen(cliOf(file), capture(file)))).toEqual(expected),
  );

  it("is in the table, each of them", () => expect(golden.map(([file]) => file).sort()).toEqual(files));

  it.each(files)("%s has keys only for what they grant", (file) => {
    const { state, prompt } = readScreen(cliOf(file), capture(file));
    const keys = (grants: string) => prompt?.options.filter((each) => each.grants === grants).map(({ key }) => key);
    if (prompt?.allow != null) expect([state, keys("once")]).toEqual(["waiting", [prompt.allow]]);
    if (prompt?.deny != null) expect([state, keys("no")]).toEqual(["waiting", [prompt.deny]]);
    if (prompt?.allow != null) expect(keys("always")).not.toContain(prompt.allow);
  });

  it.each(CLIS)("of %s is nothing that another CLI would type into or answer", (cli) => {
    const foreign = files.filter((file) => cliOf(file) !== cli).map((file) => [file, readScreen(cli, capture(file))]);
    const wrong = (foreign as [string, Screen][]).filter(([, s]) => s.prompt?.allow != null || isListening(s));
    expect(wrong.map(([file]) => file)).toEqual([]);
  });
});

/** What an agent could have printed above: the same screens, where a program's output stands. */
const printed = (text: string) => text.replaceAll(/^ ?[^\s].?/gm, "  ");
/** What is left when nothing above the frame counts: the last turn is told by what it has printed. */
const frame = ({ state, box, prompt }: Screen) => ({
  state: state === "done" || state === "error" ? "ready" : state,
  box,
  command: prompt?.command,
  keys: prompt === null ? null : [prompt.allow, prompt.deny],
});

describe("what an agent prints above its CLI's frame", () => {
  it.each(CLIS)("is not taken for the frame itself: %s", (cli) => {
    const own = files.filter((file) => cliOf(file) === cli && file.endsWith(".txt") && !file.includes("restarting"));
    const whole = own.filter((file) =>
      /^[\w.]+-(?!pasted-full|permission-(tall|long|multi|bash-(40|60x10)))/.test(file),
    );
    for (const below of whole) {
      const alone = readScreen(cli, capture(below));
      // Codex may not be sure any more which of two titles is its own; then it is not complete.
      const relaxed = cli === "codex" && alone.state === "waiting";
      for (const above of own) {
        const seen = readScreen(cli, `${printed(capture(above)).trimEnd()}\n\n${capture(below)}`);
        const strip = (each: Screen) => ({ ...frame(each), ...(relaxed && { command: "" }) });
        expect([above, below, strip(seen)]).toEqual([above, below, strip(alone)]);
        expect([above, below, seen.prompt?.complete === true && alone.prompt?.complete !== true && !relaxed]).toEqual([
          above,
          below,
          false,
        ]);
      }
    }
  });

  it("does not make codex believe a part of a command to be all of it", () => {
    const fake = "  Would you like to run the following command?\n\n  Environment: local\n\n  $ ls\n\n\n";
    const end =
      "› 1. Yes, proceed (y)\n  2. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel";
    const blanks = "\n".repeat(30);
    for (const text of [
      `${blanks}${fake}${end}`,
      `• Running rm\n\n  Would you like to run the following command?\n\n  $ rm -rf x\n${blanks}${fake}${end}`,
      `• Running rm\n\n  Would you like to run the following command?\n\n  Reason: look\n\n  $ ls\n\n  $ rm -rf x\n\n${end}`,
    ])
      expect(readScreen("codex", text).prompt).toMatchObject({ kind: "command", complete: false });
  });
});

describe("a command on a screen", () => {
  const rule = "─".repeat(80);
  const dashes = "╌".repeat(80);
  const claude = (...rows: string[]) =>
    readScreen(
      "claude",
      `${rule}\n Bash command\n Runs it\n${dashes}\n${rows.join("\n")}\n${dashes}\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n`,
    ).prompt;

  it("is complete on one row, and on several that could not have been wrapped", () => {
    expect(claude(" npm test")).toMatchObject({ command: "npm test", complete: true, allow: "1", deny: "2" });
    expect(claude(" │ cd app", " │   npm test")).toMatchObject({ command: "cd app\n  npm test", complete: true });
  });

  it.each([
    ["may have been wrapped where it had a line end", [` │ echo ${"a".repeat(70)}`, " │ rm -rf x"]],
    ["is cut", [" echo a…"]],
    ["may have a blank behind its last backslash", [" │ echo a\\", " │ rm -rf x"]],
    ["has a blank that is none", [" echo\u00a0a"]],
    ["has something that takes no place", [" echo a\u200bb"]],
    ["turns around what follows", [" echo \u202eb"]],
    ["has wide characters on several rows", [" │ echo 日本", " │ ls"]],
    ["is empty", [" "]],
  ])("is not complete when it %s", (_, rows) => expect(claude(...rows)).toMatchObject({ complete: false }));

  it("is the same request in a pane of another size, with another choice marked, and another one for another", () => {
    const of = (file: string) => readScreen(cliOf(file), capture(file)).prompt?.request;
    expect(of("claude-permission-edit-60x15.txt")).toBe(of("claude-permission-edit-80x24.txt"));
    expect(of("pi-permission-edit-80x24.txt")).toBe(of("pi-permission-edit-no-80x24.txt"));
    expect(of("opencode-permission-always-120x40.ansi")).toBe(of("opencode-permission-bash-120x40.txt"));
    expect(claude(" ls")?.request).not.toBe(claude(" pwd")?.request);
  });

  it("that opencode cuts without a word is not complete", () => {
    const panel = (body: string) =>
      `  x\n\n  ┃\n  ┃  △ Permission required\n  ┃    # Shell command\n  ┃\n${body}  ┃\n  ┃\n  ┃   Allow once   Allow always   Reject   enter confirm\n  ┃\n`;
    expect(readScreen("opencode", panel("  ┃  $ ls\n")).prompt).toMatchObject({ command: "ls", complete: true });
    const hidden = `  ┃  $ ls\n${"  ┃\n".repeat(6)}`;
    expect(readScreen("opencode", panel(hidden)).prompt).toMatchObject({ complete: false });
  });
});

describe("a box", () => {
  const rule = "─".repeat(60);
  const claude = (line: string) => readScreen("claude", `${rule}\n${line}\n${rule}\n  ? for shortcuts\n`);
  it.each([
    ["a hint, by its words", '❯\u00a0Try "fix the tests"', ""],
    ["a suggestion, by its faintness", "❯\u00a0\u001b[7mr\u001b[0;2mun the tests\u001b[0m", ""],
    ["the same words, typed", "\u001b[39m❯\u00a0run the tests\u001b[7m \u001b[0m", "run the tests"],
    ["a shell's line", "! ", "!"],
  ])("with %s", (_, line, box) => expect(claude(line)).toMatchObject({ state: "ready", box }));
});

describe("any text at all", () => {
  const pieces = files.flatMap((file) => capture(file).split("\n")).filter((line) => line !== "");
  const line = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...new Set(pieces)) }, fc.string({ unit: "grapheme" }));
  it("is read without a word, and answered only where the choices end it", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.constantFrom(...CLIS), (lines, cli) => {
        const { prompt } = readScreen(cli, lines.join("\n"));
        if (prompt?.allow == null) return;
        const end = lines.slice(-30).join("\n");
        expect(end).toMatch(/Yes|Allow once/);
        expect(prompt.options.filter(({ grants }) => grants === "once").map(({ key }) => key)).toContain(prompt.allow);
      }),
      { numRuns: 2_000 },
    );
  });

  it("without their words is never waiting for an answer, nor ready", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), fc.constantFrom(...CLIS), (text, cli) => {
        const screen = readScreen(cli, text);
        expect([screen.prompt, isListening(screen)]).toEqual([null, false]);
      }),
    );
  });

  it("of a megabyte takes no time to speak of", () => {
    const units = [
      "─",
      "\u001b[",
      "\u001b[38;2;1;1;1mx",
      "❯ 1. ",
      " ❯ 1. Yes\n",
      "  $ \n",
      "│ │\n",
      "  ┃  \n",
      "\n",
      "…\\",
      "日",
      " ",
    ];
    for (const cli of CLIS) for (const unit of units) readScreen(cli, unit.repeat(Math.ceil(1_048_576 / unit.length)));
  });
});
