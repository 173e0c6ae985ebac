import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { systemFiles } from "../../adapters/system/files.ts";
import { importConfig } from "../../config/import.ts";
import { configFiles } from "../../config/load.ts";
import { readConfigText } from "../../config/read.ts";
import { commentedConfig, setKeys } from "../../config/write.ts";
import { Failed } from "../../core/failure.ts";
import { GATES, gateKey } from "../../core/guess-gates.ts";
import { IGNORE_FILE, IGNORED } from "../../core/sidecar.ts";
import { type Command, type Io, OK } from "../command.ts";
import { requireHere } from "../here.ts";
import { GATE_QUESTIONS, gateFlag, initAnswers } from "../init-answers.ts";
import { writeExtras } from "../init-extras.ts";
import type { Here } from "../place.ts";
import { wireConfig } from "../wire.ts";

export const command: Command = {
  name: "init",
  summary: "Write a commented config for this repository; settings of git-paw and pi are taken over",
  options: [
    { flags: "--print", help: "Print the file instead of writing it." },
    {
      flags: "--spec-system <kind>",
      help: "openspec, markdown, speckit, superpowers or none; else asked, or what is here.",
    },
    ...GATES.map((gate) => ({
      flags: `--${gateFlag(gate)} <command>`,
      help: `${GATE_QUESTIONS[gate]} (\`${gateKey(gate)}\`); else asked, or guessed.`,
    })),
    { flags: "--github", help: "Write only the GitHub workflow that tells epics of merged pull requests." },
    { flags: "--skills", help: "Write only the skill `/supervisor`, for coding CLIs to take part in epics." },
    { flags: "--yes", help: "Ask nothing: take what is found." },
  ],
  examples: [
    { run: "banksman init", does: "asks what it cannot know, and writes .banksman/config.toml; comments are kept" },
    { run: 'banksman init --yes --test-command "make check"', does: "for a script; what was found and taken is said" },
    { run: "banksman init --print", does: "every key with its default and its help" },
  ],
  async run(input, io) {
    if (input.options.print) {
      io.out(commentedConfig(new Map()));
      return OK;
    }
    const here = await requireHere(io);
    if (input.options.github || input.options.skills) {
      await writeExtras(here.root, input, io);
      return OK;
    }
    const path = configFiles({ root: here.root, env: io.env }).repository;
    const { values: imported, notes } = importConfig(here.root);
    const before = existsSync(path) ? readFileSync(path, "utf8") : null;
    const present = readConfigText(path, before ?? "");
    const has = (key: string) => present.values.has(key) || present.later.has(key);
    const settled = (key: string) => has(key) || imported.has(key);
    const answers = await initAnswers(input, { files: systemFiles, root: here.root }, settled, io);
    const values = new Map([...imported, ...answers.values].filter(([key]) => !has(key) || answers.said.has(key)));
    const text = before === null ? commentedConfig(values) : setKeys(before, values);
    const { problems } = readConfigText(path, text);
    if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
    await systemFiles.writeInside(here.root, relative(here.root, path), text, 0o644);
    if (!existsSync(join(here.root, IGNORE_FILE)))
      await systemFiles.writeInside(here.root, IGNORE_FILE, IGNORED, 0o644);
    for (const note of [...notes, ...answers.notes]) io.err(`${note}\n`);
    io.out(before === null ? `Wrote ${path}. Commit it.\n` : `${path} is up to date.\n`);
    const ignored = untrusted(here, io);
    if (ignored.length > 0) io.err(`Not used until you trust them (\`banksman trust\`): ${ignored.join(", ")}\n`);
    return OK;
  },
};

/** What the config says now and has to be read first; another file's mistakes are not this command's affair. */
function untrusted(here: Here, { env }: Io): readonly string[] {
  try {
    return wireConfig(here, env).settings.ignored;
  } catch {
    return [];
  }
}
