import { afterEach, describe, expect, it } from "vitest";
import { LandingStage, namesOf, SUITE, unit } from "../landing/ground.ts";

let stage: LandingStage;
afterEach(() => stage.dispose());

const part = (name: string) => unit(name, "export const it = 1;\n", "its.it === 1");
const at = (commit: string, path: string) => stage.repo.git("show", `${commit}:${path}`).split("\n");

describe("files that a command makes again", () => {
  const LIST = "src/format.mjs\nsrc/title.mjs\n";
  const GATE = "node test/all.mjs && ls src/*.mjs | diff - list.txt";
  const make = (command: string) =>
    LandingStage.make(`[land.regenerate]\n"list.txt" = "${command}"\n`, { ...SUITE, "list.txt": LIST }, GATE);

  it("hold nothing up: they are made on the tree that lands, and tested with it", async () => {
    stage = await make("ls src/*.mjs > list.txt");
    stage.branch("feat/a", { ...part("a"), "list.txt": `src/a.mjs\n${LIST}` });
    stage.branch("feat/b", { ...part("b"), "list.txt": `src/b.mjs\n${LIST}` });
    stage.branch("feat/c", { ...part("c"), "list.txt": `src/c.mjs\n${LIST}` });
    const view = await stage.land("feat/a", "feat/b", "feat/c");
    expect([namesOf(view.landed), view.bounced]).toEqual([["feat/a", "feat/b", "feat/c"], []]);
    expect(at("main", "list.txt")).toEqual(["a", "b", "c", "format", "title"].map((name) => `src/${name}.mjs`));
    expect(stage.repo.git("log", "--format=%s", "main", "-5").split("\n")).toEqual([
      "Make list.txt again for feat/c",
      "feat/c",
      "Make list.txt again for feat/b",
      "feat/b",
      "feat/a",
    ]);
    expect(stage.repo.git("status", "--short")).toBe("");
    for (const point of stage.points()) expect(stage.isGreen(point, GATE)).toBe(true);
  });

  it("are named with their command where that fails, or where something else conflicts, too", async () => {
    stage = await make("echo no generator >&2; exit 3");
    stage.branch("feat/a", { ...part("a"), "list.txt": `src/a.mjs\n${LIST}`, "src/title.mjs": "// a\n" });
    stage.branch("feat/b", { ...part("b"), "list.txt": `src/b.mjs\n${LIST}` });
    stage.branch("feat/c", { ...part("c"), "list.txt": `src/c.mjs\n${LIST}`, "src/title.mjs": "// c\n" });
    const view = await stage.land("feat/a", "feat/b", "feat/c");
    expect(namesOf(view.landed)).toEqual(["feat/a"]);
    const findings = Object.fromEntries(view.bounced.map(({ branch, findings: [first] }) => [branch, first]));
    expect(findings["feat/b"]).toMatchObject({
      kind: "conflict",
      file: "list.txt",
      message: expect.stringContaining("list.txt is made again by `echo no generator >&2; exit 3`"),
      lines: [expect.stringMatching(/failed: exit code 3: no generator/)],
    });
    expect(findings["feat/c"]?.message).toMatch(
      /2 files in conflict: list.txt, src\/title.mjs.*list.txt is made again/,
    );
    expect(at("main", "list.txt")).toEqual(["src/a.mjs", "src/format.mjs", "src/title.mjs"]);
  });
});

describe("ff-only", () => {
  it("takes a branch that contains main, and tells the others to rebase", async () => {
    stage = await LandingStage.make('[land]\nstrategy = "ff-only"\n');
    const a = stage.branch("feat/a", part("a"));
    stage.branch("feat/b", part("b"));
    const view = await stage.land("feat/a", "feat/b");
    expect([namesOf(view.landed), namesOf(view.bounced)]).toEqual([["feat/a"], []]);
    expect(view.skipped).toMatchObject([
      {
        branch: "feat/b",
        because: "it does not contain main as it is now",
        findings: [{ tag: "regression", message: expect.stringContaining("Rebase onto main and commit") }],
      },
    ]);
    expect(stage.repo.git("rev-parse", "main")).toBe(a);
    stage.branch("feat/b", part("b"), "main");
    expect(namesOf((await stage.land("feat/b")).landed)).toEqual(["feat/b"]);
    expect(stage.repo.git("rev-parse", "main")).toBe(stage.repo.git("rev-parse", "feat/b"));
  });

  it("never has main at a red commit: what is red is told as a regression", async () => {
    stage = await LandingStage.make('[land]\nstrategy = "ff-only"\n');
    const before = stage.repo.git("rev-parse", "main");
    stage.branch("feat/a", { "src/format.mjs": "export const format = (text) => text;\n" });
    const view = await stage.land("feat/a");
    expect(view.bounced).toMatchObject([
      { branch: "feat/a", findings: [{ tag: "regression", message: expect.stringContaining("format") }] },
    ]);
    expect(stage.points()).toEqual([before]);
  });
});

describe("refused before anything is tested", () => {
  it("names that differ only in case, and a history that has nothing in common with main", async () => {
    stage = await LandingStage.make();
    stage.branch("feat/case", { "src/Title.mjs": "export const title = 1;\n" });
    stage.repo.git("checkout", "-q", "--orphan", "feat/other");
    stage.repo.commit(stage.root, "all of it again");
    stage.repo.git("checkout", "-q", "main");
    const { bounced, landed, waiting, skipped } = await stage.land("feat/case", "feat/other");
    expect([landed, namesOf(bounced)]).toEqual([[], ["feat/case"]]);
    expect(bounced[0]?.because).toMatch(/differs from src\/title.mjs only in upper and lower case/);
    expect([...waiting, ...skipped]).toMatchObject([
      { branch: "feat/other", because: expect.stringContaining("no commit in common") },
    ]);
    expect((await stage.verify("feat/case")).verdict).toBe("fail");
  });
});
