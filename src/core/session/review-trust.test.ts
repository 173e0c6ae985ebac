import { expect, it } from "vitest";
import { printable } from "../text/printable.ts";
import { renderReview, type TrustReview } from "./review-trust.ts";

const NOTHING: TrustReview = {
  keys: { now: {}, before: null },
  setUp: null,
  submodules: { now: {}, before: null },
  programs: { now: {}, before: null },
  texts: {},
};
const review = (over: Partial<TrustReview>) => renderReview({ ...NOTHING, ...over });

it("shows nothing of what there is not", () => expect(review({})).toEqual([]));

it("shows everything the first time, without marks", () => {
  expect(
    review({
      keys: { now: { "worktree.setup": "make" }, before: null },
      setUp: { command: "npm ci", files: { now: { ".npmrc": "1", "package-lock.json": "2" }, before: null } },
      texts: { ".npmrc": "git=./evil.sh\n//x/:_authToken=abc\n" },
      programs: { now: { "filter.rot.clean": "./rot" }, before: null },
    }),
  ).toEqual([
    "Settings of .banksman/config.toml:",
    '  worktree.setup = "make"',
    "`npm ci` sets worktrees up. It obeys:",
    "  .npmrc",
    "      git=./evil.sh",
    "      //x/:_authToken=…",
    "  package-lock.json",
    "Programs in this repository's own git config, which decide over content:",
    '  filter.rot.clean = "./rot"',
  ]);
});

it("marks what is not as it was", () => {
  expect(
    review({
      keys: { now: { a: 1, b: 2, c: 3 }, before: { b: 2, c: 4, d: 5 } },
      submodules: { now: { ".gitmodules": "2" }, before: { ".gitmodules": "1" } },
    }),
  ).toEqual([
    "Settings of .banksman/config.toml:",
    "  a = 1  (new)",
    "  b = 2",
    "  c = 3  (changed; was 4)",
    "  d  (no longer there)",
    "Submodules come from where this file says:",
    "  .gitmodules  (changed)",
  ]);
});

it("lets no control character through, and cuts what is long", () => {
  const lines = review({
    keys: { now: { a: "\u001b[2J\u202e" }, before: null },
    submodules: { now: { "\u001b]x": "1" }, before: null },
    texts: { "\u001b]x": `${"\u001b".repeat(300)}\n${"line\n".repeat(100)}` },
  });
  expect(printable(lines.join("\n"))).toBe(lines.join("\n"));
  expect(lines.at(-1)).toBe("      … 61 more lines");
});
