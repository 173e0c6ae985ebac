import fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { describe, expect, it } from "vitest";
import { readOutline } from "./outline.ts";

/** OUTLINES=20000 for the long run. */
const RUNS = Number(process.env.OUTLINES ?? 300);

/** Lines that mean different things depending on what is above them. */
const LINES = [
  ...["", " ", "text", "# one", "## two ##", "#nothing", "  ## indented", "    ## code", "\t## tab", "===", "---"],
  ...["- [ ] a", "- [x] b", "* [X] c", "1. [ ] d", "2. [ ] e", "10) [x] f", "- [ ]g", "- [y] h", "- text"],
  ...["  - [ ] deep", "    - [x] deeper", "      - [ ] deepest", "   1. [ ] three", "\t- [ ] tab", " - [ ] one off"],
  ...[
    "  text in item",
    "    text in deep",
    "- - [ ] two at once",
    "-   [ ] wide",
    "-      code",
    "- # in item",
    "[ ] x",
  ],
  ...["```", "```md", "~~~", "  ```", "    ```", "- ```", "<!--", "-->", "<!-- one -->", "<div>", "</div>", "  <!--"],
  ...["> quote", "> - [ ] quoted", "> # quoted", ">", "***", "- - -", "\\# not", "2. two"],
];

/** micromark lets indented code go on where a list begins right below it; CommonMark does not. */
const CODE_THEN_ITEM = /^( {4}|\t).*\r?\n\s*([-*+]|\d)/m;

describe("an outline", () => {
  it("is what micromark finds, in any order of lines", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...LINES), { maxLength: 10 }),
        fc.constantFrom("\n", "\r\n"),
        (lines, eol) => {
          const text = lines.join(eol);
          fc.pre(!CODE_THEN_ITEM.test(text));
          expect([text, ours(text)]).toEqual([text, theirs(text)]);
        },
      ),
      { numRuns: RUNS, ...(process.env.OUTLINES === undefined && { seed: 1 }) },
    );
  });

  it("has the words of an item without its marks", () => {
    const words = (text: string) => readOutline(text).map((item) => item.text);
    expect(words("# A #\n##  B  ##  \n- [ ]   one  \n1) [x] two #\n\nC\n===\n")).toEqual([
      "A",
      "B",
      "one",
      "two #",
      "C",
    ]);
  });
});

const ours = (text: string): string[] => readOutline(text).map((item) => `${item.kind} ${item.line}`);

/** What stands in a quote is somebody else's. */
function theirs(text: string): string[] {
  const found: string[] = [];
  const walk = (node: Nodes): void => {
    const line = node.position?.start.line;
    if (node.type === "blockquote") return;
    if (node.type === "heading") found.push(`heading ${line}`);
    if (node.type === "listItem" && typeof node.checked === "boolean") found.push(`task ${line}`);
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(fromMarkdown(text, { extensions: [gfmTaskListItem()], mdastExtensions: [gfmTaskListItemFromMarkdown()] }));
  return found;
}
