import {
  foldersBetween,
  looksUpward,
  takesWorktrees,
  whyAbove,
  whyNoLock,
} from "../../core/worktrees/above-worktree.ts";
import { isSettings } from "../../core/worktrees/named-files.ts";
import { type ObeyedFiles, whyUnseen, whyUntrusted } from "../../core/worktrees/set-up-files.ts";
import type { Files } from "../../ports/files.ts";
import { observeObeyed } from "./observe-obeyed.ts";

type Needs = Pick<Files, "readInside" | "listInside" | "digestInside">;

/**
 * Why the files of these names in a worktree may not be obeyed, for a person; null where they may. Package managers look
 * for settings in every folder above as well, so those up to the repository's root count too. `trusted` null: all may.
 */
export async function whyNotSetUp(
  files: Needs,
  { root, path }: { readonly root: string; readonly path: string },
  trusted: readonly ObeyedFiles[] | null,
  names: readonly string[],
): Promise<string | null> {
  if (trusted === null || names.length === 0) return null;
  const obeyed = await observeObeyed(files, path, names);
  const why = whyUntrusted(obeyed, trusted, path) ?? whyNoLock(names, obeyed);
  if (why !== null || !looksUpward(names)) return why;
  const between = foldersBetween(root, path);
  if (between.length === 0) return null;
  const inside = await Promise.all(
    between.map(async (folder) => (await files.listInside(root, folder)).map((name) => `${folder}/${name}`)),
  );
  return whyAbove(inside.flat()) ?? whyNotRoot(files, root, trusted, names);
}

async function whyNotRoot(
  files: Needs,
  root: string,
  trusted: readonly ObeyedFiles[],
  names: readonly string[],
): Promise<string | null> {
  const text = await files.readInside(root, "package.json").catch(() => null);
  if (text !== null && takesWorktrees(text)) return `package.json in ${root} names .banksman: take that out of it`;
  return whyUnseen(await observeObeyed(files, root, names.filter(isSettings)), trusted, root);
}
