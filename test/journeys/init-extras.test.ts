import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { draw } from "../epics/sketch.ts";
import { BIN, Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

function write(file: string, text: string): void {
  const full = join(stage.root, file);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, text);
}

describe("init, for other programs,", () => {
  const WORKFLOW = ".github/workflows/banksman-merged.yml";
  const SKILLS = [".agents/skills/supervisor/SKILL.md", ".claude/skills/supervisor/SKILL.md"];
  const text = (file: string) => readFileSync(join(stage.root, file), "utf8");

  it("writes a workflow and a skill, says where, and leaves them alone afterwards", async () => {
    write(".claude/settings.json", "{}");
    const said = await stage.ok("init", "--github", "--skills");
    for (const file of [WORKFLOW, ...SKILLS]) expect(said).toContain(`Wrote ${join(stage.root, file)}.`);
    expect(existsSync(join(stage.root, ".banksman/config.toml"))).toBe(false);
    write(WORKFLOW, "mine\n");
    expect(await stage.ok("init", "--github")).toMatch(/already exists, and was not changed\.\n$/);
    expect(text(WORKFLOW)).toBe("mine\n");
    expect(text(SKILLS[0] ?? "")).toMatch(/^---\nname: supervisor\ndescription: [\s\S]*a session on app\./);
    expect(text(SKILLS[0] ?? "")).not.toContain("{{");
  });

  it("writes steps that hear of a merge, whatever the branch is called", async () => {
    await stage.ok("init", "--github");
    const { jobs } = parse(text(WORKFLOW)) as { jobs: { merged: { steps: { run?: string; env?: object }[] } } };
    const steps = jobs.merged.steps.flatMap(({ run, env }) => (run === undefined ? [] : [{ run, env }]));
    expect(steps.filter(({ run }) => run.includes("${{"))).toEqual([]);
    const [, merged, commit] = steps;
    write(".banksman/epics/e.md", draw({ items: "t-1 ready_for_user_review hand; t-2 queued" }));
    stage.repo.git("add", "--force", ".banksman/epics/e.md");
    stage.repo.git("commit", "-q", "-m", "The epic");
    const bin = join(stage.repo.folder, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "banksman"), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
    const env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}`, URL: "https://x/pull/1" };
    const sh = (script = "", branch = "") =>
      execFileSync("sh", ["-ec", script], { cwd: stage.root, env: { ...env, BRANCH: branch }, encoding: "utf8" });
    expect(sh(merged?.run, "--json; $(touch oops)")).toBe("No work item has that branch.\n");
    expect(sh(merged?.run, "epic/e/t-1.1.4")).toBe("t-1 of e is done.\n");
    expect(existsSync(join(stage.root, "oops"))).toBe(false);
    const origin = join(stage.repo.folder, "origin.git");
    stage.repo.git("clone", "-q", "--bare", stage.root, origin);
    stage.repo.git("remote", "add", "origin", origin);
    stage.repo.git("fetch", "-q", "origin");
    stage.repo.git("branch", "-q", "--set-upstream-to", `origin/${stage.repo.git("branch", "--show-current")}`);
    sh(commit?.run);
    sh(commit?.run);
    expect(stage.repo.git("-C", origin, "log", "--format=%s", "-2")).toBe(
      "Mark the item of a merged branch as done\nThe epic",
    );
  });
});
