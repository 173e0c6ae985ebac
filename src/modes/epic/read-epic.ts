import type { Corrupt, Epic } from "../../core/epic/file/epic.ts";
import { parseWith } from "../../core/epic/file/parse-with.ts";
import { readPlainFront } from "../../core/epic/file/plain-front.ts";

/** `parseEpic`, with YAML loaded only for a frontmatter that needs it. */
export async function readEpic(text: string, called: string): Promise<Epic | Corrupt> {
  const front = readPlainFront(text) ?? (await import("../../core/epic/file/yaml-front.ts")).readYamlFront(text);
  return parseWith(front, text, called);
}
