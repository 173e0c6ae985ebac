import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

interface Plan {
  readonly agents: readonly {
    readonly branch: string;
    readonly cli: string;
    readonly brief: { readonly bytes: number };
  }[];
}

const plan = async (...args: string[]) =>
  JSON.parse(await stage.ok("start", "--dry-run", "--json", "--headless", "--cli", "scripted", ...args)) as Plan;

it("starts what is written down, each with its own brief, and warns of what is not committed", async () => {
  stage.repo.write(stage.root, "openspec/changes/add-login/tasks.md", "- [ ] 1 The form, with bcrypt\n");
  stage.repo.write(stage.root, "openspec/changes/fix-typo/tasks.md", "- [ ] 1 The typo\n");
  stage.repo.commit(stage.root, "specs");
  stage.repo.write(stage.root, "openspec/changes/fix-typo/tasks.md", "- [ ] 1 The typo, edited\n");
  const silent = await stage.bm("start", "--headless", "--all-specs", "--cli", "scripted", "--force", "--dry-run");
  expect([silent.code, silent.err]).toEqual([0, expect.not.stringContaining("is not committed")]);
  const started = await stage.bm("start", "--headless", "--all-specs", "--cli", "scripted");
  expect([started.code, started.err]).toEqual([
    0,
    expect.stringMatching(
      /Specs: openspec, in openspec\/changes[\s\S]*fix-typo\/ is not committed.*\(silence this with --force\)\./,
    ),
  ]);
  const { agents } = await stage.allIn("done");
  expect(agents.map(({ branch }) => branch)).toEqual(["spec/add-login", "spec/fix-typo"]);
  expect(stage.repo.read(stage.worktree("spec-add-login"), ".banksman/brief.md")).toMatch(
    /How you work here[\s\S]*The form, with bcrypt/,
  );
});

it("plans every kind of spec, by name, by number, by the command line's choice", async () => {
  stage.repo.write(stage.root, ".specify/specs/001-a/tasks.md", "## Phase 1: Go\n- [ ] T001 [P] x\n- [ ] T002 y\n");
  stage.repo.write(stage.root, "docs/superpowers/plans/p.md", "### Task 1\n- [ ] z\n");
  stage.repo.write(stage.root, "specs/m.md", "---\nbanksman: pending\ncli: scripted\n---\nm\n");
  stage.repo.commit(stage.root, "specs");
  const several = await stage.bm("start", "--headless", "--all-specs", "--cli", "scripted");
  expect([several.code, several.err]).toEqual([
    1,
    expect.stringMatching(/several kinds.*markdown, speckit, superpowers/),
  ]);
  const branches = async (...args: string[]) => (await plan(...args)).agents.map(({ branch }) => branch);
  expect(await branches("--specs", "001", "--specs-format", "speckit")).toEqual(["task/t001-x", "phase/001-a-go"]);
  expect(await branches("--all-specs", "--specs-format", "superpowers")).toEqual(["plan/p"]);
  expect(await branches("--specs", "m", "--specs-format", "markdown")).toEqual(["spec/m"]);
  stage.repo.write(stage.root, "specs/old.md", "---\nbanksman: done\n---\nm\n");
  stage.repo.write(stage.root, "docs/superpowers/plans/p.md", "### Task 1\n- [x] z\n");
  stage.repo.write(stage.root, "openspec/changes/ticked/tasks.md", "- [x] 1\n");
  stage.repo.write(stage.root, "openspec/changes/open/tasks.md", "- [ ] 1\n");
  const ticked = ["--specs", "ticked", "--specs-format", "openspec"];
  const said = (await stage.bm("start", "--headless", "--cli", "scripted", ...ticked)).err;
  expect(said).toBe("The spec `ticked` cannot be started: it has every box ticked.\nNothing was started.\n");
  for (const [args, said] of [
    [["--specs", "old", "--specs-format", "markdown"], /`old` cannot be started: it is marked as done/],
    [["--specs", "x", "--specs-format", "markdown"], /no spec called `x`/],
    [["--specs", "--specs-format", "markdown"], /Which specs\?\nName them/],
    [["--all-specs", "--specs-format", "markdwn"], /Did you mean markdown\?/],
    [["--all-specs", "--specs-format", "superpowers"], /No spec in docs\/superpowers\/plans is open/],
  ] as const) {
    const ran = await stage.bm("start", "--headless", "--cli", "scripted", ...args);
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(said)]);
  }
});

it("gives every agent Spec Kit's constitution, or the one that is named, or none", async () => {
  stage.repo.write(stage.root, ".specify/specs/001-a/tasks.md", "## Phase 1: Go\n- [ ] T001 x\n");
  stage.repo.write(stage.root, ".specify/memory/constitution.md", "# [PROJECT_NAME] Constitution\n");
  stage.repo.commit(stage.root, "specs");
  const bytes = async () => (await plan("--all-specs")).agents[0]?.brief.bytes ?? 0;
  const plain = await bytes();
  stage.repo.write(stage.root, ".specify/memory/constitution.md", "# Shop\n\nNo panics in library code.\n");
  expect(await bytes()).toBeGreaterThan(plain);
  const configure = (path: string) =>
    stage.repo.write(stage.root, ".banksman/config.toml", `[governance]\nconstitution = ${JSON.stringify(path)}\n`);
  configure("");
  expect(await bytes()).toBe(plain);
  configure("../outside.md");
  expect(await bytes()).toBe(plain);
  configure("docs/none.md");
  const ran = await stage.bm("start", "--headless", "--all-specs", "--cli", "scripted", "--dry-run");
  expect([ran.code, ran.err]).toEqual([
    0,
    expect.stringContaining("docs/none.md, the constitution in the config, is not in the repository"),
  ]);
  stage.repo.write(stage.root, ".banksman/config.toml", "");
  await stage.ok("start", "--headless", "--all-specs", "--cli", "scripted");
  expect(stage.repo.read(stage.worktree("phase-001-a-go"), ".banksman/brief.md")).toMatch(
    /How you work here[\s\S]*# The project's constitution[\s\S]*No panics in library code\.\n\n# Your task\n/,
  );
});
