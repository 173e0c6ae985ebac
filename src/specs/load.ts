import { askedPath } from "../core/actions/asked-path.ts";
import { Failed } from "../core/failure/failed.ts";
import { readMarkdownSpecs } from "../core/specs/markdown.ts";
import { readOpenSpec } from "../core/specs/openspec.ts";
import { SPEC_TYPES, type SpecFiles, type Specs, type SpecType } from "../core/specs/spec.ts";
import { readSpecKit } from "../core/specs/speckit.ts";
import { readSuperpowers } from "../core/specs/superpowers.ts";
import type { Files as AllFiles } from "../ports/files.ts";

const SHARED = "specs";

/** Where each kind usually is, the likeliest place first. */
const FOLDERS: Readonly<Record<SpecType, readonly [string, ...string[]]>> = {
  openspec: ["openspec/changes"],
  markdown: [SHARED],
  speckit: [".specify/specs", SHARED],
  superpowers: ["docs/superpowers/plans"],
};

type Files = Pick<AllFiles, "readInside" | "listInside">;

const DEEPEST = 4;
const MOST_FILES = 2_000;
const MOST_REFUSED = 20;
const MOST_FOLDERS = 10_000;

export interface SpecPlace {
  readonly root: string;
  readonly type: SpecType | null;
  readonly dir: string | null;
  readonly prefix: string;
}

export interface LoadedSpecs extends Specs {
  readonly type: SpecType;
  readonly folder: string;
  /** Nobody named the kind: it was the only one there. */
  readonly guessed: boolean;
}

/**
 * What is written down and waits to be done. Without a kind the only one on disk is taken; several are asked about. A
 * kind of which nothing can be started counts only where no other has anything.
 */
export async function loadSpecs(files: Files, place: SpecPlace): Promise<LoadedSpecs> {
  if (place.type !== null) return loadType(files, place, place.type, false);
  const loaded = await Promise.all(SPEC_TYPES.map((type) => loadType(files, place, type, true)));
  const open = loaded.filter(({ entries }) => entries.length > 0);
  const found = open.length > 0 ? open : loaded.filter(({ warnings }) => warnings.length > 0);
  if (found.length > 1) throw new Failed({ kind: "spec.several", found: found.map(({ type }) => type) });
  const [only] = found;
  if (only === undefined)
    throw new Failed({ kind: "spec.none", looked: [...new Set(SPEC_TYPES.flatMap((type) => FOLDERS[type]))] });
  return only;
}

/** The kinds with something in one of their usual folders. */
export async function findSpecSystems(files: Files, root: string): Promise<SpecType[]> {
  const isThere = async (type: SpecType, folder: string): Promise<boolean> => {
    if (folder === SHARED)
      return [...(await readTexts(files, root, folder)).texts.keys()].some((name) => kindOf(name) === type);
    return (await files.listInside(root, folder).catch(() => [])).some((name) => !name.startsWith("."));
  };
  const found = await Promise.all(
    SPEC_TYPES.map((type) => Promise.all(FOLDERS[type].map((folder) => isThere(type, folder)))),
  );
  return SPEC_TYPES.filter((_, i) => found[i]?.includes(true));
}

/** Whose file it is in the folder that two kinds share: Spec Kit has a folder for each feature, markdown has none. */
function kindOf(path: string): SpecType | null {
  if (!path.includes("/")) return "markdown";
  return /^[^/]+\/(tasks|spec|plan)\.md$/.test(path) ? "speckit" : null;
}

/** Of several usual folders the first that has something of this kind. */
async function loadType(files: Files, place: SpecPlace, type: SpecType, guessed: boolean): Promise<LoadedSpecs> {
  const [usual, ...others] = FOLDERS[type];
  if (!guessed && place.dir !== null) {
    const asked = askedPath(place.dir);
    if ("kind" in asked) throw new Failed(asked);
    return loadFolder(files, place, { type, folder: asked.path, guessed });
  }
  const first = await loadFolder(files, place, { type, folder: usual, guessed });
  for (const folder of others) {
    if (first.entries.length + first.warnings.length > 0) break;
    const next = await loadFolder(files, place, { type, folder, guessed });
    if (next.entries.length + next.warnings.length > 0) return next;
  }
  return first;
}

async function loadFolder(
  files: Files,
  { root, prefix }: SpecPlace,
  from: Pick<LoadedSpecs, "type" | "folder" | "guessed">,
): Promise<LoadedSpecs> {
  const { texts, refused } = await readTexts(files, root, from.folder);
  const below = prefix.endsWith("/") ? prefix : `${prefix}/`;
  const specs = READERS[from.type](texts, below, from.folder);
  return { ...from, ...specs, warnings: [...refused, ...specs.warnings] };
}

const READERS: Readonly<Record<SpecType, (files: SpecFiles, prefix: string, folder: string) => Specs>> = {
  openspec: readOpenSpec,
  markdown: readMarkdownSpecs,
  speckit: (files, _, folder) => readSpecKit(files, folder),
  superpowers: readSuperpowers,
};

/**
 * Markdown files below a folder; everything else is looked into as a folder (`v2.0` is one), as far as it goes. What may
 * not be read (a link leads elsewhere, it is no file) is left out, with a word.
 */
async function readTexts(
  files: Files,
  root: string,
  folder: string,
): Promise<{ readonly texts: SpecFiles; readonly refused: readonly string[] }> {
  const texts = new Map<string, string>();
  const refused: string[] = [];
  const orRefused = async <T>(work: Promise<T>, path: string, nothing: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const { failure } = error;
      if (failure.kind === "path.refused") refused.push(`${path || folder} is not read: ${failure.why}`);
      return nothing;
    }
  };
  const at = (path: string) => [folder, path].filter((part) => part !== "").join("/");
  let listed = 0;
  const walk = async (below: string, depth: number): Promise<void> => {
    if (++listed > MOST_FOLDERS) return;
    for (const name of await orRefused(files.listInside(root, at(below)), below, [])) {
      if (texts.size >= MOST_FILES || refused.length >= MOST_REFUSED || name.startsWith(".")) continue;
      const path = below === "" ? name : `${below}/${name}`;
      const text = name.endsWith(".md") ? await orRefused(files.readInside(root, at(path)), path, null) : null;
      if (text !== null) texts.set(path, text);
      else if (depth < DEEPEST && !name.endsWith(".md")) await walk(path, depth + 1);
    }
  };
  await walk("", 1);
  return { texts, refused };
}
