import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failed } from "../../core/failure/failed.ts";
import { isInside } from "../../core/text/paths.ts";
import { readBatch, readSizes } from "./batch.ts";
import { hashFiles } from "./blobs.ts";
import { type ByteName, lookAt, onDisk, readable, throughLink } from "./bytes.ts";
import { readBytes } from "./read-small.ts";
import type { GitRunner } from "./run.ts";
import { fileAt } from "./status.ts";

/** One path at which a backup differs from the commit it is laid over. */
export interface Difference {
  readonly path: ByteName;
  readonly mode: string;
  readonly blob: string;
  /** What the commit has there. */
  readonly before: string;
}

const GONE = "000000";
const REPOSITORY = "160000";
const LINK = "120000";

/** So much content is in memory at a time; a larger file is written by git itself. */
const BATCH_BYTES = 64 * 1024 * 1024;
const LARGE_BYTES = 8 * 1024 * 1024;
/** Files in a row before others have their turn. */
const AT_A_STRETCH = 200;

/** Deletions come first, so that a file may take the place of a folder and the other way round. */
export async function differences(git: GitRunner, from: string, to: string): Promise<Difference[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--end-of-options", from, to];
  const fields = await git.names(args);
  const found: Difference[] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode = "", before = "", blob = ""] = (fields[i] ?? "").split(" ");
    found.push({ path: fields[i + 1] ?? "", mode, blob, before });
  }
  return found.sort((a, b) => Number(b.mode === GONE) - Number(a.mode === GONE));
}

/** A backup is a ref that an agent could have made: no name in it leads out of the worktree. */
export function checkNames(changes: readonly Difference[]): void {
  for (const { path } of changes)
    if (!isInside(path) || path.split("/").some((part) => part.toLowerCase() === ".git"))
      throw new Failed({ kind: "file.failed", path: readable(path), detail: "a backup may not hold such a name" });
}

