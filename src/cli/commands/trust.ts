import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { trustFile, trustHash } from "../../config/load.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { confirm } from "../confirm.ts";
import { requireHere } from "../here.ts";
import { wireConfig } from "../wire.ts";

export const command: Command = {
  name: "trust",
  summary: "Read what this repository's config wants that could run commands or loosen limits, and allow it",
  options: [{ flags: "--yes", help: "Trust without being asked." }, JSON_OPTION],
  examples: [
    { run: "banksman trust", does: "shows the keys and their values, then asks" },
    { run: "banksman trust --yes", does: "for scripts that know what is in the file" },
  ],
  async run({ options }, io) {
    const here = await requireHere(io);
    const { widening, trusted, files } = wireConfig(here, io.env);
    const keys = Object.fromEntries(widening);
    if (!options.json) {
      if (widening.size === 0) io.out(`${files.repository} sets nothing that needs trust.\n`);
      for (const [key, value] of widening) io.out(`  ${key} = ${JSON.stringify(value)}\n`);
      if (widening.size > 0 && trusted) io.out("You trust these already.\n");
    }
    if (widening.size > 0 && !trusted) {
      if (!options.yes) await confirm(io, "Trust these values in this repository?", "--yes");
      mkdirSync(here.state, { recursive: true, mode: 0o700 });
      const path = trustFile(here.state);
      const record = { hash: trustHash(here.root, widening), root: here.root, keys, at: new Date().toISOString() };
      writeFileSync(`${path}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      if (!options.json) io.out("Trusted. If one of these values changes, you are asked again.\n");
    }
    if (options.json) printJson(io, { keys, trusted: true });
    return OK;
  },
};
