import { askedPath } from "../../core/actions/asked-path.ts";
import { Failed } from "../../core/failure/failed.ts";
import { constitutionPath, isTemplate } from "../../core/session/constitution.ts";
import type { SessionSettings } from "../../core/session/settings.ts";
import type { Files } from "../../ports/files.ts";

export interface Constitution {
  readonly path: string;
  /** Null where somebody has named one that is not in the repository, or that may not be read. */
  readonly text: string | null;
  /** Why it may not be read. */
  readonly refused: string | null;
}

/** The project's principles, if it has any. */
export async function readConstitution(
  files: Pick<Files, "readInside">,
  root: string,
  settings: SessionSettings,
): Promise<Constitution | null> {
  const path = constitutionPath(settings);
  if (path === null) return null;
  const text = await readAsked(files, root, path);
  if (text !== null && typeof text === "object") return { path, text: null, refused: text.refused };
  if (text === null) return settings.constitution === null ? null : { path, text, refused: null };
  return text.trim() === "" || isTemplate(text) ? null : { path, text, refused: null };
}

async function readAsked(
  files: Pick<Files, "readInside">,
  root: string,
  name: string,
): Promise<string | null | { readonly refused: string }> {
  const asked = askedPath(name);
  if ("kind" in asked) return { refused: asked.kind === "path.refused" ? asked.why : "it cannot be read" };
  try {
    return await files.readInside(root, asked.path);
  } catch (error) {
    if (error instanceof Failed && error.failure.kind === "path.refused") return { refused: error.failure.why };
    throw error;
  }
}
