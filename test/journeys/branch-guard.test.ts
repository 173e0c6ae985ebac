import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Branch } from "../../src/core/text/ids.ts";
import { nameAgents } from "../../src/core/text/naming.ts";
import { Stage } from "../stage.ts";

/** A name that is a command where it is not quoted. */
const BRANCH = "feat/$(x)" as Branch;

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/** What an agent on `feat/$(x)` gets to see of each command, run in its worktree with its environment. */
async function asAgent(...commands: string[]): Promise<{ code: number; text: string }[]> {
  const out = join(stage.repo.folder, "out");
  mkdirSync(out);
  const run = (command: string, i: number) => ({
    do: "run" as const,
    argv: ["sh", "-c", `{ ${command}; } > "$0/${i}.text" 2>&1; echo $? > "$0/${i}.code"`, out],
  });
  stage.script([...nameAgents([BRANCH], new Map()).values()][0] ?? "", [
    ...commands.map(run),
    { do: "end", how: "ok", text: "" },
  ]);
  await stage.start(BRANCH);
  await stage.allIn("done");
  return commands.map((_, i) => ({
    code: Number(readFileSync(join(out, `${i}.code`), "utf8")),
    text: readFileSync(join(out, `${i}.text`), "utf8"),
  }));
}

function hook(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const COMMIT = "git commit -q --allow-empty -m work";

describe("an agent's git", () => {
  it("commits on its own branch, and nowhere else", async () => {
    const git = join(stage.root, ".git");
    const before = readdirSync(join(git, "hooks"));
    const [own, detached, other, unverified, back] = await asAgent(
      COMMIT,
      `git checkout -q --detach && ${COMMIT}`,
      `git switch -q -c elsewhere && ${COMMIT}`,
      `${COMMIT} --no-verify`,
      `git switch -q 'feat/$(x)' && ${COMMIT}`,
    );
    expect([own?.code, unverified?.code, back?.code]).toEqual([0, 0, 0]);
    expect(detached).toEqual({
      code: 1,
      text: "banksman: this worktree is on a commit without a branch, and your branch is feat/$(x): switch to it before you commit.\n",
    });
    expect(other?.text).toBe(
      "banksman: this worktree is on elsewhere, and your branch is feat/$(x): switch to it before you commit.\n",
    );
    expect(readdirSync(join(git, "hooks"))).toEqual(before);
    expect(stage.repo.git("config", "--local", "--list")).not.toContain("hookspath");
  });

  it("can rebase, and work in other repositories as it likes", async () => {
    const elsewhere = join(stage.repo.folder, "elsewhere");
    stage.repo.git("commit", "-q", "--allow-empty", "-m", "base");
    const results = await asAgent(
      "echo 1 > a && git add a && git commit -q -m a && echo 2 > a && git commit -qam b",
      "GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -q -i HEAD~2 && git commit -q --amend --allow-empty -m c && git rebase --continue",
      `git init -q -b trunk ${elsewhere} && cd ${elsewhere} && ${COMMIT}`,
    );
    expect(results.map(({ code, text }) => [code, code === 0 ? "" : text])).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
    ]);
  });

  it("runs the repository's own hooks first, wherever they are, with their arguments and input", async () => {
    const seen = join(stage.repo.folder, "seen");
    hook(join(stage.root, ".git/hooks"), "commit-msg", `cat "$1" >> ${seen}`);
    hook(join(stage.root, ".git/hooks"), "pre-commit", `echo pre-commit >> ${seen}; [ ! -e refuse ]`);
    const [first, refused] = await asAgent(COMMIT, `touch refuse && ${COMMIT}`);
    expect([first?.code, refused?.code]).toEqual([0, 1]);
    expect(readFileSync(seen, "utf8")).toBe("pre-commit\nwork\npre-commit\n");
  });

  it("runs hooks that the repository keeps in a folder of its own", async () => {
    const seen = join(stage.repo.folder, "seen");
    hook(join(stage.root, "tools/hooks"), "post-commit", `echo post-commit >> ${seen}`);
    stage.repo.git("config", "core.hooksPath", join(stage.root, "tools/hooks"));
    const [first] = await asAgent(COMMIT);
    expect([first?.code, existsSync(seen) && readFileSync(seen, "utf8")]).toEqual([0, "post-commit\n"]);
  });

  it("runs hooks of a relative folder in each worktree, from wherever git is called, and none that may not run", async () => {
    const seen = join(stage.repo.folder, "seen");
    hook(join(stage.root, "tools/hooks"), "pre-commit", `echo "pre-commit in $(pwd)" >> ${seen}`);
    hook(join(stage.root, "tools/hooks"), "post-commit", `echo post-commit >> ${seen}`);
    hook(join(stage.root, "tools/hooks"), "post-rewrite", `cat | wc -l >> ${seen}`);
    chmodSync(join(stage.root, "tools/hooks/post-commit"), 0o644);
    stage.repo.commit(stage.root, "hooks");
    stage.repo.git("config", "core.hooksPath", "tools/hooks");
    const results = await asAgent(
      `cd tools && ${COMMIT}`,
      `cd / && git -C "$OLDPWD/tools" commit -q --amend --allow-empty -m again`,
    );
    const at = `pre-commit in ${stage.worktree([...nameAgents([BRANCH], new Map()).values()][0] ?? "")}`;
    expect([
      results,
      readFileSync(seen, "utf8")
        .split("\n")
        .map((line) => line.trim()),
    ]).toEqual([
      [
        { code: 0, text: "" },
        { code: 0, text: "" },
      ],
      [at, at, "1", ""],
    ]);
  });

  it("runs hooks that come with every change of a ref where the repository has them", async () => {
    const seen = join(stage.repo.folder, "seen");
    hook(join(stage.root, ".git/hooks"), "reference-transaction", `grep -q 'heads/feat' && echo "$1" >> ${seen}; true`);
    const [first] = await asAgent(COMMIT);
    expect([first?.code, readFileSync(seen, "utf8")]).toEqual([0, expect.stringContaining("committed")]);
  });

  it("pushes its own branch, without force, and nothing else", async () => {
    const remote = join(stage.repo.folder, "remote.git");
    const seen = join(stage.repo.folder, "seen");
    stage.repo.git("init", "-q", "--bare", remote);
    stage.repo.git("remote", "add", "origin", remote);
    hook(join(stage.root, ".git/hooks"), "pre-push", `echo "$1" >> ${seen}; wc -l >> ${seen}`);
    const [own, more, main, forced, gone] = await asAgent(
      `${COMMIT} && git push -q origin 'feat/$(x)'`,
      `${COMMIT} && git push -q origin HEAD`,
      "git push -q origin HEAD:main",
      `git reset -q --hard HEAD~1 && ${COMMIT}2 && git push -q --force origin HEAD`,
      "git push -q origin ':feat/$(x)'",
    );
    expect([own, more].map((each) => [each?.code, each?.text])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(main?.text).toContain("banksman: you may push feat/$(x) to its own name, and not refs/heads/main.");
    expect(forced?.text).toContain("a forced push is refused");
    expect(gone?.text).toContain("banksman: you may not delete refs/heads/feat/$(x).");
    expect([main?.code, forced?.code, gone?.code]).toEqual([1, 1, 1]);
    expect(readFileSync(seen, "utf8").split("\n").slice(0, 2)).toEqual(["origin", "1"]);
  });
});
