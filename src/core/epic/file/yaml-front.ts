import { isMap, isNode, isScalar } from "yaml";
import { readYaml } from "../../text/read-yaml.ts";
import { boundFront, type Front, type KeyPlace } from "./front.ts";

/** The YAML between two `---` lines at the top, with where each key stands; a sentence where it cannot be used. */
export function readYamlFront(text: string): Front | string {
  const bounds = boundFront(text);
  if (typeof bounds === "string") return bounds;
  const { start, end, body } = bounds;
  const document = readYaml(text.slice(start, end));
  if (typeof document === "string") return `its frontmatter cannot be read: ${document}`;
  if (!isMap(document.contents) || document.contents.flow) return "its frontmatter is not a list of keys, one per line";
  const keys = new Map<string, KeyPlace>();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key) || !key.range) continue;
    const [from, to] = isNode(value) && value.range ? value.range : ([key.range[1] + 1, key.range[1] + 1] as const);
    // A block of text takes the end of its last line with it, which the next key needs.
    const [valueStart, valueEnd] = [start + from, start + from + text.slice(start + from, start + to).trimEnd().length];
    keys.set(String(key.value), {
      lineStart: text.lastIndexOf("\n", start + key.range[0] - 1) + 1,
      lineEnd: lineEndAfter(text, Math.max(valueEnd - 1, start + key.range[1])),
      valueStart,
      valueEnd,
    });
  }
  return { fields: plain(document), layout: { end, keys }, body };
}

function plain(document: { toJS(options: { maxAliasCount: number }): unknown }): Readonly<Record<string, unknown>> {
  try {
    return document.toJS({ maxAliasCount: 10 }) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function lineEndAfter(text: string, offset: number): number {
  const lf = text.indexOf("\n", offset);
  return lf < 0 ? text.length : lf + 1;
}
