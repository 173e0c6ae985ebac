import { existsSync } from "node:fs";
import { join } from "node:path";
import { commentedConfig } from "../../config/commented.ts";
import { importConfig } from "../../config/import.ts";
import { configFiles, REPOSITORY_CONFIG } from "../../config/load.ts";
import { readConfigText } from "../../config/read.ts";
import { setKeys } from "../../config/write.ts";
import { IGNORE_FILE, IGNORED } from "../../core/clis/sidecar.ts";
import { Failed } from "../../core/failure/failed.ts";
import { GATES, gateKey } from "../../core/gates/gates.ts";
import { type Command, type Io, OK } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { GATE_QUESTIONS, gateFlag, initAnswers } from "../setup/init-answers.ts";
import { writeExtras } from "../setup/init-extras.ts";
import { CONFIG_READERS } from "../wire/config-readers.ts";
import type { Repository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";
import { wireConfig, wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "init",
  summary: "Write a commented config file for this repository; takes over settings of git-paw and pi",
  options: [
    { flags: "--print", help: "Print the file instead of writing it." },
    {
      flags: "--spec-system <kind>",
      help: "openspec, markdown, speckit, superpowers or none. Default: asks, or takes the kind that is here.",
    },
    ...GATES.map((gate) => ({
      flags: `--${gateFlag(gate)} <command>`,
      help: `${GATE_QUESTIONS[gate]} (\`${gateKey(gate)}\`); else asked, or guessed.`,
    })),
    {
      flags: "--github",
      help: "Write only the GitHub workflow that marks items of epics as done when their pull request is merged.",
    },
    { flags: "--skills", help: "Write only the skill `/supervisor`, with which coding CLIs take part in epics." },
    { flags: "--yes", help: "Do not ask; use what is found in the repository." },
  ],
  examples: [
    {
      run: "banksman init",
      does: "asks what it cannot find out, and writes .banksman/config.toml; keeps your comments",
    },
    { run: 'banksman init --yes --test-command "make check"', does: "for scripts; prints the settings it found" },
    { run: "banksman init --print", does: "prints every key with its default and its help" },
  ],
  async run(input, io) {
    if (input.options.print) {
      io.out(commentedConfig(new Map()));
      return OK;
    }
    const repository = await requireRepository(io);
    if (input.options.github || input.options.skills) {
      await writeExtras(repository, input, io);
      return OK;
    }
    const path = configFiles({ root: repository.root, env: io.env }).repository;
    const { readInside } = CONFIG_READERS;
    const { values: imported, notes } = importConfig(repository.root, readInside);
    const before = readInside(repository.root, REPOSITORY_CONFIG);
    const present = readConfigText(path, before ?? "");
    const has = (key: string) => present.values.has(key) || present.later.has(key);
    const settled = (key: string) => has(key) || imported.has(key);
    const clis = () => installedClis(repository, io);
    const answers = await initAnswers(input, { files: wireFiles(), root: repository.root, clis }, settled, io);
    const values = new Map([...imported, ...answers.values].filter(([key]) => !has(key) || answers.said.has(key)));
    const text = before === null ? commentedConfig(values) : setKeys(before, values);
    const { problems } = readConfigText(path, text);
    if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
    if (text !== before) await wireFiles().writeInside(repository.root, REPOSITORY_CONFIG, text, 0o644);
    if (!existsSync(join(repository.root, IGNORE_FILE)))
      await wireFiles().writeInside(repository.root, IGNORE_FILE, IGNORED, 0o644);
    for (const note of [...notes, ...answers.notes]) io.err(`${note}\n`);
    io.out(`${written(path, before, text, [...values.keys()])}\n`);
    const ignored = untrusted(repository, io);
    if (ignored.length > 0) io.err(`Not used until you trust them (\`banksman trust\`): ${ignored.join(", ")}\n`);
    return OK;
  },
};

function written(path: string, before: string | null, text: string, keys: readonly string[]): string {
  if (before === null) return `Wrote ${path}. Commit it.`;
  return before === text ? `${path} is up to date.` : `Wrote ${path}: ${keys.join(", ")}. Commit it.`;
}

/** None where the config cannot be read, or the user's own names a default already. */
async function installedClis(repository: Repository, { env }: Io) {
  const { installed } = await import("../session/ask-work.ts");
  try {
    const { settings } = wireConfig(repository, env);
    return settings.defaultCli === null ? await installed(wirePorts(repository, env).agents, settings) : [];
  } catch (error) {
    if (error instanceof Failed) return [];
    throw error;
  }
}

/** What the config says now and has to be read first; another file's mistakes are not this command's affair. */
function untrusted(repository: Repository, { env }: Io): readonly string[] {
  try {
    return wireConfig(repository, env).settings.ignored;
  } catch {
    return [];
  }
}
