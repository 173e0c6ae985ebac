import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseHunks } from "../../core/conflicts/parse-hunks.ts";
import type { Hunk } from "../../core/conflicts/prediction.ts";
import type { Pair } from "../../ports/predictor.ts";
import { toBytes } from "./bytes.ts";
import { mergeTrees } from "./merge-trees.ts";
import { DRIVER_LABELS } from "./programs.ts";
import { readSmall } from "./read-small.ts";
import type { GitCall, GitRunner } from "./run.ts";

/** As long as no line of `=` in anybody's file is; a length the repository's attributes set is kept. */
const MARKER_SIZE = 199;
const LARGEST = 1024 * 1024;
const MOST_FILES = 100;

export interface FileHunks {
  readonly hunks: readonly Hunk[];
  readonly cut: boolean;
}

/**
 * The hunks of conflicted pairs, per pair by the path of its result tree. The merge is made once more for them, with
 * the base's lines beside: that style finds conflicts where the user's own may find none, so it cannot tell whether
 * there is one.
 */
export async function readHunks(
  git: GitRunner,
  pairs: readonly Pair[],
  call: GitCall & { readonly folder: string },
): Promise<Map<string, FileHunks>[]> {
  const attributes = await markerAttributes(git, call);
  const marked = git.with([
    ["merge.conflictStyle", "zdiff3"],
    ["core.attributesFile", attributes],
  ]);
  const merged = await mergeTrees(marked, pairs, call);
  const wanted = merged.flatMap(({ tree, conflicts }, pair) =>
    conflicts
      .filter(({ kind }) => kind === "content" || kind === "add/add" || kind.startsWith("rename/"))
      .slice(0, MOST_FILES)
      .map(({ at }) => ({ pair, at, name: `${tree}:${at}` })),
  );
  const found = merged.map(() => new Map<string, FileHunks>());
  const texts = await readTexts(
    git,
    wanted.map(({ name }) => name),
    call,
  );
  for (const [i, { pair, at }] of wanted.entries()) {
    const labels = labelsOf(pairs[pair] as Pair);
    const text = texts[i];
    found[pair]?.set(
      at,
      text === null || text === undefined ? { hunks: [], cut: text === null } : parseHunks(text, labels),
    );
  }
  return found;
}

const labelsOf = ({ ours, theirs }: Pair) => ({
  ours: [ours, DRIVER_LABELS.ours],
  theirs: [theirs, DRIVER_LABELS.theirs],
});

/** Git reads one such file only, so it begins with what the user's holds. */
async function markerAttributes(git: GitRunner, { folder, ...call }: GitCall & { folder: string }): Promise<string> {
  const path = join(folder, "attributes");
  if (existsSync(path)) return path;
  const set = await git.text(["config", "--type=path", "--get", "core.attributesFile"], { ...call, answers: [1] });
  const users = set === "" ? "" : readAttributes(set);
  writeFileSync(path, `${users}\n* conflict-marker-size=${MARKER_SIZE}\n`, { mode: 0o600 });
  return path;
}

/** What is no file, or no small one, has no attributes. */
function readAttributes(path: string): string {
  try {
    return readSmall(path, LARGEST);
  } catch {
    return "";
  }
}

/** The files' texts; undefined for what is no file, null for one that is too large. */
async function readTexts(
  git: GitRunner,
  names: readonly string[],
  call: GitCall,
): Promise<(string | null | undefined)[]> {
  if (names.length === 0) return [];
  const input = toBytes(names.map((name) => `${name}\0`).join(""));
  const format = "--batch-check=%(objecttype) %(objectsize) %(objectname)";
  const sizes = (await git.text(["cat-file", format, "-z"], { ...call, input }))
    .split("\n")
    .map((line) => line.split(" "));
  const small = new Set(
    sizes.filter(([type, size]) => type === "blob" && Number(size) <= LARGEST).map(([, , blob]) => blob),
  );
  const contents = await readBlobs(
    git,
    [...small].filter((blob) => blob !== undefined),
    call,
  );
  return names.map((_, i) => {
    const [type, , blob = ""] = sizes[i] ?? [];
    return type === "blob" ? (contents.get(blob) ?? null) : undefined;
  });
}

async function readBlobs(git: GitRunner, blobs: readonly string[], call: GitCall): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (blobs.length === 0) return found;
  const { stdout } = await git.run(["cat-file", "--batch"], {
    ...call,
    input: blobs.map((each) => `${each}\n`).join(""),
  });
  const bytes = Buffer.from(stdout);
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const [blob = "", , size] = bytes.toString("latin1", at, end).split(" ");
    found.set(blob, bytes.toString("utf8", end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return found;
}
