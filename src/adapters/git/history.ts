import type { KnownChange } from "../../core/gates/changed-files.ts";
import type { Commit } from "../../core/text/ids.ts";
import type { Command } from "../../ports/command.ts";
import type { History, LineChanges } from "../../ports/history.ts";
import { readBatch, readSizes } from "./batch.ts";
import { readable } from "./bytes.ts";
import { resolveCommit } from "./objects.ts";
import { GitRunner } from "./run.ts";

const MOST_COMMITS = 100_000;
const MOST_BYTES = 512 * 1024;
/** Of all texts that are asked for at once. */
const MOST_BYTES_TOGETHER = 64 * 1024 * 1024;
/** A program takes no more arguments than these, of about 2 MB. */
const MOST_ARGUMENT_BYTES = 256 * 1024;
const MOST_DIFF_BYTES = 4 * 1024 * 1024;
const MOST_REMEMBERED = 32;
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color"];

/** History by git's own plumbing. */
export function createHistory(command: Command, commonDir: string, env: NodeJS.ProcessEnv): History {
  const git = new GitRunner(command, commonDir, env, { commonDir });
  const trees = new Remembered<string>();
  const files = new Remembered<ReadonlyMap<string, string>>();
  return {
    async commitOf(name) {
      // git would take a tag of that name first, and what is there already counts as landed.
      const isPlain = !name.startsWith("refs/") && !/^[0-9a-f]{40,64}$/.test(name);
      const branch = isPlain ? await resolveCommit(git, `refs/heads/${name}`) : null;
      return branch ?? resolveCommit(git, name);
    },
    treeOf: (commit) =>
      trees.get(commit, commit, () => git.text(["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`])),
    async isContained(commit, other) {
      const { code } = await git.run(["merge-base", "--is-ancestor", commit, other], { answers: [1] });
      return code === 0;
    },
    async mergeBase(one, other) {
      const found = await git.text(["merge-base", one, other], { answers: [1] });
      return found === "" ? null : (found.split("\n")[0] as Commit);
    },
    async graph(tips, not) {
      if (tips.length === 0) return new Map();
      const args = ["rev-list", "--parents", `--max-count=${MOST_COMMITS}`, "--stdin"];
      const text = await git.text(args, { input: [...tips, `^${not}`, ""].join("\n") });
      const rows = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => line.split(" ") as Commit[]);
      return new Map(rows.map(([commit, ...parents]) => [commit as Commit, parents]));
    },
    changes: (from, to) => readChanges(git, from, to),
    ids: (commit, paths, objects = []) => readIds(git, commit, paths, objects),
    // One file by itself is a config, which is asked for at every step of a landing.
    texts: (commit, paths) =>
      paths.length === 1
        ? files.get(commit, `${commit} ${paths[0]}`, () => readTexts(git, commit, paths))
        : readTexts(git, commit, paths),
    paths: async (commit) =>
      (await git.names(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit])).map(readable),
    lines: (from, to, paths) => readLines(git, from, to, paths),
  };
}

/** What never changes, because a whole id stands for it: the few that were asked for last. */
class Remembered<T> {
  private readonly known = new Map<string, T>();

  async get(commit: string, key: string, read: () => Promise<T>): Promise<T> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = await read();
    if (/^[0-9a-f]{40,64}$/.test(commit)) this.known.set(key, value);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST_REMEMBERED) break;
      this.known.delete(oldest);
    }
    return value;
  }
}

async function readChanges(git: GitRunner, from: Commit, to: Commit): Promise<KnownChange[]> {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--find-renames", "--no-commit-id", from, to];
  return parseRaw(await git.names(args));
}

/** `:<mode> <mode> <id> <id> M\0path\0`, and for a rename `… R096\0from\0path\0`. */
function parseRaw(fields: readonly string[]): KnownChange[] {
  const files: KnownChange[] = [];
  for (let i = 0; i + 1 < fields.length; ) {
    const [modeBefore = "", modeAfter = "", before = "", after = "", status = ""] = (fields[i++] ?? "")
      .slice(1)
      .split(" ");
    const ids = [idOf(modeBefore, before), idOf(modeAfter, after)] as const;
    const path = readable(fields[i++] ?? "");
    if (status[0] === "R" || status[0] === "C") {
      const to = readable(fields[i++] ?? "");
      files.push(status[0] === "R" ? { path: to, how: "renamed", from: path, ids } : { path: to, how: "added", ids });
    } else files.push({ path, how: status === "A" ? "added" : status === "D" ? "deleted" : "changed", ids });
  }
  return files;
}

