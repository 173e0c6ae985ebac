import { expect, it } from "vitest";
import { branchProblem } from "./branch-name.ts";

const verdicts = (names: readonly string[]) => names.map((name) => [name, branchProblem(name) === null]);
const accepts =
  (...names: string[]) =>
  () =>
    expect(verdicts(names)).toEqual(names.map((name) => [name, true]));
const refuses =
  (...names: string[]) =>
  () =>
    expect(verdicts(names)).toEqual(names.map((name) => [name, false]));

it("accepts what people call branches", accepts("main", "hotfix", "feat/my_feature", "a/b", "a-b", "fix/#12", "v1.2"));
it(
  "accepts names that are only dangerous elsewhere",
  accepts("feat/$(id)", "feat/`x`", "a;b", 'say"hi"', "x|y", "feat/日本語", "#{x}"),
);
it("refuses what looks like an option", refuses("-x", "--force"));
it(
  "refuses git's own notations",
  refuses("HEAD", "@", "a..b", "a@{1}", "a^", "a~1", "a:b", "a?", "a*", "a[", "a\\b", "a b"),
);
it("refuses empty parts, dots and locks", refuses("", "/a", "a/", "a//b", ".a", "a/.b", "a.", "a.lock", "a.lock/b"));
it("refuses what is another branch's full name", refuses("refs/heads/main", "refs/x", "refs/heads/refs/heads/main"));
it("and no other refs", accepts("refs", "refsx/a", "feat/refs/a"));
it("refuses control characters", refuses("a\nb", "a\tb", "a\u007fb", "a\u0000b"));
it("refuses names too long for a file", refuses("x".repeat(241), "日".repeat(81)));
it("refuses what is shown as another name", refuses("feat/\u202egnp.exe", "a\u2066b", "\u200fa", "a\u2028b"));
