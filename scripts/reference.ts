import { COMMANDS } from "../src/cli/catalog.ts";
import type { Command } from "../src/cli/command.ts";
import { jsonSchema } from "../src/config/json-schema.ts";
import { expectation, LATER, SCHEMA } from "../src/config/schema.ts";

/** The pages under docs/reference, made of the same tables the program runs on. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    "cli.md": await cliPage(),
    "configuration.md": configurationPage(),
    "config.schema.json": `${JSON.stringify(jsonSchema(), null, 2)}\n`,
  };
}

const NOTE = "<!-- Written by `npm run docs` from the program's own tables. Edit those. -->\n";

async function cliPage(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));
  const list = commands.map(({ name, summary }) => `| [\`${name}\`](#${name}) | ${summary} |`);
  return [
    NOTE,
    "# Commands\n",
    "Exit codes: 0 done, 1 an error (one sentence, and what to do), 2 cancelled by you, 3 another background process supervises this repository.",
    'Every command that shows something takes `--json`; an error is then `{"error": {"kind", "message", "hint"}}` on standard output as well.\n',
    "| command | does |",
    "|---|---|",
    ...list,
    "",
    ...commands.map(commandSection),
  ].join("\n");
}

function commandSection({ name, summary, args = [], options = [], examples }: Command): string {
  const usage = `banksman ${[name, ...args.map((arg) => arg.name), ...(options.length > 0 ? ["[options]"] : [])].join(" ")}`;
  const rows = [
    ...args.map(({ name: arg, help }) => `| \`${arg}\` | ${help} |`),
    ...options.map(({ flags, help }) => `| \`${flags}\` | ${help} |`),
  ];
  const table = rows.length === 0 ? [] : ["| | |", "|---|---|", ...rows, ""];
  const shown = examples.map(({ run, does }) => `    ${run}\n        ${does}`);
  return [`## ${name}\n`, `${summary}.\n`, `    ${usage}\n`, ...table, "Examples:\n", ...shown, ""].join("\n");
}

function configurationPage(): string {
  const rows = SCHEMA.map((row) => {
    const marks = typeof row.guarded === "function" ? " **Trust.**" : "";
    return `| \`${row.key}\` | ${expectation(row)} | ${row.default === undefined ? "" : `\`${JSON.stringify(row.default)}\``} | ${row.help}${marks} |`;
  });
  const later = new Map<string, string[]>();
  for (const { prefix, part } of LATER) later.set(part, [...(later.get(part) ?? []), `\`${prefix}\``]);
  return [
    NOTE,
    "# Configuration\n",
    "Two files, both optional: `$XDG_CONFIG_HOME/banksman/config.toml` (yours; usually `~/.config/…`) and",
    "`.banksman/config.toml` in the repository, which wins key by key. `banksman init` writes the second with every key",
    "commented. A key that is not a setting is an error, with a suggestion; all problems of both files are reported at once.\n",
    "Keys marked **Trust** could change what is run, what you are asked or what is allowed. In the repository's file a",
    "value that widens what holds without it counts only after `banksman trust`, and only as you saw it; one that narrows",
    "it counts at once. (`default_cli` may name a CLI that banksman knows; your own ones need trust.)\n",
    "`*` is a name of your choice. For editors: [config.schema.json](config.schema.json).\n",
    "| key | takes | default | |",
    "|---|---|---|---|",
    ...rows,
    "\n## Taken, and not used yet\n",
    "These belong to parts that are not built yet. They are accepted, so that one file serves several versions.\n",
    ...[...later].map(([part, prefixes]) => `- ${part}: ${prefixes.join(", ")}`),
    "",
  ].join("\n");
}
