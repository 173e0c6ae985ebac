import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Stage, untilGone } from "../stage.ts";
import { pointsOf, serveAndDie } from "./dying.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

/** Two agents that have worked: commits, an edit, a new file. Nobody runs any more. */
async function worked(): Promise<Stage> {
  const stage = new Stage();
  // What agents commit would be looked at beside it, at its own time.
  stage.repo.write(stage.home, ".config/banksman/config.toml", "[verify]\non_commit = false\n");
  stages.push(stage);
  await stage.start("feat/a,feat/b");
  await stage.allIn("done");
  await stage.ok("stop");
  for (const agent of ["feat-a", "feat-b"]) {
    stage.repo.write(stage.worktree(agent), "README", `edited by ${agent}\n`);
    stage.repo.write(stage.worktree(agent), "new", `new of ${agent}\n`);
  }
  return stage;
}

/** Every text that any backup holds. */
function saved(stage: Stage): string {
  const refs = stage.repo.git("for-each-ref", "--format=%(refname)", "refs/banksman/backup/").split("\n");
  const texts = refs.filter(Boolean).flatMap((ref) =>
    stage.repo
      .git("ls-tree", "-r", "--name-only", ref)
      .split("\n")
      .map((name) => stage.repo.git("show", `${ref}:${name}`)),
  );
  return texts.join("\n");
}

async function countEffects(): Promise<string[]> {
  const stage = await worked();
  const trace = join(stage.repo.folder, "trace");
  const child = await serveAndDie(stage, 0, "before", trace);
  await stage.ok("purge", "--force");
  await untilGone(child.pid ?? 0);
  const performed = readFileSync(trace, "utf8").trim().split("\n");
  await stage.dispose();
  stages.splice(0);
  return performed;
}

const effects = await countEffects();

describe(`kill -9 at each of the ${effects.length} effects of a purge of two agents`, () => {
  it("has all of them", () => {
    expect([...effects].sort()).toEqual([
      "branch.delete",
      "branch.delete",
      "work.save",
      "work.save",
      "worktree.remove",
      "worktree.remove",
    ]);
  });
  it.each(pointsOf(effects))(
    "effect %i, %s it is done: somebody works on, purges again, and all of it is saved",
    async (at, moment) => {
      const stage = await worked();
      const child = await serveAndDie(stage, at, moment);
      await stage.bm("purge", "--force");
      await untilGone(child.pid ?? 0);
      const expected = ["feat-a", "feat-b"].flatMap((agent) => [
        `edited by ${agent}`,
        `new of ${agent}`,
        `${agent} was here.`,
      ]);
      for (const agent of ["feat-a", "feat-b"]) {
        if (stage.repo.read(stage.worktree(agent), "README") === null) continue;
        stage.repo.write(stage.worktree(agent), "later", `after the crash in ${agent}\n`);
        expected.push(`after the crash in ${agent}`);
      }
      const again = await stage.bm("purge", "--force");
      expect([again.code, again.err]).toEqual([0, expect.any(String)]);
      const texts = saved(stage);
      expect(expected.filter((text) => !texts.includes(text))).toEqual([]);
      expect(stage.repo.git("worktree", "list").split("\n")).toHaveLength(1);
      expect(stage.repo.git("branch", "--format=%(refname:short)")).toBe("main");
    },
  );
});
