import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Failed } from "../../core/failure.ts";
import { sessionName } from "../../core/naming.ts";
import { nearest } from "../../core/nearest.ts";
import { stripEscapes } from "../../core/strip-escapes.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireHere } from "../here.ts";

export const command: Command = {
  name: "replay",
  summary: "Read what an agent's pane has shown, also after it is gone",
  args: [{ name: "[agent]", help: "Whose; its id, or its branch." }],
  options: [
    { flags: "--list", help: "Which logs there are." },
    { flags: "--color", help: "As it was, with colours, in $PAGER or `less -R`." },
    { flags: "--session <name>", help: "Of another session of this repository." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman replay feat-auth", does: "as plain text" },
    { run: "banksman replay --list", does: "agent, size and time of each log" },
  ],
  async run({ args: [name], options }, io) {
    const here = await requireHere(io);
    const session = typeof options.session === "string" ? options.session : sessionName(here.project, here.commonDir);
    const folder = join(here.root, ".banksman/logs", session.replaceAll("/", ""));
    const logs = list(folder);
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
    const files = [join(folder, `${agent}.log.1`), join(folder, `${agent}.log`)].filter((path) => existsSync(path));
    if (options.color && io.interactive) return page(files, io.env);
    io.out(`${stripEscapes(files.map((path) => readFileSync(path, "utf8")).join("")).trimEnd()}\n`);
    return OK;
  },
};

function list(folder: string): { agent: string; bytes: number; at: string }[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".log")) : [];
  return names.map((name) => {
    const { size, mtime } = statSync(join(folder, name));
    return { agent: name.slice(0, -".log".length), bytes: size, at: mtime.toISOString() };
  });
}

/** The pager is the user's own choice, and the one thing here that a shell reads. */
function page(files: readonly string[], env: NodeJS.ProcessEnv): number {
  const pager = env.PAGER || "less -R";
  return spawnSync("sh", ["-c", `${pager} "$@"`, "pager", ...files], { stdio: "inherit", env }).status ?? 1;
}
