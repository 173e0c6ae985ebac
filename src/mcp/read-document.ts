import type { FileText, RepositorySource } from "./sources.ts";

/** Enough for a long document or source file; more is cut, and said to be. */
const MOST_BYTES = 256 * 1024;

export const readDocument = (repository: RepositorySource, path: string): Promise<FileText | null> =>
  repository.read(path, MOST_BYTES);

/** Its text alone; null when there is none. */
export const textOf = async (repository: RepositorySource, path: string): Promise<string | null> =>
  (await readDocument(repository, path))?.text ?? null;
