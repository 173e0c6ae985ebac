import { describe, expect, it } from "vitest";
import { runFiles } from "./run-files.ts";

describe("files that a command runs", () => {
  it.each<readonly [string, readonly string[]]>([
    ["sh scripts/test.sh", ["scripts/test.sh"]],
    ["./check --all", ["check"]],
    ["scripts//check", ["scripts/check"]],
    ["node --no-warnings run.mjs test", ["run.mjs"]],
    ["CI=1 exec python3 tools/run.py", ["tools/run.py"]],
    ["bash -e 'a.sh' && ./b.sh || (node c.js; true)", ["a.sh", "b.sh", "c.js"]],
    ["tsc -p src/tsconfig.json", []],
    ["node_modules/.bin/vitest run", ["node_modules/.bin/vitest"]],
    ["/usr/bin/true ../x $HOME/y", []],
    ["node $FILE", []],
    ["make test", []],
    ["", []],
  ])("%s", (command, files) => expect(runFiles([command], {})).toEqual(files));

  it("in scripts of the package that it calls, one through the other", () => {
    const scripts = {
      test: "npm run unit && tsx e2e.ts",
      pretest: "sh prepare.sh",
      unit: "node unit.mjs",
      dev: "node x",
    };
    expect(runFiles(["npm test --silent"], scripts)).toEqual(["prepare.sh", "e2e.ts", "unit.mjs"]);
    expect(runFiles(["yarn loop"], { loop: "yarn loop; sh a" })).toEqual(["a"]);
  });
});
