import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

it("works with every name git accepts; nothing executes, nobody shares an id or a folder", async () => {
  const canary = join(stage.repo.folder, "canary");
  const names = [
    "feat/my_feature",
    "hotfix",
    "feat/$(id)",
    `feat/$(touch\${IFS}${canary})`.replaceAll("//", "/"),
    "feat/日本語",
    "a/b",
    "a-b",
    "UPPER/Case",
    "upper/case",
    "supervisor",
    "operator",
    "#{pane}",
    "semi;colon",
    "back`tick`",
    "quo'te",
    "x".repeat(120),
  ];
  await stage.start(names.join(","));
  const { agents } = await stage.allIn("done");
  expect(agents.map(({ branch }) => branch)).toEqual(names);
  expect(new Set(agents.map(({ id }) => id)).size).toBe(names.length);
  expect(new Set(agents.map(({ worktree }) => worktree)).size).toBe(names.length);
  for (const { id, branch, worktree } of agents) {
    expect(id).toMatch(/^[a-z0-9_-]{1,64}$/);
    expect(["supervisor", "operator"]).not.toContain(id);
    expect([branch, stage.repo.git("log", "-1", "--format=%s", `refs/heads/${branch}`)]).toEqual([
      branch,
      `Add a note by ${id}`,
    ]);
    expect(stage.repo.gitIn(worktree ?? "", "branch", "--show-current")).toBe(branch);
  }
  expect(existsSync(canary)).toBe(false);
  expect(await stage.ok("stop")).toMatch(/Already finished/);
});

it("plans in words: the mode, where agents run, the panes; nothing is made", async () => {
  const plan = (...more: string[]) =>
    stage.ok("start", "--dry-run", "--branches", "feat/a,feat/b", "--cli", "scripted", ...more);
  expect(await plan()).toMatch(
    /^bm-app-[0-9a-f]{4}: session in tmux, 2 agents\n[\s\S]*\n {2}tmux window 0: .*\d: feat\/a · \d: feat\/b\n$/,
  );
  const headless = await plan("--headless");
  expect(headless).toMatch(/^bm-app-[0-9a-f]{4}: session, headless, 2 agents\n/);
  expect(headless).not.toContain("tmux");
  expect(stage.repo.git("branch", "--format=%(refname:short)")).toBe("main");
});

it("makes 64 worktrees asked for at once, without a failure", async () => {
  const names = Array.from({ length: 64 }, (_, i) => `load/${String(i).padStart(2, "0")}`);
  // An agent that costs next to nothing: it is worktrees that are made here.
  const line = 'echo "$BANKSMAN_AGENT" > scripted && git add scripted && git commit -qm "$BANKSMAN_AGENT"';
  const config = `[clis.quick]\ncommand = ["sh", "-c", ${JSON.stringify(line)}]\n`;
  stage.repo.write(join(stage.home, ".config/banksman"), "config.toml", config);
  const { code, err } = await stage.bm("start", "--headless", "--branches", names.join(","), "--cli", "quick");
  expect([code, err.split("\n").filter((line) => line.includes("failed"))]).toEqual([0, []]);
  const { agents } = await stage.allIn("done");
  expect(agents.length).toBe(64);
  expect(readdirSync(join(stage.root, ".banksman/worktrees")).length).toBe(64);
  expect(stage.repo.git("log", "--all", "--format=%s", "--", "scripted").split("\n").length).toBe(64);
});
