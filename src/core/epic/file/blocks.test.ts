import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { readBlocks } from "./blocks.ts";

/** EPICS=20000 for the long run. */
const RUNS = Number(process.env.EPICS ?? 300);

/** Lines that mean different things depending on what is above them. */
const LINES = [
  ...[
    "",
    " ",
    "text",
    "text two",
    "# one",
    "## two",
    "### three ###",
    "#nothing",
    "  ## indented",
    "    ## code",
    "\t## tab",
  ],
  ...[
    "```",
    "```md",
    "````",
    "~~~",
    "   ```",
    "    ```",
    "``` `",
    "<!--",
    "-->",
    "<!-- one -->",
    "<div>",
    "</div>",

    "<pre>",
    "x</pre>",
  ],
  ...[
    "- item",
    "-",
    "- ## in item",
    "  text in item",
    "  ## in item",
    "1. one",

    "   ## three in",
    "* a",
    "  - deep",
    "    ## deeper",
  ],
  ...[
    "> quote",
    "> ## quoted",
    ">",
    "> ```",
    "> - x",
    "- ```",
    "  ```",
    "===",
    "---",
    "- - -",
    "***",
    "| a | b |",
    "\\# not",
  ],
];

/** micromark lets indented code go on where a list begins right below it; CommonMark does not. */
const CODE_THEN_ITEM = /^( {4}|\t).*\r?\n\s*(-|\*|\d)/m;

describe("blocks", () => {
  it("finds the headings micromark finds, in any order of lines", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...LINES), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        (lines, eol) => {
          const text = lines.join(eol);
          fc.pre(!CODE_THEN_ITEM.test(text));
          expect([text, headings(text)]).toEqual([text, theirs(text)]);
        },
      ),
      { numRuns: RUNS, ...(process.env.EPICS === undefined && { seed: 1 }) },
    );
  });

  it("is done with a megabyte of anything at once", () => {
    for (const part of [">", "- ", "# a\n", "- a\n", "[a\n", "\n", "`", "<a>\n\n", "| a ", "a b c\n", "```\n"])
      expect(readBlocks(part.repeat(1_000_000 / part.length), 0).length).toBeLessThan(300_000);
  });
});

const headings = (text: string): (readonly [number, number])[] =>
  readBlocks(text, 0).flatMap((block) => (block.kind === "heading" ? [[block.depth, block.start] as const] : []));

const theirs = (text: string): (readonly [number, number])[] =>
  fromMarkdown(text).children.flatMap((node) =>
    node.type === "heading" ? [[node.depth, lineStart(text, node.position?.start.offset ?? 0)] as const] : [],
  );

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1;
