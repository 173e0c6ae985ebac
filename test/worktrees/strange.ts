import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GIT_ENV, type TempRepository } from "../git-repository.ts";

/** What somebody did to a worktree: `repo` is the repository it belongs to, `path` the worktree, on `branch`. */
export type Strangeness = (repo: TempRepository, path: string, branch: string) => void;

/**
 * Worktrees that are not as git made them, each with something in it that must not get lost. `goes` can be saved, and is
 * removed; `stays` cannot. (All of them have a commit of their own, an edited file and a new one.)
 */
export const STRANGE: Readonly<Record<string, readonly ["goes" | "stays", Strangeness]>> = {
  "no .git": ["goes", (_, path) => rmSync(join(path, ".git"))],
  ".git is a pipe": ["goes", (_, path) => replaceDotGit(path, (file) => void execFileSync("mkfifo", [file]))],
  ".git is empty": ["goes", (_, path) => truncateSync(join(path, ".git"), 0)],
  ".git is a text": ["goes", (_, path) => writeFileSync(join(path, ".git"), "precious words\n")],
  ".git is large": ["goes", (_, path) => writeFileSync(join(path, ".git"), "precious ".repeat(300_000))],
  ".git is a link": [
    "goes",
    (repo, path) => replaceDotGit(path, (file) => symlinkSync(join(repo.folder, "elsewhere"), file)),
  ],
  ".git leads elsewhere": [
    "goes",
    (repo, path) => {
      const other = join(repo.folder, `other-${path.split("/").at(-1)}`);
      newRepository(repo, other);
      writeFileSync(join(path, ".git"), `gitdir: ${join(other, ".git")}\n`);
    },
  ],
  ".git leads to another agent's": [
    "goes",
    (repo, path) => {
      const home = join(repo.root, ".git/worktrees");
      const another = readdirSync(home).find((name) => !path.endsWith(`/${name}`)) ?? "";
      writeFileSync(join(path, ".git"), `gitdir: ${join(home, another)}\n`);
    },
  ],
  ".git is a folder": [
    "stays",
    (_, path) =>
      replaceDotGit(path, (file) => {
        mkdirSync(file);
        writeFileSync(join(file, "note"), "in a folder\n");
      }),
  ],
  "git init": [
    "stays",
    (repo, path) => {
      rmSync(join(path, ".git"));
      repo.gitIn(path, "init", "-q", "-b", "own");
      repo.commit(path, "a history of its own");
    },
  ],
  "index damaged": [
    "goes",
    (repo, path) => writeFileSync(join(recordOf(repo, path), "index"), "DIRC and nothing more"),
  ],
  "index of zeros": ["goes", (repo, path) => writeFileSync(join(recordOf(repo, path), "index"), Buffer.alloc(400))],
  "record deleted": ["goes", (repo, path) => rmSync(recordOf(repo, path), { recursive: true })],
  "HEAD emptied": ["goes", (repo, path) => truncateSync(join(recordOf(repo, path), "HEAD"), 0)],
  "folder deleted, detached": [
    "goes",
    (repo, path) => {
      detach(repo, path);
      rmSync(path, { recursive: true });
    },
  ],
  detached: ["goes", detach],
  "detached, branch deleted": [
    "goes",
    (repo, path, branch) => {
      repo.gitIn(path, "checkout", "-q", "--detach");
      repo.git("branch", "-q", "-D", branch);
      repo.write(path, "later", "after the branch\n");
      repo.commit(path, "on no branch");
    },
  ],
  "branch deleted": ["goes", (repo, _, branch) => void repo.git("update-ref", "-d", `refs/heads/${branch}`)],
  orphan: ["goes", (repo, path) => void repo.gitIn(path, "checkout", "-q", "--orphan", `fresh-${path.length}`)],
  "staged and gone from disk": [
    "goes",
    (repo, path) => {
      repo.write(path, "staged", "only in the index\n");
      repo.gitIn(path, "add", "staged");
      rmSync(join(path, "staged"));
    },
  ],
  "rebase under way": [
    "goes",
    (repo, path) => {
      repo.commit(path, "everything");
      repo.write(path, "own", "stashed by the rebase\n");
      repo.gitIn(path, "add", "own");
      const env = { ...GIT_ENV, GIT_SEQUENCE_EDITOR: "sed -i 1s/pick/edit/" };
      spawnSync("git", ["rebase", "-q", "-i", "--autostash", "HEAD~1"], { cwd: path, env });
    },
  ],
  "hidden by an ignore file": ["goes", (repo, path) => repo.write(path, ".gitignore", "*\n")],
  "repository inside": ["stays", (repo, path) => newRepository(repo, join(path, "app"))],
  "repository as a gitlink": [
    "stays",
    (repo, path) => {
      newRepository(repo, join(path, "app"));
      repo.commit(path, "with a gitlink");
    },
  ],
  "repository in an ignored folder": ["stays", (repo, path) => newRepository(repo, join(path, "ignored/app"))],
  "bare repository in an ignored folder": [
    "stays",
    (repo, path) => {
      newRepository(repo, join(path, "ignored/app"));
      repo.gitIn(path, "clone", "-q", "--bare", join(path, "ignored/app"), join(path, "ignored/bare"));
      rmSync(join(path, "ignored/app"), { recursive: true });
      repo.gitIn(join(path, "ignored/bare"), "remote", "remove", "origin");
    },
  ],
  "bare repository as files": [
    "goes",
    (repo, path) => {
      const bare = join(repo.folder, `bare-${path.split("/").at(-1)}`);
      newRepository(repo, `${bare}-source`);
      repo.git("clone", "-q", "--bare", `${bare}-source`, bare);
      renameSync(bare, join(path, "fixture.git"));
    },
  ],
  "worktree in an ignored folder": [
    "stays",
    (repo, path, branch) => {
      repo.gitIn(path, "worktree", "add", "-q", "-b", `${branch}-inner`, join(path, "ignored/inner"));
      repo.write(join(path, "ignored/inner"), "draft", "uncommitted in the inner one\n");
    },
  ],
  "clone of a remote": [
    "goes",
    (repo, path) => {
      const remote = join(repo.folder, `remote-${path.split("/").at(-1)}`);
      newRepository(repo, remote);
      repo.gitIn(path, "clone", "-q", remote, join(path, "ignored/clone"));
    },
  ],
  "submodule with a commit of its own": ["stays", (repo, path) => void ownCommit(repo, path)],
  "submodule with a commit of its own, orphaned": [
    "stays",
    (repo, path) => void repo.gitIn(ownCommit(repo, path), "checkout", "-q", "--orphan", "fresh"),
  ],
  "submodule with a draft": [
    "stays",
    (repo, path) => repo.write(submodule(repo, path), "draft", "uncommitted in the submodule\n"),
  ],
  "submodule as it was fetched": ["goes", (repo, path) => void submodule(repo, path)],
  "another thing in its place": [
    "stays",
    (repo, path) => {
      const aside = join(repo.folder, `aside-${path.split("/").at(-1)}`);
      renameSync(path, aside);
      symlinkSync(aside, path);
    },
  ],
};

