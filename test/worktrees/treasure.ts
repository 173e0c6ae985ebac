import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GIT_ENV, type TempRepository } from "../git-repository.ts";

/** Everything a worktree holds: each file with what its bytes are called, each commit with where it lies. */
export interface Treasure {
  readonly files: ReadonlyMap<string, string>;
  readonly commits: ReadonlyMap<string, string>;
}

/** Our own files in a worktree: they are written at each launch. */
const OWN = ".banksman";

/**
 * Read from disk, before anything is done to it. `record` is git's folder for the worktree. A bare repository that git
 * does not ignore is files like any others.
 */
export function treasureOf(repo: TempRepository, path: string, record: string): Treasure {
  const files = new Map<string, string>();
  const commits = new Map<string, string>();
  const take = (gitDir: string) => {
    for (const commit of commitsIn(repo, gitDir)) commits.set(commit, gitDir);
  };
  const walk = (folder: string) => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const file = join(folder, name);
      const stat = lstatSync(file);
      if (name === ".git" && stat.isDirectory()) take(file);
      else if (stat.isDirectory() && name !== OWN) walk(file);
      else if (stat.isFile() && !(name === ".git" && isPointer(file))) files.set(file, blobOf(readFileSync(file)));
    }
    if (folder.includes("/ignored/") && existsSync(join(folder, "objects"))) take(folder);
  };
  walk(path);
  const modules = join(record, "modules");
  for (const name of existsSync(modules) ? readdirSync(modules) : []) take(join(modules, name));
  for (const commit of loggedIn(record)) commits.set(commit, record);
  return { files, commits };
}

/** Every commit at which HEAD of a worktree ever was. */
function loggedIn(record: string): string[] {
  const log = join(record, "logs/HEAD");
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return lines.map((line) => line.split(" ")[1] ?? "").filter((oid) => /[1-9a-f]/.test(oid));
}

/** What of it is neither on disk any more, nor reachable from a ref, nor in one of the repositories outside that it came from. */
export function lostOf(repo: TempRepository, { files, commits }: Treasure): string[] {
  const held = heldBy(repo);
  const lost = [...files].filter(
    ([file, blob]) => !held.has(blob) && !(existsSync(file) && blobOf(readFileSync(file)) === blob),
  );
  const gone = [...commits].filter(
    ([commit, gitDir]) =>
      !held.has(commit) && !(existsSync(gitDir) && [...commitsIn(repo, gitDir), ...loggedIn(gitDir)].includes(commit)),
  );
  return [...lost.map(([file]) => file), ...gone.map(([commit, gitDir]) => `${commit} of ${gitDir}`)];
}

function heldBy(repo: TempRepository): ReadonlySet<string> {
  const outside = readdirSync(repo.folder)
    .map((name) => join(repo.folder, name))
    .filter((folder) => existsSync(join(folder, ".git")) && folder !== repo.root);
  const listed = [repo.root, ...outside].map((folder) => repo.gitIn(folder, "rev-list", "--objects", "--glob=refs/"));
  return new Set(listed.flatMap((text) => text.split("\n").map((line) => line.split(" ")[0] ?? "")));
}

function commitsIn(repo: TempRepository, gitDir: string): string[] {
  try {
    const args = ["--git-dir", gitDir, "rev-list", "--all", "--reflog"];
    const text = execFileSync("git", args, { cwd: repo.root, env: GIT_ENV, stdio: "pipe", encoding: "utf8" });
    return text.trim().split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

const isPointer = (file: string): boolean => /^(gitdir: .*)?$/.test(readFileSync(file, "utf8").trim());

const blobOf = (bytes: Buffer): string =>
  createHash("sha1")
    .update(Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]))
    .digest("hex");
