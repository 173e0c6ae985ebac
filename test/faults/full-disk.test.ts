import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
const mounted: string[] = [];
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  await stage.dispose().catch(() => undefined);
  for (const folder of mounted.splice(0)) spawnSync("umount", ["--lazy", folder]);
  rmSync(stage.repo.folder, { recursive: true, force: true });
});

/** A small disk of its own at this folder; false where mounting is not allowed. */
function mount(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status === 0) mounted.push(folder);
  return status === 0;
}

const mayMount = (() => {
  const probe = new Stage();
  const folder = join(probe.repo.folder, "probe");
  const may = mount(folder, "64k");
  for (const each of mounted.splice(0)) spawnSync("umount", [each]);
  rmSync(probe.repo.folder, { recursive: true, force: true });
  return may;
})();

/** Fills a folder's disk to the last byte. */
function fill(folder: string): () => void {
  const file = join(folder, "fill");
  spawnSync("dd", ["if=/dev/zero", `of=${file}`, "bs=1k"]);
  return () => rmSync(file);
}

describe.skipIf(!mayMount)("on a full disk", () => {
  it("a start says so and leaves no half-made supervisor; with space it goes on", async () => {
    mount(stage.state, "2m");
    stage.script("feat-a", [{ do: "stall" }]);
    await stage.start("feat/a");
    await stage.killSupervisor();
    const free = fill(stage.state);
    const { code, err } = await stage.bm("start", "--headless");
    expect([code, err]).toEqual([1, expect.stringMatching(/is full[\s\S]*Free some space/)]);
    expect(err).not.toMatch(/bug in banksman/);
    free();
    await stage.start("");
    expect((await stage.status()).agents.map(({ state }) => state)).toEqual(["working"]);
  });

  it.each([
    ["64k", false],
    ["64k", true],
    ["1m", true],
  ])("a first start on a state disk of %s says so (full: %s)", async (size, full) => {
    mount(stage.state, size);
    if (full) fill(stage.state);
    const { code, err } = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([code, err]).toEqual([1, expect.stringMatching(/^The disk of .* is full\.\nFree some space/m)]);
    expect(err).not.toMatch(/bug in banksman|cannot be read|Move it away/);
  });

  it("a start during which it fills up says so, and does not wait", async () => {
    mount(stage.state, "256k");
    stage.script("feat-a", [{ do: "stall" }]);
    const branches = Array.from({ length: 12 }, (_, i) => `feat/${i}`).join(",");
    const { code, err } = await stage.bm("start", "--headless", "--branches", branches, "--cli", "scripted");
    expect([code, err]).toEqual([1, expect.stringMatching(/disk .*is full/)]);
    expect(err).not.toMatch(/bug in banksman/);
  });

  it("what needs a temporary folder says so", async () => {
    const temp = join(stage.repo.folder, "temp");
    mount(temp, "64k");
    fill(temp);
    stage.env = { ...stage.env, TMPDIR: temp };
    const { code, err } = await stage.bm("selftest");
    expect([code, err]).toEqual([1, expect.stringMatching(/is full/)]);
  });
});

it("what needs a temporary folder says that there is none", async () => {
  stage.script("feat-a", [{ do: "stall" }]);
  await stage.start("feat/a");
  stage.env = { ...stage.env, TMPDIR: join(stage.repo.folder, "nowhere") };
  for (const args of [["selftest"], ["demo"], ["diff", "feat-a"], ["conflicts", "--refs", "main", "feat/a"]]) {
    const { code, err } = await stage.bm(...args);
    expect([args, code, err]).toEqual([
      args,
      1,
      expect.stringMatching(/^No temporary folder can be made in .*nowhere/m),
    ]);
    expect(err).not.toMatch(/bug in banksman/);
  }
});

it("a journal that was emptied is not taken for none", async () => {
  stage.script("feat-a", [{ do: "stall" }]);
  await stage.start("feat/a");
  await stage.ok("stop");
  const journal = join(stage.folder, "journal.db");
  truncateSync(journal, 0);
  for (const name of readdirSync(stage.folder)) if (/^journal\.db-/.test(name)) rmSync(join(stage.folder, name));
  for (const args of [["status"], ["start", "--headless"]]) {
    const { code, err } = await stage.bm(...args);
    expect([code, err]).toEqual([1, expect.stringMatching(/is empty: what it held is lost[\s\S]*worktrees.*stay/)]);
  }
  rmSync(journal);
  await stage.start("feat/a");
  expect(existsSync(stage.worktree("feat-a"))).toBe(true);
});

it("a folder with a line break in its path is refused with a sentence", async () => {
  const folder = join(stage.repo.folder, "a\nb");
  mkdirSync(folder);
  spawnSync("git", ["init", "-q"], { cwd: folder });
  writeFileSync(join(folder, "f"), "");
  const { code, err } = await stage.bmIn(folder, "status");
  expect([code, err]).toEqual([1, expect.stringMatching(/has a line break in it[\s\S]*Rename/)]);
});
