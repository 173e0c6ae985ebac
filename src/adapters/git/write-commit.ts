import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import type { Commit } from "../../core/text/ids.ts";

/**
 * A commit as git would write it into a folder of loose objects, without a process for it: they are half of what a look
 * at an edit costs. Dated like any other: one older than its parents makes git walk all of history for a merge base.
 */
export function writeCommit(objects: string, tree: string, parents: readonly string[]): Commit {
  const who = `banksman <banksman@localhost> ${Math.floor(Date.now() / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`];
  const text = `${lines.join("\n")}\n\nbanksman: present\n`;
  const object = Buffer.from(`commit ${Buffer.byteLength(text)}\0${text}`);
  const id = createHash(tree.length === 40 ? "sha1" : "sha256")
    .update(object)
    .digest("hex");
  const folder = join(objects, id.slice(0, 2));
  const path = join(folder, id.slice(2));
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, deflateSync(object), { mode: 0o444 });
    renameSync(`${path}.new`, path);
  }
  return id as Commit;
}
