import { describe, expect, it } from "vitest";
import { FakeFiles } from "../../test/fakes/fake-files.ts";
import { findSpecSystems, loadSpecs, type SpecPlace } from "./load.ts";

function tree(texts: Record<string, string>): FakeFiles {
  const fake = new FakeFiles();
  for (const [path, text] of Object.entries(texts)) fake.files.set(`/r/${path}`, text);
  return fake;
}

const load = async (texts: Record<string, string>, place: Partial<SpecPlace> = {}) => {
  const { type, folder, entries, warnings } = await loadSpecs(tree(texts), {
    root: "/r",
    type: null,
    dir: null,
    prefix: "spec",
    ...place,
  });
  return { type, folder, branches: entries.map(({ branch }) => branch), warnings, prompt: entries[0]?.prompt ?? "" };
};

const TASKS = "## Phase 1: Go\n- [ ] T001 x\n";
const PENDING = "---\nbanksman: pending\n---\nm";

describe("specs on disk", () => {
  it("are found in folders with a dot in their name", async () => {
    expect(await load({ "openspec/changes/upgrade-v2.0/tasks.md": "- [ ] 1 x\n" })).toMatchObject({
      type: "openspec",
      branches: ["spec/upgrade-v2.0"],
    });
  });
  it("of Spec Kit are in .specify/specs, or in specs, and say where their boxes are", async () => {
    const beside = await load({ "specs/001-a/tasks.md": TASKS, "specs/README.md": "hello" });
    expect(beside).toMatchObject({ type: "speckit", folder: "specs", branches: ["phase/001-a-go"] });
    expect(beside.prompt).toContain("Tick each box in specs/001-a/tasks.md in");
    const usual = await load({ ".specify/specs/002-b/tasks.md": TASKS, "specs/001-a/tasks.md": TASKS });
    expect(usual).toMatchObject({ folder: ".specify/specs", branches: ["phase/002-b-go"] });
    expect((await load({ "kit/001-a/tasks.md": TASKS }, { type: "speckit", dir: "kit/" })).prompt).toContain(
      "Tick each box in kit/001-a/tasks.md in",
    );
  });
  it("of which none says that it is pending are named, not denied", async () => {
    expect(await load({ "specs/login.md": "# Login" })).toMatchObject({
      type: "markdown",
      branches: [],
      warnings: [expect.stringContaining("login.md was left out")],
    });
  });
  it("of one kind are taken where another kind has nothing to start; two with work are asked about", async () => {
    expect((await load({ "openspec/changes/a/tasks.md": "- [x] 1", "specs/m.md": PENDING })).type).toBe("markdown");
    await expect(load({ "openspec/changes/a/tasks.md": "- [ ] 1", "specs/m.md": PENDING })).rejects.toMatchObject({
      failure: { kind: "spec.several", found: ["openspec", "markdown"] },
    });
    await expect(load({})).rejects.toMatchObject({ failure: { kind: "spec.none" } });
  });
  it.each([
    [{ "specs/m.md": "x" }, ["markdown"]],
    [{ "specs/001-a/spec.md": "x" }, ["speckit"]],
    [{ ".specify/specs/001-a/spec.md": "x", "specs/m.md": "x" }, ["markdown", "speckit"]],
    [{ "openspec/changes/archive/x": "" }, ["openspec"]],
    [{ "specs/pictures/a.png": "" }, []],
  ])("in %j are %j", async (texts, types) => {
    expect(await findSpecSystems(tree(texts as Record<string, string>), "/r")).toEqual(types);
  });
});
