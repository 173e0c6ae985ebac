import { pickKind, type Stage } from "../../core/conflicts/pick-kind.ts";
import type { ConflictKind } from "../../core/conflicts/prediction.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Pair } from "../../ports/predictor.ts";
import type { ByteName } from "./bytes.ts";
import type { GitCall, GitRunner } from "./run.ts";

/** What `git merge-tree` says of one pair. */
export interface Merged {
  readonly clean: boolean;
  readonly tree: string;
  /** Files that were merged by content. */
  readonly shared: readonly ByteName[];
  readonly conflicts: readonly ConflictedPath[];
}

interface ConflictedPath {
  readonly path: ByteName;
  /** Where the result tree has it; another name than `path` where something stood in its way. */
  readonly at: ByteName;
  readonly kind: ConflictKind;
}

const OPTIONS = ["-z", "--messages", "--allow-unrelated-histories"];
const BAD_USAGE = 129;
const CONFLICT = 1;

/** All of them in one process, 30 in the time of four calls; one by one where git cannot do that yet (2.38). */
export async function mergeTrees(git: GitRunner, pairs: readonly Pair[], call: GitCall): Promise<Merged[]> {
  const input = pairs.map(({ ours, theirs }) => `${ours} ${theirs}\n`).join("");
  const all = await git.run(["merge-tree", "--stdin", ...OPTIONS], { ...call, input, answers: [BAD_USAGE] });
  if (all.code !== BAD_USAGE) {
    const fields = new Fields(all.stdout);
    return pairs.map((pair) => readMerge(fields, pair, fields.next() === "1"));
  }
  const merged: Merged[] = [];
  for (const pair of pairs) {
    const args = ["merge-tree", "--write-tree", ...OPTIONS, pair.ours, pair.theirs];
    const one = await git.run(args, { ...call, answers: [CONFLICT] });
    merged.push(readMerge(new Fields(one.stdout), pair, one.code === 0));
  }
  return merged;
}

class Fields {
  private readonly all: readonly string[];
  private at = 0;

  /** One character per byte: there are file names among them. */
  constructor(bytes: Uint8Array) {
    this.all = Buffer.from(bytes).toString("latin1").split("\0");
  }

  /** Empty at the end of a list, and for ever after the last one. */
  next(): string {
    return this.all[this.at++] ?? "";
  }

  /** The next ones, as far as there are any. */
  take(count: number): string[] {
    const taken = this.all.slice(this.at, this.at + count);
    this.at += count;
    return taken;
  }
}

/** The result's tree, the versions git could not bring together, and what it says of paths. */
function readMerge(fields: Fields, pair: Pair, clean: boolean): Merged {
  const tree = fields.next();
  if (!/^[0-9a-f]{40,64}$/.test(tree))
    throw new Failed({ kind: "git.failed", command: "merge-tree", detail: "its answer is not understood" });
  const stages = new Map<ByteName, Stage[]>();
  for (let field = fields.next(); field !== ""; field = fields.next()) {
    const tab = field.indexOf("\t");
    const [mode = "", blob = "", stage] = field.slice(0, tab).split(" ");
    const at = field.slice(tab + 1);
    const known = stages.get(at);
    if (known === undefined) stages.set(at, [{ mode, blob, stage: Number(stage) }]);
    else known.push({ mode, blob, stage: Number(stage) });
  }
  const notes: Note[] = [];
  // Ends with an empty field, or with advice about submodules that is printed into it all.
  for (let count = fields.next(); /^\d+$/.test(count); count = fields.next()) {
    const paths = fields.take(Number(count));
    notes.push({ paths, name: fields.next() });
    fields.next();
  }
  const shared = notes.filter(({ name }) => name === "Auto-merging").flatMap(({ paths }) => paths.slice(0, 1));
  return { clean, tree, shared: [...new Set(shared)], conflicts: clean ? [] : conflictsOf(stages, notes, pair) };
}

interface Note {
  readonly paths: readonly ByteName[];
  readonly name: string;
}

/** A directory renamed to several places is a conflict in which no file has versions: then git's notes name the paths. */
function conflictsOf(
  stages: ReadonlyMap<ByteName, readonly Stage[]>,
  notes: readonly Note[],
  pair: Pair,
): ConflictedPath[] {
  const told = notes.filter(({ name }) => name.startsWith("CONFLICT"));
  const places = stages.size > 0 ? [...stages.keys()] : [...new Set(told.flatMap(({ paths }) => paths.slice(0, 1)))];
  const byPath = notesByPath(told);
  const found = new Map<ByteName, ConflictedPath>();
  for (const at of places) {
    const path = withoutSide(at, pair);
    const names = [...new Set([...(byPath.get(at) ?? []), ...(byPath.get(path) ?? [])])].map(({ name }) => name);
    if (!found.has(path)) found.set(path, { path, at, kind: pickKind(names, stages.get(at) ?? []) });
  }
  return [...found.values()];
}

function notesByPath(notes: readonly Note[]): Map<ByteName, Note[]> {
  const byPath = new Map<ByteName, Note[]>();
  for (const note of notes)
    for (const path of new Set(note.paths)) {
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, [note]);
      else known.push(note);
    }
  return byPath;
}

/** A file that cannot stay where it is, is put beside: `name~side`, and a number if that is taken, too. */
function withoutSide(at: ByteName, { ours, theirs }: Pair): ByteName {
  const side = [ours, theirs].find((each) => at.includes(`~${each}`));
  if (side === undefined) return at;
  const begin = at.lastIndexOf(`~${side}`);
  const rest = at.slice(begin + side.length + 1);
  return at.slice(0, begin) + rest.replace(/^_\d+/, "");
}
