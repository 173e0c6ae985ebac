import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { configFiles } from "../../config/load.ts";
import { readConfigText } from "../../config/read.ts";
import { dropSection, setKeys } from "../../config/write.ts";
import { paneProblem } from "../../core/agents/fits-pane.ts";
import { kindNamed } from "../../core/clis/kinds.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type CliSettings, resolveCli } from "../../core/session/settings.ts";
import { nearest } from "../../core/text/nearest.ts";
import { type Command, ERROR, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { refuseToTry, tryCli } from "../setup/try-cli.ts";
import { built, wireConfig, wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "clis",
  summary: "List the coding CLIs that agents can run; try one, add your own, remove one",
  args: [
    { name: "[verb]", help: "list (the default), test, add or remove." },
    { name: "[name]", help: "The CLI's name." },
    { name: "[command...]", help: "add: the program and its arguments." },
  ],
  options: [{ flags: "--protocol <kind>", help: "add: plain (the default) or events." }, JSON_OPTION],
  examples: [
    { run: "banksman clis list --json", does: "prints name, command, version, source and channels of each" },
    { run: "banksman clis test claude", does: "sends three short prompts to your own model, and shows what works" },
    { run: "banksman clis add mine -- my-agent --auto", does: "adds it to your own config, for all repositories" },
    { run: "banksman clis remove mine", does: "removes it from your own config" },
  ],
  async run({ args: [verb = "list", name, ...argv], options }, io) {
    if (verb === "list") return list(options.json === true, io);
    if (verb === "test" && name !== undefined) return test(name, options.json === true, io);
    if (verb === "add" && name !== undefined && argv.length > 0) return add(name, argv, options.protocol, io);
    if (verb === "remove" && name !== undefined) return remove(name, io);
    throw new Failed({
      kind: "usage",
      message: "clis takes list, test <name>, add <name> <command>, or remove <name>.",
      hint: "See `banksman clis --help`.",
    });
  },
};

async function list(json: boolean, io: Io): Promise<number> {
  const { settings } = wireConfig(await requireRepository(io), io.env);
  const found = await Promise.all(
    [...settings.clis.values()].map(async (cli) => ({
      name: cli.name,
      command: cli.argv.join(" "),
      version: await versionOf(cli, io),
      source: cli.source === "custom" ? "custom" : "detected",
      channels: channelsOf(cli),
    })),
  );
  if (json) printJson(io, found);
  else {
    const there = found.filter(({ version }) => version !== null);
    const missing = found.filter(({ version }) => version === null);
    for (const { name, command: line, version, source, channels } of there)
      io.out(`${name}  ${line}  ${version}  (${source}; ${channels.join(", ")})\n`);
    if (missing.length > 0) io.out(`Not found on your PATH: ${missing.map(({ name }) => name).join(", ")}.\n`);
  }
  return OK;
}

const channelsOf = (cli: CliSettings): string[] => {
  const { protocol } = cli;
  const kind = kindNamed(protocol);
  const tmux = paneProblem(cli) === null ? ["tmux"] : [];
  if (kind !== null) return [...kind.channels.map(({ name }) => name), ...tmux];
  return protocol === "events" ? ["headless", "tmux", "messages"] : ["headless", "tmux"];
};

async function test(name: string, json: boolean, io: Io): Promise<number> {
  const repository = await requireRepository(io);
  const cli = resolveCli(wireConfig(repository, io.env).settings, name);
  if ("kind" in cli) throw new Failed(cli);
  const refused = refuseToTry(cli);
  if (refused !== null) throw refused;
  const trials = await tryCli({
    cli,
    env: io.env,
    ports: wirePorts(repository, io.env),
    program: [process.execPath, built("bin.cjs")],
    onTrial: ({ what, status, detail, seconds }) => {
      if (!json)
        io.out(`${MARKS[status]} ${what.padEnd(11)}  ${detail}${seconds > 0 ? `  (${seconds.toFixed(1)} s)` : ""}\n`);
    },
  });
  if (json) printJson(io, { cli: cli.name, trials });
  return trials.some(({ status }) => status === "fails") ? ERROR : OK;
}

const MARKS = { works: "ok  ", cannot: "no  ", fails: "fail" } as const;

/** What it says of itself; null where it is not installed. */
function versionOf({ argv }: CliSettings, { env }: Io): Promise<string | null> {
  const [program = "", ...args] = argv;
  const given = program === process.execPath ? [...args.slice(0, 1), "--help"] : ["--version"];
  return new Promise((resolve) => {
    execFile(program, given, { env, timeout: 5_000 }, (error, out) => {
      if ((error as NodeJS.ErrnoException | null)?.code === "ENOENT") resolve(null);
      else resolve(/\d+\.\d+[\w.-]*/.exec(out)?.[0] ?? "version unknown");
    });
  });
}

function add(name: string, argv: readonly string[], protocol: unknown, io: Io): number {
  if (!/^[A-Za-z0-9_-]+$/.test(name))
    throw new Failed({
      kind: "usage",
      message: `${JSON.stringify(name)} cannot be a name.`,
      hint: "Letters, digits, - and _.",
    });
  if (protocol !== undefined && protocol !== "plain" && protocol !== "events")
    throw new Failed({ kind: "usage", message: "--protocol is plain or events.", hint: "See docs/guides/agents.md." });
  const keys = new Map<string, unknown>([[`clis.${name}.command`, [...argv]]]);
  if (typeof protocol === "string") keys.set(`clis.${name}.protocol`, protocol);
  const path = edit(io, (text) => setKeys(text, keys));
  io.out(`${name} is in ${path}.\n`);
  return OK;
}

function remove(name: string, io: Io): number {
  const path = edit(io, (text) => {
    const left = dropSection(text, `clis.${name}`);
    if (left !== null) return left;
    const keys = [...readConfigText("config.toml", text).values.keys()];
    const known = [...new Set(keys.flatMap((key) => /^clis\.([^.]+)\./.exec(key)?.[1] ?? []))];
    const near = nearest(name, known);
    const there = known.length === 0 ? "It has no CLI at all." : `It has: ${known.join(", ")}.`;
    const hint = near === null ? there : `Did you mean ${near}?`;
    throw new Failed({ kind: "usage", message: `There is no CLI ${JSON.stringify(name)} in your config.`, hint });
  });
  io.out(`${name} is no longer in ${path}.\n`);
  return OK;
}

/** The user's own file: what a repository's says is the repository's. Comments stay. */
function edit(io: Io, change: (text: string) => string): string {
  const path = configFiles({ root: "/", env: io.env }).global;
  const text = change(existsSync(path) ? readFileSync(path, "utf8") : "");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return path;
}
