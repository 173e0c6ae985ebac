import { Failed } from "../../core/failure/failed.ts";
import { DESCRIBED, isDescribed, readScreen } from "../../core/screens/read-screen.ts";
import type { Screen } from "../../core/screens/screen.ts";
import { nearest } from "../../core/text/nearest.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { explainVerdict } from "../epic/explain-verdict.ts";
import { explainCommand } from "../policy/explain-command.ts";

/** What it will explain, and in which order that is coming. */
const LATER = ["output"];
const EXPLAINED = "It explains a command, a pane and a verdict: `banksman explain --help`.";
const MOST_BYTES = 8 * 1024 * 1024;

export const command: Command = {
  name: "explain",
  summary: "Show what banksman says of a command, a CLI's screen or the answer of an epic's role, and why",
  args: [
    {
      name: "<what>",
      help: "command: a shell command of an agent. pane: reads a screen from standard input. verdict: reads the answer of an epic's role.",
    },
    { name: "[words...]", help: "command: the command, best in quotes and behind `--`. Otherwise none." },
  ],
  options: [
    {
      flags: "--batch",
      help: 'command: read lines of JSON, {"command": "…"}, from standard input, and answer each with one line.',
    },
    {
      flags: "--worktree <folder>",
      help: "command: the agent's worktree. Nothing is then read from the disk. Default: the checkout around you, as it is.",
    },
    { flags: "--branch <name>", help: "command: the agent's own branch." },
    { flags: "--home <folder>", help: "command: the user's home." },
    { flags: "--remote <name>", help: "command: the remote the agent may push its branch to. Default: origin." },
    { flags: "--broker <url>", help: "command: the agent's own URL of the broker." },
    { flags: "--preset <names>", help: "command: languages in use, such as rust,node. Default: those of the project." },
    { flags: "--cli <name>", help: `pane: the CLI that shows this screen: ${DESCRIBED.join(", ")}.` },
    { flags: "--role <name>", help: "verdict: the role that gave this answer: planner, verifier or critic." },
    JSON_OPTION,
  ],
  examples: [
    {
      run: 'banksman explain command -- "git push --force"',
      does: "says whether an agent may run it, by which rule, and why",
    },
    {
      run: "banksman explain command --batch < commands.jsonl | jq -r .decision",
      does: "says approve, ask or deny for each command",
    },
    {
      run: "banksman explain pane --cli codex --json < screen.txt | jq .state",
      does: "prints ready, working, waiting, trust, login, error, shell, done or unknown",
    },
    {
      run: "tmux capture-pane -p -e -t %3 | banksman explain pane --cli claude",
      does: "shows whether it is ready, working or asking, and which key would allow it once",
    },
    {
      run: "banksman explain verdict --role verifier < answer.json",
      does: "shows whether an epic would accept it, and as what",
    },
  ],
  async run({ args: [what = "", ...words], options }, io) {
    if (what === "verdict")
      return explainVerdict(String(options.role ?? ""), options.json === true, await readInput(), io);
    if (what === "command") return explainCommand(words, options, io);
    if (what !== "pane") throw notYet(what);
    if (words.length > 0) throw usage("A pane is read from standard input.", "Give it no words, but a screen.");
    const cli = typeof options.cli === "string" ? options.cli : "";
    if (!isDescribed(cli)) throw whose(cli);
    if (process.stdin.isTTY)
      throw usage(
        "There is no screen on standard input.",
        `Give it one: \`tmux capture-pane -p -e -t %3 | banksman explain pane --cli ${cli}\`.`,
      );
    const screen = readScreen(cli, await readInput());
    if (options.json) printJson(io, toJson(screen));
    else io.out(inWords(screen));
    return OK;
  },
};

const usage = (message: string, hint: string): Failed => new Failed({ kind: "usage", message, hint });

function notYet(what: string): Failed {
  if (LATER.includes(what)) return usage(`This version cannot explain an agent's ${what} yet.`, EXPLAINED);
  const near = nearest(what, ["command", "pane", "verdict", ...LATER]);
  const hint = near === null ? EXPLAINED : `Did you mean ${near}?`;
  return usage(`There is nothing called ${JSON.stringify(what)} to explain.`, hint);
}

function whose(cli: string): Failed {
  const known = `Known: ${DESCRIBED.join(", ")}.`;
  if (cli === "") return usage("It has to be said whose screen it is.", `Use \`--cli <name>\`. ${known}`);
  return usage(`banksman cannot read the screens of ${JSON.stringify(cli)} yet.`, known);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw usage("That is more than a screen: over 8 MB.", "Give it what `tmux capture-pane -p` prints.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The documented shape: a prompt only where there is one. */
const toJson = ({ prompt, ...screen }: Screen): object => (prompt === null ? screen : { ...screen, prompt });

function inWords({ state, box, prompt, evidence }: Screen): string {
  const lines = [`${state}: ${evidence === "" ? "nothing is shown" : onOneLine(evidence)}`];
  if (box !== null) lines.push(`box: ${box === "" ? "empty" : onOneLine(box)}`);
  if (prompt !== null) {
    const what = prompt.command ?? prompt.path ?? prompt.text;
    lines.push(`asks (${prompt.kind}${prompt.complete ? "" : ", not all of it may be shown"}): ${onOneLine(what)}`);
    for (const { key, text, grants } of prompt.options) lines.push(`  ${key}: ${onOneLine(text)} (${grants})`);
    lines.push(`allow once: ${prompt.allow ?? "not by a key"}; refuse: ${prompt.deny ?? "not by a key"}`);
  }
  return `${lines.join("\n")}\n`;
}
