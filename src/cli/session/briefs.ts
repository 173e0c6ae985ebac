import { realpathSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import type { Briefs } from "../../core/actions/session-actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { below } from "../../core/text/paths.ts";
import type { Input, Io } from "../command.ts";
import { findRepository } from "../wire/find-repository.ts";
import { wireFiles } from "../wire/wire-files.ts";

/**
 * `--message` is one text for all agents; `--brief` is a file with one, or a folder with one `<agent>.md` each. In the
 * repository files are read as everything there is; elsewhere they are the user's own.
 */
export async function readBriefs({ brief, message }: Input["options"], { cwd, env }: Io): Promise<Briefs> {
  if (typeof message === "string" && brief !== undefined) throw new Failed(TWO_TASKS);
  if (typeof message === "string") return { all: message, each: {}, folder: null };
  if (typeof brief !== "string") return { all: null, each: {}, folder: null };
  const path = resolve(realpathSync(cwd), brief);
  const root = findRepository(cwd, env)?.root ?? null;
  const files = wireFiles();
  const inside = root !== null && below(path, root) ? { root, name: relative(root, path) } : null;
  const read = (name: string) =>
    inside === null ? files.read(join(path, name)) : files.readInside(inside.root, join(inside.name, name));
  if (!isFolder(path)) {
    const all = await read("");
    if (all === null) throw new Failed(missing(path));
    return { all, each: {}, folder: null };
  }
  const names = inside === null ? await files.list(path) : await files.listInside(inside.root, inside.name);
  const texts = names
    .filter((name) => name.endsWith(".md"))
    .map(async (name) => [basename(name, ".md"), (await read(name)) ?? ""] as const);
  const each = Object.fromEntries((await Promise.all(texts)).filter(([, text]) => text.trim() !== ""));
  return { all: null, each, folder: path };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const TWO_TASKS: Failure = {
  kind: "usage",
  message: "--message and --brief both give the agents' task.",
  hint: "Leave one of them out.",
};

const missing = (path: string): Failure => ({
  kind: "usage",
  message: `Brief file ${path} does not exist.`,
  hint: "--brief takes a text file, or a folder with one <agent>.md file per agent.",
});
