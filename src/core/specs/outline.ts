import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";

export type OutlineItem =
  | { readonly kind: "heading"; readonly depth: number; readonly text: string; readonly line: number }
  | { readonly kind: "task"; readonly done: boolean; readonly text: string; readonly line: number };

/** Headings and check boxes of a document, in order. What stands in a code block is neither. */
export function readOutline(text: string): OutlineItem[] {
  const tree = fromMarkdown(text, {
    extensions: [gfmTaskListItem()],
    mdastExtensions: [gfmTaskListItemFromMarkdown()],
  });
  const lines = text.split("\n");
  const items: OutlineItem[] = [];
  const walk = (node: Nodes): void => {
    const line = node.position?.start.line ?? 1;
    if (node.type === "heading")
      items.push({ kind: "heading", depth: node.depth, text: plain(lines, line, /^\s*#+\s*/), line });
    if (node.type === "listItem" && typeof node.checked === "boolean")
      items.push({ kind: "task", done: node.checked, text: plain(lines, line, /^\s*[-*+\d.)]+\s+\[[ xX]\]\s*/), line });
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(tree);
  return items;
}

/** The item's first line as it was written, without its mark: what people and agents see. */
const plain = (lines: readonly string[], line: number, mark: RegExp): string =>
  (lines[line - 1] ?? "")
    .replace(mark, "")
    .replace(/\s+#*\s*$/, "")
    .trim();
