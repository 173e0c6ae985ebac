import { Failed } from "../../core/failure/failed.ts";
import { NOT_A_FILE } from "../../core/text/paths.ts";
import { isSettings, leadsOut, mayNameFiles, namedIn } from "../../core/worktrees/named-files.ts";
import { LEADS_OUT, type ObeyedFiles, obeyedPart, UNREADABLE } from "../../core/worktrees/set-up-files.ts";
import type { Files } from "../../ports/files.ts";

type Needs = Pick<Files, "readInside" | "listInside" | "digestInside">;

/** More than any project has; beyond that it cannot be trusted by looking at it. */
const MOST_FILES = 200;
const LONGEST_TEXT = 256 * 1024;

/**
 * The files by which a set-up decides what it runs, as they are in a checkout: those of `names`, and what these name
 * themselves. Digest by name.
 */
export async function observeObeyed(files: Needs, root: string, names: readonly string[]): Promise<ObeyedFiles> {
  const found: Record<string, string> = {};
  const wanted = await expand(files, root, names);
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (Object.hasOwn(found, name)) continue;
    const digest = await digestOf(files, root, name, names.includes(name));
    if (digest === null) continue;
    found[name] = Object.keys(found).length >= MOST_FILES ? UNREADABLE : digest;
    if (found[name] === UNREADABLE) return found;
    const text = mayNameFiles(name) ? await files.readInside(root, name).catch(() => null) : null;
    if (text === null) continue;
    if (isSettings(name) && leadsOut(text)) found[name] = LEADS_OUT;
    else if (text.length <= LONGEST_TEXT) wanted.push(...namedIn(text, folderOf(name)));
  }
  return found;
}

/** Folders as the files below them. */
async function expand(files: Needs, root: string, names: readonly string[]): Promise<string[]> {
  const folders = names.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1));
  const inside = await Promise.all(
    folders.map(async (folder) =>
      (await files.listInside(root, folder).catch(() => [])).map((name) => `${folder}/${name}`),
    ),
  );
  return [...names.filter((name) => !name.endsWith("/")), ...inside.flat().sort()];
}

/** Null for what is not there; and for a word that is no file's name after all. */
async function digestOf(files: Needs, root: string, name: string, sure: boolean): Promise<string | null> {
  try {
    return await files.digestInside(root, name, obeyedPart(name));
  } catch (error) {
    const why = error instanceof Failed && error.failure.kind === "path.refused" ? error.failure.why : null;
    return !sure && why === NOT_A_FILE ? null : UNREADABLE;
  }
}

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf("/")));
