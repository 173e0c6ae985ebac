import type { Corrupt, Epic } from "../../core/epic/epic.ts";
import { parseWith } from "../../core/epic/parse-with.ts";
import { readPlainFront } from "../../core/epic/plain-front.ts";

/** `parseEpic`, with YAML loaded only for a frontmatter that needs it. */
export async function readEpic(text: string, called: string): Promise<Epic | Corrupt> {
  const front = readPlainFront(text) ?? (await import("../../core/epic/yaml-front.ts")).readYamlFront(text);
  return parseWith(front, text, called);
}
