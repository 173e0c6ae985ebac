import { Failed } from "../core/failure.ts";
import { readMarkdownSpecs } from "../core/specs/markdown.ts";
import { readOpenSpec } from "../core/specs/openspec.ts";
import { SPEC_TYPES, type SpecFiles, type Specs, type SpecType } from "../core/specs/spec.ts";
import { readSpecKit } from "../core/specs/speckit.ts";
import { readSuperpowers } from "../core/specs/superpowers.ts";
import type { Files as AllFiles } from "../ports/files.ts";

const FOLDERS: Readonly<Record<SpecType, string>> = {
  openspec: "openspec/changes",
  markdown: "specs",
  speckit: ".specify/specs",
  superpowers: "docs/superpowers/plans",
};

type Files = Pick<AllFiles, "read" | "list">;

const DEEPEST = 4;
const MOST_FILES = 2_000;

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

/** What is written down and waits to be done. Without a kind the only one on disk is taken; several are asked about. */
export async function loadSpecs(files: Files, place: SpecPlace): Promise<LoadedSpecs> {
  if (place.type !== null) return loadType(files, place, place.type, false);
  const loaded = await Promise.all(SPEC_TYPES.map((type) => loadType(files, place, type, true)));
  const found = loaded.filter(({ entries, warnings }) => entries.length + warnings.length > 0);
  if (found.length > 1) throw new Failed({ kind: "spec.several", found: found.map(({ type }) => type) });
  const [only] = found;
  if (only === undefined) throw new Failed({ kind: "spec.none", looked: SPEC_TYPES.map((type) => FOLDERS[type]) });
  return only;
}

/** The kinds whose usual folder is there with something in it. */
export async function findSpecSystems(files: Files, root: string): Promise<SpecType[]> {
  const names = await Promise.all(SPEC_TYPES.map((type) => files.list(`${root}/${FOLDERS[type]}`).catch(() => [])));
  return SPEC_TYPES.filter((_, i) => (names[i] ?? []).some((name) => !name.startsWith(".")));
}

async function loadType(files: Files, { root, dir, prefix }: SpecPlace, type: SpecType, guessed: boolean) {
  const folder = guessed || dir === null ? FOLDERS[type] : dir;
  const texts = await readTexts(files, `${root}/${folder}`);
  return { type, folder, guessed, ...READERS[type](texts, prefix.endsWith("/") ? prefix : `${prefix}/`) };
}

const READERS: Readonly<Record<SpecType, (files: SpecFiles, prefix: string) => Specs>> = {
  openspec: readOpenSpec,
  markdown: readMarkdownSpecs,
  speckit: readSpecKit,
  superpowers: readSuperpowers,
};

/** Markdown files below a folder; everything without an ending is taken for a folder, as far as it goes. */
async function readTexts(files: Files, folder: string): Promise<SpecFiles> {
  const texts = new Map<string, string>();
  const walk = async (below: string, depth: number): Promise<void> => {
    const names = await files.list(`${folder}${below}`).catch(() => []);
    for (const name of names) {
      if (texts.size >= MOST_FILES || name.startsWith(".")) continue;
      const path = `${below}/${name}`;
      const text = name.endsWith(".md") ? await files.read(`${folder}${path}`) : null;
      if (text !== null) texts.set(path.slice(1), text);
      else if (depth < DEEPEST && !name.includes(".")) await walk(path, depth + 1);
    }
  };
  await walk("", 1);
  return texts;
}
