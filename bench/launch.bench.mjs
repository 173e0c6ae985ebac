// A whole `start` on a repository of 5,000 files, next to the bare git it cannot do without: serial `git worktree add`.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ground, median, memoryDisk, row, rssMb } from "./ground.mjs";
import { benchTmux } from "./tmux-launch.mjs";

const FILES = 5_000;
const ROUNDS = { 1: 9, 10: 3, 25: 3 };

export async function bench({ say, options }) {
  const where = memoryDisk();
  const ground = new Ground(where);
  try {
    say(
      `making a repository of ${FILES} files in ${where === undefined ? "the temp folder: figures depend on the disk" : "memory"} ...`,
    );
    ground.fill(FILES);
    if (options.includes("--tmux")) return await benchTmux(ground, addSerially, say);
    // An agent that says it is there, and stays: what is measured is our cost, not a model's.
    const agent = join(ground.folder, "quick-agent");
    writeFileSync(agent, `#!/bin/sh\nprintf '{"type":"session","id":"x"}\\n'\nexec sleep 100000\n`);
    chmodSync(agent, 0o755);
    mkdirSync(join(ground.env.HOME, ".config/banksman"), { recursive: true });
    writeFileSync(
      join(ground.env.HOME, ".config/banksman/config.toml"),
      `[clis.quick]\ncommand = ["${agent}"]\nprotocol = "events"\n`,
    );
    const rows = [];
    const fixed = [];
    for (const n of [1, 10, 25]) {
      const ours = [];
      const bare = [];
      let rss = 0;
      for (let round = 0; round < ROUNDS[n]; round++) {
        bare.push(await addSerially(ground, n));
        settle();
        ours.push(
          (
            await ground.bm(
              "start",
              "--headless",
              "--branches",
              Array.from({ length: n }, (_, i) => `b/${i}`).join(","),
              "--cli",
              "quick",
            )
          ).ms,
        );
        rss = Math.max(rss, rssMb((await ground.supervisor()).pid));
        await ground.bm("purge", "--force");
        say(`N = ${n}, round ${round + 1}: ours ${ours.at(-1).toFixed(0)} ms, git ${bare.at(-1).toFixed(0)} ms`);
      }
      rows.push(
        row(
          `start, ${n} agents`,
          median(ours),
          median(bare),
          "ms",
          n === 1 ? undefined : n === 25 ? "≤ 0.8×" : "≤ 1.0×",
        ),
      );
      if (n === 1)
        fixed.push({ name: "fixed cost at N = 1", ours: median(ours) - median(bare), unit: "ms", goal: "≤ 600 ms" });
      if (n === 25) fixed.push({ name: "RSS of the supervisor, 25 agents", ours: rss, unit: "MB", goal: "≤ 120 MB" });
    }
    return [...rows, ...fixed];
  } finally {
    await ground.dispose();
  }
}

/** What earlier rounds wrote and deleted goes to the disk now, not into the next figure: that was ten times the signal. */
const settle = () => execFileSync("sync");

async function addSerially(ground, n) {
  settle();
  const begun = performance.now();
  for (let i = 0; i < n; i++)
    await ground.time("git", ["worktree", "add", "-q", "-b", `serial/${i}`, join(ground.folder, `serial-${i}`)]);
  const ms = performance.now() - begun;
  for (let i = 0; i < n; i++) ground.git("worktree", "remove", "--force", join(ground.folder, `serial-${i}`));
  for (let i = 0; i < n; i++) ground.git("branch", "-q", "-D", `serial/${i}`);
  return ms;
}