/** With its mode: a link is another content than a file with the same bytes. */
const idOf = (mode: string, id: string): string => (/^0+$/.test(mode) ? "" : `${mode} ${id}`);

async function readIds(
  git: GitRunner,
  commit: Commit,
  paths: readonly string[],
  objects: readonly string[],
): Promise<Map<string, string>> {
  const names = paths.map((path) => path.replace(/\/$/, ""));
  const env: Readonly<Record<string, string>> =
    objects.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.join(":") };
  const args = ["--literal-pathspecs", "ls-tree", "-z", "--full-tree", commit, "--", ...names];
  const lines = await git.names(args, { env });
  return new Map(
    lines.flatMap((line) => {
      const [, id, name] = /^\d+ \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return id === undefined || name === undefined ? [] : [[readable(name), id] as const];
    }),
  );
}

/** By their ids: a path can hold a line end, which would be another request. */
async function readTexts(git: GitRunner, commit: Commit, paths: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (paths.length === 0) return texts;
  const args = ["--literal-pathspecs", "ls-tree", "-z", "-r", "--full-tree", commit, "--"];
  const lines: string[] = [];
  for (const some of inArguments(paths)) lines.push(...(await git.names([...args, ...some])));
  const entries = lines.flatMap((line) => {
    const [, mode, type, id, name] = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return type === "blob" && mode !== "120000" && id !== undefined ? [{ id, path: readable(name ?? "") }] : [];
  });
  const sizes = await readSizes(
    git,
    entries.map(({ id }) => id),
  );
  let room = MOST_BYTES_TOGETHER;
  const small = entries.filter((_, i) => {
    const size = sizes[i] ?? MOST_BYTES + 1;
    if (size > MOST_BYTES || size > room) return false;
    room -= size;
    return true;
  });
  const contents = await readBatch(git, [...new Set(small.map(({ id }) => id))]);
  for (const { id, path } of small) {
    const bytes = contents.get(id);
    if (bytes !== undefined && !bytes.includes(0)) texts.set(path, bytes.toString("utf8"));
  }
  return texts;
}

async function readLines(
  git: GitRunner,
  from: Commit,
  to: Commit,
  paths: readonly string[],
): Promise<readonly LineChanges[]> {
  if (paths.length === 0) return [];
  const args = ["--literal-pathspecs", "diff-tree", "-r", "-p", "-U0", "--no-renames", "--no-prefix", ...PLAIN];
  const found: LineChanges[] = [];
  let room = MOST_DIFF_BYTES;
  for (const some of inArguments(paths)) {
    const { stdout } = await git.run([...args, from, to, "--", ...some]);
    found.push(...parseLines(Buffer.from(stdout).subarray(0, Math.max(0, room)).toString("utf8")));
    room -= stdout.length;
  }
  return found;
}

/** As many at a time as can be arguments. */
function inArguments(paths: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1;
    if (size > room) {
      chunks.push([]);
      room = MOST_ARGUMENT_BYTES;
    }
    chunks.at(-1)?.push(path);
    room -= size;
  }
  return chunks;
}

function parseLines(diff: string): LineChanges[] {
  const found: { path: string; added: string[]; removed: string[] }[] = [];
  let inHunk = false;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) inHunk = false;
    else if (line.startsWith("@@")) inHunk = true;
    else if (!inHunk && line.startsWith("--- ")) found.push({ path: pathOf(line), added: [], removed: [] });
    else if (!inHunk && line.startsWith("+++ ") && pathOf(line) !== "/dev/null")
      Object.assign(found.at(-1) ?? {}, { path: pathOf(line) });
    else if (inHunk && line.startsWith("+")) found.at(-1)?.added.push(line.slice(1));
    else if (inHunk && line.startsWith("-")) found.at(-1)?.removed.push(line.slice(1));
  }
  return found;
}

/** git ends a name that holds a space with a tab. */
const pathOf = (line: string): string => line.slice(4).replace(/\t$/, "");
