import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The environment of every git call in tests: an identity, and nothing of the machine's own configuration. */
export const GIT_ENV = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Tess",
  GIT_AUTHOR_EMAIL: "tess@example.org",
  GIT_COMMITTER_NAME: "Tess",
  GIT_COMMITTER_EMAIL: "tess@example.org",
  LC_ALL: "C",
};

/** A real repository in a temp folder, to be read and written by tests. */
export class TempRepository {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "bm-repo-")));
  readonly root = join(this.folder, "app");

  constructor(files: Readonly<Record<string, string>> = { README: "hi\n" }) {
    mkdirSync(this.root);
    this.git("init", "-q", "-b", "main");
    for (const [name, text] of Object.entries(files)) this.write(this.root, name, text);
    if (Object.keys(files).length > 0) this.commit(this.root, "first");
  }

  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(cwd: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd, env: GIT_ENV, stdio: "pipe", encoding: "utf8" }).trim();
  }

  /** Fed with `input` on standard input. */
  gitFed(input: string, ...args: string[]): string {
    return execFileSync("git", args, { cwd: this.root, env: GIT_ENV, input, encoding: "utf8" }).trim();
  }

  write(worktree: string, name: string, text: string | Uint8Array): void {
    mkdirSync(dirname(join(worktree, name)), { recursive: true });
    writeFileSync(join(worktree, name), text);
  }

  read(worktree: string, name: string): string | null {
    const path = join(worktree, name);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  }

  remove(worktree: string, name: string): void {
    rmSync(join(worktree, name));
  }

  commit(worktree: string, message: string): string {
    this.gitIn(worktree, "add", "--all");
    this.gitIn(worktree, "commit", "-q", "-m", message);
    return this.gitIn(worktree, "rev-parse", "HEAD");
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
