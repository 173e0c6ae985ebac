import { spawnSync } from "node:child_process";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure/failed.ts";
import { sessionName } from "../../core/text/naming.ts";
import { nearest } from "../../core/text/nearest.ts";
import { stripEscapes } from "../../core/text/strip-escapes.ts";
import type { Files } from "../../ports/files.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { wireFiles } from "../wire/wire-files.ts";

export const command: Command = {
  name: "replay",
  summary: "Print the output an agent's pane has shown, even after the agent is gone",
  args: [{ name: "[agent]", help: "The agent's id or branch." }],
  options: [
    { flags: "--list", help: "List the logs." },
    { flags: "--color", help: "Keep colours, and open $PAGER or `less -R`." },
    { flags: "--session <name>", help: "Use the logs of another session of this repository." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman replay feat-auth", does: "prints it as plain text" },
    { run: "banksman replay --list", does: "lists agent, size and time of each log" },
  ],
  async run({ args: [name], options }, io) {
    const repository = await requireRepository(io);
    const session =
      typeof options.session === "string" ? options.session : sessionName(repository.project, repository.commonDir);
    const folder = `.banksman/logs/${session.replaceAll("/", "")}`;
    const files = wireFiles();
    const logs = await list(files, repository.root, folder);
    if (options.list || name === undefined) {
      if (options.json) printJson(io, logs);
      else if (logs.length === 0) io.out("There are no logs.\n");
      else for (const { agent, bytes, at } of logs) io.out(`${agent}  ${bytes} bytes  ${at}\n`);
      return OK;
    }
    const agent = logs.find((log) => log.agent === name || log.agent === name.replaceAll("/", "-"))?.agent;
    if (agent === undefined) {
      const known = logs.map((log) => log.agent);
      throw new Failed({ kind: "agent.unknown", agent: name, known, near: nearest(name, known) });
    }
    const names = [`${agent}.log.1`, `${agent}.log`].map((each) => `${folder}/${each}`);
    const parts = await Promise.all(names.map((each) => files.readInside(repository.root, each, MOST_BYTES)));
    if (options.color && io.interactive) {
      const there = names.filter((_, at) => parts[at] !== null);
      return page(
        there.map((each) => join(repository.root, each)),
        io.env,
      );
    }
    io.out(`${stripEscapes(parts.map((part) => part ?? "").join("")).trimEnd()}\n`);
    return OK;
  },
};

/** Several times what a log is allowed to grow to. */
const MOST_BYTES = 64 * 1024 * 1024;

async function list(
  files: Files,
  root: string,
  folder: string,
): Promise<{ agent: string; bytes: number; at: string }[]> {
  const names = (await files.listInside(root, folder)).filter((name) => name.endsWith(".log"));
  return names.flatMap((name) => {
    const stat = lstatSync(join(root, folder, name), { throwIfNoEntry: false });
    if (!stat?.isFile()) return [];
    return [{ agent: name.slice(0, -".log".length), bytes: stat.size, at: stat.mtime.toISOString() }];
  });
}

/** The pager is the user's own choice, and the one thing here that a shell reads. */
function page(files: readonly string[], env: NodeJS.ProcessEnv): number {
  const pager = env.PAGER || "less -R";
  return spawnSync("sh", ["-c", `${pager} "$@"`, "pager", ...files], { stdio: "inherit", env }).status ?? 1;
}
