import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";
import { StandInGh } from "../stand-in-gh.ts";

let stage: Stage;
let gh: StandInGh;
beforeEach(() => {
  stage = new Stage();
  gh = new StandInGh(stage.home);
  stage.env = { ...stage.env, PATH: `${gh.path}:${stage.env.PATH}` };
  gh.has({
    number: 12,
    title: "Login fails",
    body: "With `a` and ```b```.",
    author: "octocat",
    url: url(12),
    open: true,
  });
  gh.has({ number: 15, title: "A typo", body: "", author: "x", url: url(15), open: true });
  gh.has({ number: 16, title: "Done", body: "", author: "x", url: url(16), open: false });
});
afterEach(() => stage.dispose());

const url = (number: number) => `https://github.com/o/r/issues/${number}`;
const start = (...args: string[]) => stage.bm("start", "--headless", "--cli", "scripted", ...args);

it("starts an agent for each issue, on a branch with its number, with its text as data in the brief", async () => {
  const ran = await start("--issues", "12,#15");
  expect([ran.code, ran.err]).toEqual([0, expect.any(String)]);
  const { agents } = await stage.allIn("done");
  expect(agents.map(({ branch }) => branch)).toEqual(["issue/12", "issue/15"]);
  expect(stage.repo.read(stage.worktree("issue-12"), ".banksman/brief.md")).toMatch(
    /# Your task\n\nSolve issue #12 [\s\S]*written by octocat[\s\S]*\n````\nLogin fails\n\nWith `a` and ```b```\.\n````\n/,
  );
  await stage.until(({ agents: all }) => all.every(({ pid }) => pid === null));
  expect((await start("--issues", "12")).out).toMatch(/every agent has finished, and nothing was started/);
});

it("names the branches as the config says", async () => {
  stage.repo.write(stage.root, ".banksman/config.toml", 'issue_branch_prefix = "fix-"\n');
  const { out } = await start("--issues", "15", "--branches", "feat/a", "--dry-run", "--json");
  expect((JSON.parse(out) as { agents: { branch: string }[] }).agents.map(({ branch }) => branch)).toEqual([
    "feat/a",
    "fix-15",
  ]);
});

it("starts nothing when one of them is wrong, and says what to do", async () => {
  const refused = async (said: RegExp, ...args: string[]) => {
    const { code, err } = await start(...args);
    expect([code, err]).toEqual([1, expect.stringMatching(said)]);
    expect(existsSync(join(stage.root, ".banksman/worktrees"))).toBe(false);
  };
  await refused(/no issue #99 here\.\n`gh issue list`/, "--issues", "12,99");
  await refused(/#16 is closed: `Done`\.\nLeave it out/, "--issues", "12,16");
  await refused(/no issue #98[\s\S]*no issue #99/, "--issues", "98,99");
  await refused(/"x" is not the number of an issue/, "--issues", "12,x");
  gh.fails("login");
  await refused(/^`gh` is not logged in to GitHub[^\n]*\nRun `gh auth login`\.\n$/, "--issues", "12,15");
  gh.fails("remotes");
  await refused(/which repository on GitHub[\s\S]*git remote add/, "--issues", "12");
  stage.env = { ...stage.env, PATH: stage.env.PATH?.replace(`${gh.path}:`, "") ?? "" };
  await refused(/`gh`, GitHub's command line program, is not installed[\s\S]*cli\.github\.com/, "--issues", "12");
});
