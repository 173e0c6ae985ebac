import { mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ConflictFile } from "../../src/core/conflicts/prediction.ts";
import { Stage } from "../stage.ts";

interface Answer {
  readonly forward: unknown[];
  readonly inFlight: unknown[];
  readonly ownership: unknown[];
  readonly predicted: { between: string[]; paths: string[]; since: string; files: ConflictFile[] }[];
  readonly clean: { between: string[]; shared: string[] }[];
  readonly checkedAt: string;
}

let stage: Stage;
beforeEach(() => {
  stage = new Stage({ "src/app.ts": "1\n2\n3\n4\n5\n6\n7\n8\n", README: "hi\n" });
  const { repo, root } = stage;
  const work = (branch: string, name: string, text: string) => {
    repo.git("switch", "-q", "-c", branch, "main");
    repo.write(root, name, text);
    repo.commit(root, branch);
  };
  work("feat/a", "src/app.ts", "1\n2\nours\n4\n5\n6\n7\n8\n");
  work("feat/b", "src/app.ts", "1\n2\ntheirs\n4\n5\n6\n7\n8\n");
  work("feat/far", "src/app.ts", "1\n2\n3\n4\n5\n6\n7\neight\n");
  work("feat/$(id)", "other", "x\n");
  repo.git("switch", "-q", "main");
});
afterEach(() => stage.dispose());

const ask = async (cwd: string, ...refs: string[]): Promise<Answer> =>
  JSON.parse((await stage.bmIn(cwd, "conflicts", "--refs", ...refs, "--json")).out) as Answer;

it("shows what conflicts between refs, two by two, and writes nothing", async () => {
  const objects = () => readdirSync(join(stage.root, ".git"), { recursive: true, encoding: "utf8" }).sort();
  const before = objects();
  const found = await ask(stage.root, "feat/a", "feat/b", "feat/far", "feat/$(id)");
  expect(found).toEqual({
    forward: [],
    inFlight: [],
    ownership: [],
    predicted: [
      {
        between: ["feat/a", "feat/b"],
        paths: ["src/app.ts"],
        since: found.checkedAt,
        files: [
          {
            path: "src/app.ts",
            kind: "content",
            hunks: [{ line: 3, base: ["3"], ours: ["ours"], theirs: ["theirs"] }],
          },
        ],
      },
    ],
    clean: [
      { between: ["feat/a", "feat/far"], shared: ["src/app.ts"] },
      { between: ["feat/a", "feat/$(id)"], shared: [] },
      { between: ["feat/b", "feat/far"], shared: ["src/app.ts"] },
      { between: ["feat/b", "feat/$(id)"], shared: [] },
      { between: ["feat/far", "feat/$(id)"], shared: [] },
    ],
    checkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  const { code, out } = await stage.bm("conflicts", "--refs", "feat/a", "feat/b", "feat/far");
  expect(code).toBe(0);
  expect(out).toContain("feat/a × feat/b  conflict in 1 file\n  src/app.ts:3  content\n");
  expect(out).toMatch(/base +│ 3\n +feat\/a │ ours\n +feat\/b │ theirs\n/);
  expect(out).toContain("feat/a × feat/far  clean, both change src/app.ts\n");
  expect(objects()).toEqual(before);
});

it("works from anywhere inside a repository, in its worktrees, and in a bare one", async () => {
  const { repo, root } = stage;
  const worktree = join(repo.folder, "other-worktree");
  repo.git("worktree", "add", "-q", worktree, "feat/far");
  const bare = join(root, "vendored.git");
  repo.git("clone", "-q", "--bare", root, bare);
  mkdirSync(join(root, "deep/er"), { recursive: true });
  for (const cwd of [join(root, "deep/er"), join(root, ".git"), worktree, bare, join(bare, "refs")])
    expect([cwd, (await ask(cwd, "feat/a", "feat/b")).predicted.length]).toEqual([cwd, 1]);
});

it("says in a sentence what is wrong, and leaves no folder behind", async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith("banksman-conflicts-"));
  const before = left();
  const wrong = async (...args: string[]) => {
    const { code, err } = await stage.bm("conflicts", ...args);
    return [code, err.split("\n")[0]];
  };
  expect(await wrong("--refs", "feat/a", "nope")).toEqual([
    1,
    "`nope` is not a branch, tag or commit of this repository.",
  ]);
  expect(await wrong("--refs", "feat/a", "feat/a")).toEqual([1, "A merge needs two different refs."]);
  expect(await wrong("feat/a")).toEqual([
    1,
    "Refs are compared with --refs; without it, all agents of the session are.",
  ]);
  expect(await stage.ok("conflicts")).toBe("No conflicts.\n");
  expect(await wrong("--refs", "HEAD:src", "main")).toEqual([
    1,
    "`HEAD:src` is not a branch, tag or commit of this repository.",
  ]);
  const outside = await stage.bmIn(stage.repo.folder, "conflicts", "--refs", "a", "b", "--json");
  expect([outside.code, JSON.parse(outside.out)]).toMatchObject([1, { error: { kind: "repository.none" } }]);
  expect(left().filter((name) => !before.includes(name))).toEqual([]);
});

it("shows an agent's lines without what they do to a terminal", async () => {
  const { repo, root } = stage;
  repo.git("switch", "-q", "-c", "feat/hides", "main");
  repo.write(root, "src/app.ts", "1\n2\n\u001b[8mhidden\u001b[2J\n4\n5\n6\n7\n8\n");
  repo.commit(root, "hides");
  const { out } = await stage.bmIn(root, "conflicts", "--refs", "feat/a", "feat/hides");
  expect(out).toContain("\ufffd[8mhidden\ufffd[2J");
});
