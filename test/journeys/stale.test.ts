import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StaleResult } from "../../src/core/session/stale.ts";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const stale = (...more: string[]) => stage.json<StaleResult>("purge", "--stale", ...more);
const names = (entries: StaleResult["removed"]) => entries.map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
const branches = () => stage.repo.git("branch", "--format=%(refname:short)").split("\n");

/** A session whose journal was lost: somebody tidied up the state folder. */
async function lostSession(list: string): Promise<void> {
  await stage.start(list);
  await stage.allIn("done");
  await stage.ok("stop");
  rmSync(stage.folder, { recursive: true });
}

describe("purge --stale", () => {
  it("removes worktrees no session knows, with what is uncommitted saved; branches stay", async () => {
    await lostSession("feat/a,feat/b");
    stage.repo.write(stage.worktree("feat-a"), "draft", "d\n");
    rmSync(stage.worktree("feat-b"), { recursive: true });
    stage.repo.git("worktree", "add", "-q", "-b", "mine", join(stage.repo.folder, "mine"));
    const plan = await stale("--dry-run");
    expect([names(plan.removed), plan.removed[0]?.files]).toEqual([["feat-a", "feat-b"], 1]);
    expect(existsSync(stage.worktree("feat-a"))).toBe(true);
    const asked = await stage.bm("purge", "--stale");
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("repeat with --force")]);

    const text = await stage.ok("purge", "--stale", "--force");
    expect(text).toMatch(/feat-a: removed, saved as refs\/banksman\/backup\/feat-a\/\S+\n[^\n]*feat-b: removed\n/);
    expect([existsSync(stage.worktree("feat-a")), branches()]).toEqual([false, ["feat/a", "feat/b", "main", "mine"]]);
    expect(stage.repo.git("worktree", "list").split("\n").length).toBe(2);
    expect(await stage.ok("purge", "--stale")).toBe("Nothing is stale.\n");
  });

  it("leaves alone what was given back to a person: restored and kept worktrees", async () => {
    await lostSession("feat/a");
    stage.repo.write(stage.worktree("feat-a"), "draft", "d\n");
    await stale("--force");
    await stage.ok("restore", "feat-a");
    expect(stage.repo.read(stage.worktree("feat-a"), "draft")).toBe("d\n");
    await stage.start("feat/b");
    await stage.allIn("done");
    await stage.ok("remove", "feat-b", "--keep-worktree");
    await stage.ok("stop");
    expect(await stale("--force")).toEqual({ removed: [], kept: [] });
    expect([existsSync(stage.worktree("feat-a")), existsSync(stage.worktree("feat-b"))]).toEqual([true, true]);
  });

  it("leaves a worktree in which somebody works, and says so", async () => {
    await lostSession("feat/a");
    const shell = spawn("sleep", ["1000"], { cwd: stage.worktree("feat-a"), stdio: "ignore" });
    try {
      const { removed, kept } = await stale("--force");
      expect([names(removed), kept]).toMatchObject([[], [{ why: "a program is working in it" }]]);
    } finally {
      shell.kill("SIGKILL");
    }
  });

  it("touches nothing of a session that is here, running or stopped", async () => {
    stage.script("feat-a", [{ do: "status", text: "at it" }, { do: "stall" }]);
    await stage.start("feat/a");
    await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
    const pid = (await stage.status()).agents[0]?.pid;
    expect(await stale("--force")).toEqual({ removed: [], kept: [] });
    expect((await stage.status()).agents[0]?.pid).toBe(pid);
    await stage.ok("stop");
    expect(await stale("--force")).toEqual({ removed: [], kept: [] });
    expect(existsSync(stage.worktree("feat-a"))).toBe(true);
  });

  it("removes the state of a repository that is gone, and not of one that is out of reach", async () => {
    const other = (name: string) => join(stage.repo.folder, name, "project");
    for (const name of ["gone", "unmounted"]) {
      mkdirSync(other(name), { recursive: true });
      mkdirSync(join(stage.repo.folder, name, "beside"));
      stage.repo.gitIn(other(name), "init", "-q", "-b", "main");
      stage.repo.gitIn(other(name), "commit", "-q", "--allow-empty", "-m", "first");
      await stage.bmIn(other(name), "start", "--headless", "--branches", "x", "--cli", "scripted");
      await stage.bmIn(other(name), "stop");
    }
    expect(readdirSync(stage.state).length).toBe(2);
    rmSync(other("gone"), { recursive: true });
    rmSync(join(stage.repo.folder, "unmounted"), { recursive: true });
    const { removed, kept } = JSON.parse(
      (await stage.bmIn(stage.home, "purge", "--stale", "--force", "--json")).out,
    ) as StaleResult;
    expect([removed, kept]).toMatchObject([
      [{ kind: "state", why: expect.stringMatching(/repository .*gone\/project is gone/) }],
      [{ kind: "state", why: expect.stringMatching(/a disk may be missing/) }],
    ]);
    expect(readdirSync(stage.state).length).toBe(1);
  });

  it.skipIf(!HAS_TMUX)("closes panes of which nothing is recorded any more", async () => {
    await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
    await stage.allIn("done");
    const marked = stage.marked();
    await stage.killSupervisor();
    rmSync(join(stage.folder, "journal.db"), { force: true });
    for (const name of readdirSync(stage.folder)) if (name.startsWith("journal.db")) rmSync(join(stage.folder, name));
    const { removed } = await stale("--force");
    expect(removed.map(({ kind }) => kind).sort()).toEqual(["panes", "worktree"]);
    await eventually(() => !marked.some((pid) => existsSync(`/proc/${pid}`)));
    expect(() => stage.panes()).toThrow();
  });
});