const recordOf = (repo: TempRepository, path: string): string => repo.gitIn(path, "rev-parse", "--absolute-git-dir");

function replaceDotGit(path: string, make: (file: string) => void): void {
  rmSync(join(path, ".git"));
  make(join(path, ".git"));
}

function detach(repo: TempRepository, path: string): void {
  repo.gitIn(path, "checkout", "-q", "--detach");
  repo.write(path, "lost", `on no branch, in ${path}\n`);
  repo.gitIn(path, "add", "lost");
  repo.gitIn(path, "commit", "-q", "-m", "on no branch");
}

function newRepository(repo: TempRepository, folder: string): void {
  mkdirSync(folder, { recursive: true });
  repo.gitIn(folder, "init", "-q", "-b", "main");
  repo.write(folder, "inner", `of ${folder}\n`);
  repo.commit(folder, "inner");
}

/** A submodule of the worktree, fetched from outside. */
function submodule(repo: TempRepository, path: string): string {
  const library = join(repo.folder, `library-${path.split("/").at(-1)}`);
  newRepository(repo, library);
  repo.gitIn(path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
  repo.gitIn(path, "commit", "-q", "-m", "with a submodule");
  return join(path, "lib");
}

function ownCommit(repo: TempRepository, path: string): string {
  const folder = submodule(repo, path);
  repo.gitIn(folder, "checkout", "-q", "--detach");
  repo.write(folder, "only-here", `only in ${folder}\n`);
  repo.commit(folder, "only here");
  return folder;
}
