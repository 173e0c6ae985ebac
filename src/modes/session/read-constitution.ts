import { constitutionPath, isTemplate } from "../../core/constitution.ts";
import { isInside } from "../../core/paths.ts";
import type { SessionSettings } from "../../core/settings.ts";
import type { Files } from "../../ports/files.ts";

export interface Constitution {
  readonly path: string;
  /** Null where somebody has named one that is not in the repository. */
  readonly text: string | null;
}

/** The project's principles, if it has any. */
export async function readConstitution(
  files: Files,
  root: string,
  settings: SessionSettings,
): Promise<Constitution | null> {
  const path = constitutionPath(settings);
  if (path === null) return null;
  const text = isInside(path) ? await files.read(`${root}/${path}`) : null;
  if (text === null) return settings.constitution === null ? null : { path, text };
  return text.trim() === "" || isTemplate(text) ? null : { path, text };
}
