import { describe, expect, it } from "vitest";
import type { Commit } from "../text/ids.ts";
import { meets } from "./meets.ts";
import { type Known, planPredictions, type Side } from "./plan-predictions.ts";
import type { Change } from "./prediction.ts";

/** `+new ~edited:content -removed` as changes. */
const changes = (words: string): Change[] =>
  words
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [path = "", content = "1"] = word.slice(1).split(":");
      const how = word[0] === "+" ? "added" : word[0] === "-" ? "removed" : "changed";
      return { path, how, content };
    });

const side = (name: string, words: string, head = "h"): Side => ({
  name,
  commit: `${name} ${words} ${head}` as Commit,
  head: head as Commit,
  changed: changes(words),
});
const base = { name: "main", commit: "m" as Commit };

describe("meets", () => {
  it.each([
    ["~a", "~a", "both edit a path"],
    ["-a +b", "~a", "one renames what the other edits"],
    ["+d", "+d/x", "a file where the other has a folder"],
    ["~d/x", "~d", "the other way round"],
    ["-old/a -old/b +new/a +new/b", "+old/c", "a file added to a folder that may be renamed"],
    ["-old/a +new/a", "+old/deep/c", "to a folder below it"],
    ["+old/c", "-old/deep/a +new/a", "to a folder above it"],
  ])("%s and %s: %s", (ours, theirs) => {
    expect([meets(changes(ours), changes(theirs)), meets(changes(theirs), changes(ours))]).toEqual([true, true]);
  });
  it.each([
    ["~a", "~b", "two files"],
    ["~dir/a", "~dir/b", "two files of a folder"],
    ["-a +b", "+c", "renames in the top folder, which cannot be renamed itself"],
    ["-dir/a", "~dir/b", "one goes, another is edited"],
    ["~a", "~ab/c", "names that begin alike"],
    ["", "~a", "nothing"],
  ])("%s and %s do not: %s", (ours, theirs) => {
    expect([meets(changes(ours), changes(theirs)), meets(changes(theirs), changes(ours))]).toEqual([false, false]);
  });
});

describe("planPredictions", () => {
  const names = (pairs: readonly { ours: { name: string }; theirs: { name: string } }[]) =>
    pairs.map(({ ours, theirs }) => `${ours.name}${theirs.name}`);
  /** What is merged anew when `before` has become `after`. */
  const anew = (before: readonly Side[], after: readonly Side[]) => {
    const known = planPredictions<string>(before, null, []).compute.map((pair) => ({ ...pair, result: "r" }));
    const { compute, keep } = planPredictions(after, null, known);
    return { compute: names(compute), keep: names(keep) };
  };

  it("merges pairs that meet, and each side with the base", () => {
    const sides = [side("a", "~f"), side("b", "~f ~g"), side("c", "~g"), { ...side("d", ""), commit: base.commit }];
    expect(names(planPredictions(sides, base, []).compute)).toEqual(["amain", "ab", "bmain", "bc", "cmain"]);
    expect(names(planPredictions(sides, null, []).compute)).toEqual(["ab", "bc"]);
  });

  it("keeps everything where nothing has moved, and takes a result back to who is there now", () => {
    const sides = [side("a", "~f"), side("b", "~f")];
    expect(anew(sides, sides)).toEqual({ compute: [], keep: ["ab"] });
    expect(anew(sides, [side("a", "~f")])).toEqual({ compute: [], keep: [] });
    expect(anew(sides, [side("a", "~f"), side("b", "~g")])).toEqual({ compute: [], keep: [] });
  });

  it("merges anew only with those who touch the edited file", () => {
    const others = [side("b", "~f"), side("c", "~g"), side("d", "~f ~g")];
    expect(anew([side("a", "~f:1 ~g:1"), ...others], [side("a", "~f:2 ~g:1"), ...others])).toEqual({
      compute: ["ab", "ad"],
      keep: ["ac", "bd", "cd"],
    });
  });

  it("keeps a result when a file nobody else has is edited, for the first time or back to what it was", () => {
    const b = side("b", "~f");
    expect(anew([side("a", "~f"), b], [side("a", "~f ~own"), b])).toEqual({ compute: [], keep: ["ab"] });
    expect(anew([side("a", "~f ~own"), b], [side("a", "~f"), b])).toEqual({ compute: [], keep: ["ab"] });
  });

  it("merges anew what may be half of a rename, attributes, and whoever has committed or merged", () => {
    const b = side("b", "~f");
    for (const now of ["-f +new:2", "~f +other", "~f -other", "~f ~.gitattributes", "~f ~deep/.gitattributes"])
      expect([now, anew([side("a", "~f"), b], [side("a", now), b]).compute]).toEqual([now, ["ab"]]);
    expect(anew([side("a", "~f"), b], [side("a", "~f", "h2"), b]).compute).toEqual(["ab"]);
    expect(anew([side("a", "~f +x:1"), b], [side("a", "~f +x:2"), b]).compute).toEqual(["ab"]);
  });

  it("merges anew when both leave the file they met in, but still meet", () => {
    const before = [side("a", "~f ~g"), side("b", "~f ~g")];
    expect(anew(before, [side("a", "~g"), side("b", "~g")]).compute).toEqual(["ab"]);
  });

  it("merges with the base anew when either has moved", () => {
    const a = side("a", "~f");
    const known: Known<string>[] = [{ ours: a, theirs: base, result: "r" }];
    expect(planPredictions([a], base, known).compute).toEqual([]);
    expect(names(planPredictions([a], { ...base, commit: "m2" as Commit }, known).compute)).toEqual(["amain"]);
    expect(names(planPredictions([side("a", "~f ~own")], base, known).compute)).toEqual(["amain"]);
  });

  it("does not take an agent called like the base branch for it", () => {
    const sides = [side("a", "~f"), side("main", "~f")];
    expect(names(planPredictions(sides, base, []).compute)).toEqual(["amain", "amain", "mainmain"]);
    const known = planPredictions<string>(sides, base, []).compute.map((pair, i) => ({ ...pair, result: String(i) }));
    expect(planPredictions(sides, base, known).keep.map(({ result }) => result)).toEqual(["0", "1", "2"]);
  });
});
