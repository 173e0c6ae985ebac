// Predicted conflicts next to what `git merge` really does, and next to plain file overlap: the two-parent merges of a
// clone (`--repo <path> [--most n]`), of this repository if it has any, or of a made-up one. Then, without `--repo` or
// with `--fleet` alone, 30 agents of whom one edits a file, and 1,000 of whom one says something.
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { benchDetector } from "./conflicts-detector.mjs";
import { benchFleet } from "./conflicts-fleet.mjs";
import { fillWithMerges } from "./conflicts-history.mjs";
import { Ground, median, memoryDisk, row } from "./ground.mjs";
import { loadSources } from "./load.mjs";

export async function bench({ say, options }) {
  const kit = await loadSources("conflicts-ground");
  const value = (name) => options[options.indexOf(name) + 1];
  const most = options.includes("--most") ? Number(value("--most")) : 300;
  const repository = options.includes("--repo") ? resolve(value("--repo")) : ownIfMerged();
  const rows = options.includes("--fleet") ? [] : await replay(kit, repository, most, say);
  return options.includes("--repo") ? rows : [...rows, ...(await benchFleet(kit, say)), ...benchDetector(kit, say)];
}

function ownIfMerged() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const { stdout } = spawnSync("git", ["rev-list", "--count", "--merges", "--all"], { cwd: root, encoding: "utf8" });
  return Number(stdout) > 0 ? root : null;
}

async function replay(kit, repository, most, say) {
  const ground = new Ground(memoryDisk());
  try {
    if (repository === null) {
      say("making a repository with 200 merges ...");
      fillWithMerges(ground, 200);
    }
    const source = repository ?? ground.root;
    const git = (cwd, ...args) =>
      execFileSync("git", args, { cwd, env: ground.env, maxBuffer: 1 << 28 })
        .toString()
        .trim();
    const listed = git(
      source,
      "rev-list",
      "--min-parents=2",
      "--max-parents=2",
      "--parents",
      `--max-count=${most}`,
      "--all",
    );
    const merges = listed
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split(" ").slice(1));
    if (merges.length === 0) throw new Error(`${source} has no merge of two parents: there is nothing to replay.`);
    // A clone that borrows the objects: the repository itself is not written to.
    const scratch = join(ground.folder, "scratch");
    git(ground.folder, "clone", "-q", "--shared", "--no-checkout", source, scratch);
    const predictor = kit.createPredictor(
      kit.createCommand("bm-bench"),
      {
        commonDir: resolve(source, git(source, "rev-parse", "--git-common-dir")),
        quarantine: join(ground.folder, "quarantine"),
      },
      ground.env,
    );
    const ours = new Score();
    const overlap = new Score();
    const [times, real] = [[], []];
    for (const [i, [a, b]] of merges.entries()) {
      const begun = performance.now();
      const [{ outcome }] = await predictor.predict({ pairs: [{ ours: a, theirs: b }], worktree: null });
      times.push(performance.now() - begun);
      git(scratch, "checkout", "-q", "--force", "--detach", a);
      const before = performance.now();
      const { status } = spawnSync("git", ["merge", "-q", "--no-edit", "--no-ff", b], {
        cwd: scratch,
        env: ground.env,
      });
      real.push(performance.now() - before);
      if (status !== 0) spawnSync("git", ["reset", "-q", "--hard"], { cwd: scratch, env: ground.env });
      const conflict = status !== 0;
      ours.add(outcome === "conflict", conflict);
      overlap.add(overlaps(git, source, a, b), conflict);
      if ((i + 1) % 50 === 0)
        say(`${i + 1} of ${merges.length} merges: ${ours.text()}; file overlap: ${overlap.text()}`);
    }
    await predictor.close();
    say(`${merges.length} merges: predicted ${ours.text()}; file overlap ${overlap.text()}`);
    const name = `${merges.length} merges, ${ours.real} in conflict`;
    return [
      row(`recall (${name})`, ours.recall(), overlap.recall(), "", "1.00"),
      row("precision, next to file overlap", ours.precision(), overlap.precision(), "", "1.00"),
      row("one prediction, next to git merge", median(times), median(real), "ms"),
    ];
  } finally {
    await ground.dispose();
  }
}

/** How often an alarm is right, and a conflict foreseen. */
class Score {
  both = 0;
  alarms = 0;
  real = 0;
  add(alarm, conflict) {
    this.alarms += alarm ? 1 : 0;
    this.real += conflict ? 1 : 0;
    this.both += alarm && conflict ? 1 : 0;
  }
  recall() {
    return this.real === 0 ? 1 : this.both / this.real;
  }
  precision() {
    return this.alarms === 0 ? 1 : this.both / this.alarms;
  }
  text() {
    return `${this.alarms} alarms, ${this.both} of ${this.real} conflicts`;
  }
}

/** What a list of changed files per agent can know. */
function overlaps(git, cwd, a, b) {
  const names = (tip, other) =>
    new Set(git(cwd, "diff", "--name-only", "--no-renames", "-z", `${other}...${tip}`).split("\0").filter(Boolean));
  try {
    const theirs = names(b, a);
    return [...names(a, b)].some((name) => theirs.has(name));
  } catch {
    return true;
  }
}