interface Laying {
  /** An earlier attempt has laid some of them. */
  readonly goesOn: boolean;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Lays all of them, by a few processes however many there are: 60,000 small files by two. */
export async function layFiles(
  git: GitRunner,
  root: string,
  changes: readonly Difference[],
  { goesOn, onProgress = () => {} }: Laying,
): Promise<void> {
  const left = goesOn ? await notYetLaid(git, root, changes) : changes;
  const total = changes.length;
  let done = total - left.length;
  onProgress(done, total);
  const laid = async () => {
    done++;
    if (done % AT_A_STRETCH !== 0) return;
    onProgress(done, total);
    await nextTurn();
  };
  for (const batch of await batches(git, left)) {
    const small = batch.large ? new Map<string, Buffer>() : await readBatch(git, blobsOf(batch.changes));
    for (const change of batch.changes) {
      const { path, mode, blob } = change;
      clearPlace(root, path);
      if (mode !== GONE && mode !== REPOSITORY) {
        if (batch.large) await layLarge(git, root, change);
        else layBytes(root, change, small.get(blob) ?? missing(path));
      }
      await laid();
    }
  }
  onProgress(total, total);
}

const missing = (path: ByteName): never => {
  throw new Failed({
    kind: "file.failed",
    path: readable(path),
    detail: "the backup does not hold its content any more",
  });
};

interface Batch {
  readonly large: boolean;
  readonly changes: Difference[];
}

/** In their order; a large file by itself. */
async function batches(git: GitRunner, changes: readonly Difference[]): Promise<Batch[]> {
  const withContent = blobsOf(changes);
  const sizes = new Map((await readSizes(git, withContent)).map((size, i) => [withContent[i], size ?? 0]));
  const found: Batch[] = [];
  let bytes = 0;
  for (const change of changes) {
    const size = hasContent(change) ? (sizes.get(change.blob) ?? 0) : 0;
    const large = size > LARGE_BYTES && change.mode !== LINK;
    const last = found.at(-1);
    bytes += size;
    if (last === undefined || last.large || large || bytes > BATCH_BYTES) {
      found.push({ large, changes: [change] });
      bytes = size;
    } else last.changes.push(change);
  }
  return found;
}

const hasContent = ({ mode }: Difference): boolean => mode !== GONE && mode !== REPOSITORY;

const blobsOf = (changes: readonly Difference[]): string[] => [
  ...new Set(changes.filter(hasContent).map(({ blob }) => blob)),
];

/** Nothing is written through a link. */
function clearPlace(root: string, path: ByteName): void {
  if (throughLink(root, path))
    throw new Failed({ kind: "file.failed", path: readable(path), detail: "a link leads elsewhere" });
  const target = onDisk(root, path);
  if (lookAt(root, path)?.isDirectory()) removeEmptyFolder(target);
  else rmSync(target, { force: true });
}

/** A folder whose files went before; one that holds a file is not ours to remove. */
function removeEmptyFolder(folder: Buffer): void {
  for (const name of readdirSync(folder, { encoding: "buffer" }))
    removeEmptyFolder(Buffer.concat([folder, Buffer.from("/"), name]));
  rmdirSync(folder);
}

function layBytes(root: string, { path, mode }: Difference, bytes: Buffer): void {
  const target = onDisk(root, path);
  mkdirSync(onDisk(root, dirname(path)), { recursive: true });
  if (mode === LINK) return symlinkSync(bytes, target);
  const file = openSync(target, "wx", modeBits(mode));
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
  chmodSync(target, modeBits(mode));
}

/** Beside, and moved to its place when it is whole: what lies there is never a part of it. */
async function layLarge(git: GitRunner, root: string, { path, mode, blob }: Difference): Promise<void> {
  const beside = onDisk(root, `${path}.banksman-restoring`);
  mkdirSync(onDisk(root, dirname(path)), { recursive: true });
  rmSync(beside, { force: true });
  await git.run(["cat-file", "blob", blob], { output: beside, timeoutMs: LARGE_TIMEOUT_MS });
  chmodSync(beside, modeBits(mode));
  renameSync(beside, onDisk(root, path));
}

const LARGE_TIMEOUT_MS = 10 * 60_000;

const modeBits = (mode: string): number => (mode === "100755" ? 0o755 : 0o644);

/**
 * What an attempt that was cut short has not laid yet. A file that is neither the backup's, nor what the checkout put
 * there, nor a beginning of the backup's, is somebody's: then nothing is laid.
 */
async function notYetLaid(git: GitRunner, root: string, changes: readonly Difference[]): Promise<Difference[]> {
  const present = changes.flatMap((change) => {
    const stat = throughLink(root, change.path) ? null : fileAt(root, change.path);
    return stat === null ? [] : [{ name: change.path, stat, change }];
  });
  const hashes = await hashFiles(git, { cwd: root }, present);
  const now = new Map(present.map(({ name, stat }, i) => [name, { hash: hashes[i] ?? "", stat }]));
  const left: Difference[] = [];
  const strange: Difference[] = [];
  for (const change of changes) {
    const there = now.get(change.path);
    const isRun = there !== undefined && !there.stat.isSymbolicLink() && (there.stat.mode & 0o100) !== 0;
    if (there?.hash === change.blob && isRun === (change.mode === "100755")) continue;
    if (change.mode === GONE && there === undefined) continue;
    left.push(change);
    if (there !== undefined && ![change.before, change.blob].includes(there.hash)) strange.push(change);
  }
  const contents = await readBatch(git, blobsOf(strange));
  for (const change of strange) {
    const stat = fileAt(root, change.path);
    const isBeginning = stat?.isFile() === true && stat.size <= LARGE_BYTES && isPrefix(root, change, contents);
    if (!isBeginning) throw new Failed({ kind: "backup.half-restored", path: root, file: readable(change.path) });
  }
  return left;
}

const isPrefix = (root: string, { path, blob }: Difference, contents: ReadonlyMap<string, Buffer>): boolean => {
  const there = readBytes(onDisk(root, path));
  return contents.get(blob)?.subarray(0, there.length).equals(there) === true;
};
