import { lastWords } from "../../src/core/screens/last-words.ts";
import { DESCRIBED, readScreen } from "../../src/core/screens/read-screen.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const RULE = "─".repeat(60);
const FRAMES: Readonly<Record<string, readonly [begin: string, end: string][]>> = {
  claude: [
    [`● x\n${RULE}\n❯ `, `\n${RULE}\n  ? for shortcuts`],
    [`${RULE}\n Bash command\n╌╌╌\n`, "\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel"],
  ],
  codex: [
    ["• x\n\n› ", "\n\n  gpt · ~/x\n  ? for shortcuts"],
    [
      "  Would you like to run the following command?\n\n  $ ",
      "\n\n› 1. Yes, proceed (y)\n  2. No (esc)\n\n  Press enter to confirm or esc to cancel",
    ],
  ],
  gemini: [
    [`${RULE}\n > `, "\n workspace (/directory)   x\n ~/x"],
    ["╭───╮\n│ ? Shell ", " │\n│ Allow execution of [Shell]? │\n│ ● 1. Allow once │\n│   2. No │\n╰───╯"],
  ],
  opencode: [
    ["  ┃\n  ┃  ", `\n  ┃\n  ┃  Build\n  ╹${"▀".repeat(40)}\n  x`],
    ["x\n  ┃\n  ┃  △ Permission required\n  ┃    # ", "\n  ┃\n  ┃\n  ┃   Allow once   Allow always   Reject"],
  ],
  pi: [
    [`${RULE}\n`, `\n${RULE}\n~/x\n0.0%/200k`],
    [`${RULE}\n Allow bash?\n\n   `, `\n\n → Yes\n   No\n\n ↑↓ navigate  enter select\n${RULE}\n~/x\n0.0%/200k`],
  ],
  scripted: [["May I run this? x ", "\n[permission]"]],
};

const LAST_WORDS: Parser = {
  name: "screen: last words",
  run: lastWords,
  shapes: { "one long call": repeated(":1", "    at x", " "), calls: numbered((i) => `    at x:${i}:1\n`) },
};

export const SCREENS: readonly Parser[] = [
  LAST_WORDS,
  ...[...DESCRIBED, "any other"].map((cli) => {
    const frames = FRAMES[cli] ?? [];
    return {
      name: `screen: ${cli}`,
      run: (text: string) => readScreen(cli, text),
      begins: frames.map(([begin]) => begin),
      ends: frames.map(([, end]) => end),
      shapes: {
        "every cell in a colour of its own": numbered((i) => `\u001b[48;2;${i % 256};0;0mx`),
        "one long list of colours": repeated("1;", "\u001b[", "mx"),
        "one long link": repeated("a", "\u001b]8;;", "\u0007x"),
        choices: numbered((i) => ` ${i % 99}. Yes\n`),
        ...Object.fromEntries(frames.map(([begin, end], i) => [`inside frame ${i + 1}`, repeated("a b ", begin, end)])),
        ...Object.fromEntries(
          frames.map(([begin, end], i) => [`lines in frame ${i + 1}`, repeated("   a\n", begin, end)]),
        ),
      },
    };
  }),
];
