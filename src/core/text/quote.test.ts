import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellWord, tmuxFormat, tmuxWord } from "./quote.ts";

it("a shell reads every text as it was", () => {
  const text = fc.string({ unit: "binary", maxLength: 40 }).filter((each) => !each.includes("\0"));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
      const out = execFileSync("sh", ["-c", `printf '%s\\0' ${texts.map(shellWord).join(" ")}`]);
      expect(out.toString("utf8").split("\0").slice(0, -1)).toEqual(
        texts.map((each) => Buffer.from(each).toString("utf8")),
      );
    }),
    { numRuns: 30 },
  );
});

it.each([
  ["", "''"],
  ["a b", "'a b'"],
  ["it's", `'it'"'"'s'`],
  ["a\nb", `'a'"\\n"'b'`],
  ["$(x) #{y} ;", "'$(x) #{y} ;'"],
])("tmux gets %j as %s", (text, word) => expect(tmuxWord(text)).toBe(word));

it("nothing in a format is looked up or run", () =>
  expect(tmuxFormat("#{pane_id} #(id) ##")).toBe("##{pane_id} ##(id) ####"));
