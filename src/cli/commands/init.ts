import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { systemFiles } from "../../adapters/system/files.ts";
import { importConfig } from "../../config/import.ts";
import { configFiles } from "../../config/load.ts";
import { readConfigText } from "../../config/read.ts";
import { commentedConfig, setKeys } from "../../config/write.ts";
import { Failed } from "../../core/failure.ts";
import { IGNORE_FILE, IGNORED } from "../../core/sidecar.ts";
import { type Command, OK } from "../command.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "init",
  summary: "Write a commented config for this repository; settings of git-paw and pi are taken over",
  options: [{ flags: "--print", help: "Print the file instead of writing it." }],
  examples: [
    { run: "banksman init", does: "writes .banksman/config.toml; an existing one keeps its comments" },
    { run: "banksman init --print", does: "every key with its default and its help" },
  ],
  async run({ options }, io) {
    if (options.print) {
      io.out(commentedConfig(new Map()));
      return OK;
    }
    const here = await requireHere(io);
    const path = configFiles({ root: here.root, env: io.env }).repository;
    const { values, notes } = importConfig(here.root);
    const before = existsSync(path) ? readFileSync(path, "utf8") : null;
    const text = before === null ? commentedConfig(values) : setKeys(before, missing(path, before, values));
    const { problems } = readConfigText(path, text);
    if (problems.length > 0) throw new Failed({ kind: "config.problems", problems });
    await systemFiles.writeInside(here.root, relative(here.root, path), text, 0o644);
    if (!existsSync(join(here.root, IGNORE_FILE)))
      await systemFiles.writeInside(here.root, IGNORE_FILE, IGNORED, 0o644);
    for (const note of notes) io.err(`${note}\n`);
    io.out(before === null ? `Wrote ${path}. Commit it.\n` : `${path} is up to date.\n`);
    return OK;
  },
};

/** What the file says already is not overwritten. */
function missing(path: string, source: string, values: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const present = readConfigText(path, source);
  return new Map([...values].filter(([key]) => !present.values.has(key) && !present.later.has(key)));
}
