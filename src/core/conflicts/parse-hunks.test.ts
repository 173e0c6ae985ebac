import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHunks } from "./parse-hunks.ts";

const labels = { ours: ["aaa"], theirs: ["bbb"] };
const conflict = (size: number, ours: string[], base: string[], theirs: string[], end = "\n") =>
  [
    `${"<".repeat(size)} aaa`,
    ...ours,
    `${"|".repeat(size)} 123`,
    ...base,
    "=".repeat(size),
    ...theirs,
    `${">".repeat(size)} bbb`,
  ]
    .map((line) => `${line}${end}`)
    .join("");

describe("parseHunks", () => {
  it("reads what each side has, and where", () => {
    const text = `1\n2\n${conflict(9, ["x", "y"], ["w"], [])}3\n${conflict(9, ["p"], [], ["q"])}4\n`;
    expect(parseHunks(text, labels)).toEqual({
      hunks: [
        { line: 3, ours: ["x", "y"], base: ["w"], theirs: [] },
        { line: 6, ours: ["p"], base: [], theirs: ["q"] },
      ],
      cut: false,
    });
  });
  it("finds none in a clean file, nor in one that only talks about conflicts", () => {
    expect(parseHunks("a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n", labels).hunks).toEqual([]);
    expect(parseHunks("", labels).hunks).toEqual([]);
  });
  it("keeps markers that stand inside a conflict", () => {
    const inside = ["<<<<<<< HEAD", "=======", ">>>>>>> bbb", "||||||| x"];
    const text = conflict(9, inside, inside, inside);
    expect(parseHunks(text, labels).hunks).toEqual([{ line: 1, ours: inside, base: inside, theirs: inside }]);
  });
  it("takes a label with a file name behind it, and a version with CRLF", () => {
    const text = conflict(9, ["x\r"], ["w\r"], ["z\r"], "\n")
      .replace("aaa", "aaa:old.txt\r")
      .replace("bbb", "bbb:new\r");
    expect(parseHunks(text, labels).hunks).toEqual([{ line: 1, ours: ["x\r"], base: ["w\r"], theirs: ["z\r"] }]);
    expect(parseHunks(conflict(9, ["x"], ["w"], ["z"], "\r\n"), labels).hunks).toHaveLength(1);
  });
  it("reads one at the end of a file without a last newline", () => {
    expect(parseHunks(conflict(9, ["x"], [], ["y"]).slice(0, -1), labels).hunks).toHaveLength(1);
  });
  it("shows a conflict inside one at the usual length, by side and not by commit", () => {
    const inner = [`${"<".repeat(24)} aaa:old`, "x", "=".repeat(24), "y", `${">".repeat(24)} bbb`];
    expect(parseHunks(conflict(23, inner, [], ["z"]), labels).hunks[0]?.ours).toEqual([
      "<<<<<<<< ours:old",
      "x",
      "========",
      "y",
      ">>>>>>>> theirs",
    ]);
  });
  it("keeps within bounds, and says so", () => {
    const many = parseHunks(conflict(9, ["x"], [], ["y"]).repeat(60), labels);
    expect([many.hunks.length, many.cut]).toEqual([50, true]);
    const long = Array.from({ length: 300 }, () => "z".repeat(600));
    const [hunk] = parseHunks(conflict(9, long, [], ["y"]), labels).hunks;
    expect([hunk?.cut, hunk?.ours.length, hunk?.ours[0]?.length]).toEqual([true, 200, 500]);
    expect(parseHunks(`${conflict(9, long, [], ["y"])}${conflict(9, ["x"], [], ["y"])}`, labels).hunks[1]?.line).toBe(
      301,
    );
  });
  it("says that something is left where a conflict does not end", () => {
    expect(parseHunks("<<<<<<< aaa\nx\n", labels)).toEqual({ hunks: [], cut: true });
  });
  it("gives back what went in, whatever the lines are", () => {
    const side = fc.array(fc.constantFrom("", "a", "=======", "<<<<<<< aaa", ">>>>>>> bbb", "||||||| 123", "\r"), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side, side), { maxLength: 5 }), (all) => {
        const text = all.map(([ours, base, theirs]) => conflict(23, ours, base, theirs)).join("");
        expect(parseHunks(text, labels).hunks.map(({ ours, base, theirs }) => [ours, base, theirs])).toEqual(all);
      }),
    );
  });
});
