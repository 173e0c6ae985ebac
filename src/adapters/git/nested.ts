import { dirname } from "node:path";
import { type ByteName, lookAt, readable } from "./bytes.ts";
import type { GitRunner } from "./run.ts";

const STATUS = [
  "status",
  "--porcelain=v2",
  "-z",
  "--untracked-files=normal",
  "--ignore-submodules=dirty",
  "--no-renames",
];
const GITLINK = /^(?:\S )?160000 [0-9a-f]+ \d\t/;
/** Deeper than anybody nests them. */
const DEEPEST = 8;
const NOT_A_REPOSITORY = 128;

/** The repositories that an index has as commits: names of `ls-files --stage -z`, with tags or without. */
export const gitlinksIn = (lines: readonly ByteName[]): ByteName[] =>
  lines.flatMap((line) => {
    const [head = ""] = GITLINK.exec(line) ?? [];
    return head === "" ? [] : [line.slice(head.length)];
  });

/**
 * Those of them that hold something their commit does not. Git would look into each by a process of its own, for which
 * that repository's config counts: programs named there would run. So each is looked at by a call of ours. What cannot be
 * looked at counts as touched.
 */
export async function touchedGitlinks(
  git: GitRunner,
  cwd: string,
  links: readonly ByteName[],
  depth = 1,
): Promise<ByteName[]> {
  const touched: ByteName[] = [];
  for (const name of links) if (await isTouched(git, cwd, name, depth)) touched.push(name);
  return touched;
}

async function isTouched(git: GitRunner, cwd: string, name: ByteName, depth: number): Promise<boolean> {
  if (lookAt(cwd, `${name}/.git`) === null) return false;
  // A name that is no text cannot be a folder to work in.
  if (depth > DEEPEST || Buffer.from(readable(name)).toString("latin1") !== name) return true;
  const folder = `${cwd}/${readable(name)}`;
  // Without a ceiling a folder that only looks like a repository would be taken for a part of the one around it.
  const call = { cwd: folder, env: { GIT_CEILING_DIRECTORIES: dirname(folder) }, answers: [NOT_A_REPOSITORY] };
  const status = await git.run(STATUS, call);
  if (status.code !== 0 || status.stdout.length > 0) return true;
  const links = gitlinksIn(await git.names(["ls-files", "--stage", "-z"], call));
  return (await touchedGitlinks(git, folder, links, depth + 1)).length > 0;
}
