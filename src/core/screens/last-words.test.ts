import { expect, it } from "vitest";
import { lastWords } from "./last-words.ts";

const DEAD = "Pane is dead (status 7, Mon Jan  1 00:00:00 2026)";

it.each([
  ["a shell", `sh: nosuch: not found\n${DEAD}`, "sh: nosuch: not found"],
  ["our own agent", `● git commit\nfatal: bad object\n[working] esc to interrupt\n${DEAD}`, "fatal: bad object"],
  ["our own, killed over its line", `[working] esc to interruptKilled\n${DEAD}`, "Killed"],
  [
    "a TUI",
    `API Error: 500 overloaded\n╭────────────╮\n│ >          │\n╰────────────╯\n  ? for shortcuts\n  · Working… (esc to interrupt)\n${DEAD}`,
    "API Error: 500 overloaded",
  ],
  [
    "node",
    `Error: no key\n    at run (/x/cli.js:10:5)\n    at /x/cli.js:20:3 {\n}\n\nNode.js v22.1.0\n${DEAD}`,
    "Error: no key",
  ],
  ["nothing", `\n\n${DEAD}`, ""],
])("of %s", (_, text, words) => expect(lastWords(text)).toBe(words));
