import type { Branch } from "../text/ids.ts";
import { slug } from "../text/naming.ts";
import { readOutline } from "./outline.ts";
import { namesIn, type Spec, type SpecFiles, type Specs } from "./spec.ts";

/** Plans with `### Task N` sections in which a box is still open. */
export function readSuperpowers(files: SpecFiles): Specs {
  const leftOut = new Map<string, string>();
  const entries = namesIn(files, "").flatMap((name): Spec[] => {
    const text = files.get(name);
    if (text === undefined || !name.endsWith(".md")) return [];
    const id = name.slice(0, -".md".length);
    if (!isOpen(text)) {
      leftOut.set(id, "has no open box below `### Task …`");
      return [];
    }
    const branch = `plan/${slug(id)}` as Branch;
    return [{ id, feature: id, branch, cli: null, prompt: text.trim(), owned: [], path: name }];
  });
  return { entries, warnings: [], leftOut };
}

function isOpen(text: string): boolean {
  const outline = readOutline(text);
  const first = outline.findIndex(
    (item) => item.kind === "heading" && item.depth === 3 && /^Task\s+\d+/i.test(item.text),
  );
  return first >= 0 && outline.slice(first).some((item) => item.kind === "task" && !item.done);
}
