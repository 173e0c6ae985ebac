/**
 * Where the client works, read from what it tells the model about its surroundings: some tools want absolute paths, and
 * a script is easier to write with relative ones. Null when it does not say. `raw` is the request's body as it came.
 */
export function workFolder(raw: string): string | null {
  const said = /(?:working directory|working in the directory|cwd)\W[^/]{0,40}?(\/[^\s"'<>\\`]+)/i.exec(raw)?.[1];
  return said?.replace(/[.,;:/]+$/, "") ?? null;
}
