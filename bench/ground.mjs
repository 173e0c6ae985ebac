// What the benches share: temp folders, timed programs, medians.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const BIN = fileURLToPath(new URL("../dist/bin.cjs", import.meta.url));

export class Ground {
  /** `where` holds the repository and its worktrees; our own state, which is synced, is always on the disk. */
  constructor(where = tmpdir()) {
    this.folder = realpathSync(mkdtempSync(join(where, "bm-bench-")));
    this.state = realpathSync(mkdtempSync(join(tmpdir(), "bm-bench-state-")));
    this.root = join(this.folder, "app");
    mkdirSync(this.root);
    const { NODE_EXTRA_CA_CERTS: _, ...rest } = process.env;
    const who = {
      GIT_AUTHOR_NAME: "B",
      GIT_AUTHOR_EMAIL: "b@localhost",
      GIT_COMMITTER_NAME: "B",
      GIT_COMMITTER_EMAIL: "b@localhost",
    };
    this.env = {
      PATH: rest.PATH,
      HOME: join(this.folder, "home"),
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      BANKSMAN_STATE_DIR: this.state,
      ...who,
    };
    mkdirSync(this.env.HOME);
    this.git("init", "-q", "-b", "main");
  }

  git(...args) {
    return execFileSync("git", args, { cwd: this.root, env: this.env, stdio: "pipe", maxBuffer: 1 << 26 }).toString();
  }

  write(name, text) {
    mkdirSync(dirname(join(this.root, name)), { recursive: true });
    writeFileSync(join(this.root, name), text);
  }

  /** `count` files of about 2 kB in folders of 50. */
  fill(count) {
    for (let i = 0; i < count; i++)
      this.write(
        `src/${Math.floor(i / 50)}/file-${i}.ts`,
        `// file ${i}\n${"export const line = 1; // some words\n".repeat(50)}`,
      );
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "files");
  }

  /** Milliseconds of a whole program. */
  time(file, args, cwd = this.root) {
    return new Promise((resolve, reject) => {
      const begun = performance.now();
      execFile(file, args, { cwd, env: this.env, maxBuffer: 1 << 26 }, (error, out, err) =>
        error
          ? reject(new Error(`${file} ${args.join(" ")}\n${out}${err}`))
          : resolve({ ms: performance.now() - begun, out }),
      );
    });
  }

  bm(...args) {
    return this.time(process.execPath, [BIN, ...args]);
  }

  async supervisor() {
    return JSON.parse((await this.bm("status", "--json")).out).supervisor;
  }

  async dispose() {
    await this.bm("stop", "--force").catch(() => {});
    await this.bm("serve", "--stop").catch(() => {});
    for (const folder of [this.folder, this.state]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Thousands of small files measure a disk's mood first: on a cloud disk one and the same `git worktree add` took 0.3 s
 * and 5 s within a minute. In memory the two sides differ by their work alone.
 */
export function memoryDisk() {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize > 2 * 2 ** 30 ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

export const rssMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

export const row = (name, ours, baseline, unit, goal) => ({
  name,
  ours,
  baseline,
  ratio: ours / baseline,
  unit,
  ...(goal && { goal }),
});
