import { expect, it } from "vitest";
import { findUndone } from "./find-undone.ts";

const landed = [
  {
    branch: "feat/b",
    files: [{ path: "a.js", added: ["const one = 1;", "const two = 2;", "const three = 3;", "}"], removed: [] }],
  },
];
const own = (removed: string[], added: string[] = [], path = "a.js") => [{ path, added, removed }];

it("finds lines that another has landed and that are taken away", () => {
  const removed = ["const one = 1;", "  const two = 2;", "const three = 3;"];
  expect(findUndone(own(removed), landed)).toEqual([{ path: "a.js", landed: "feat/b", lines: 3 }]);
});
it.each<readonly [string, ReturnType<typeof own>]>([
  ["a few lines may be chance", own(["const one = 1;", "const two = 2;", "}"])],
  [
    "what comes back in the same file was moved",
    own(["const one = 1;", "const two = 2;", "const three = 3;"], ["const one = 1;"]),
  ],
  ["another file", own(["const one = 1;", "const two = 2;", "const three = 3;"], [], "b.js")],
])("%s", (_, change) => expect(findUndone(change, landed)).toEqual([]));
