// 30 agents with uncommitted work in one repository; one of them edits a file that others have changed, too.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ground, median, memoryDisk, row } from "./ground.mjs";

const AGENTS = 30;
const FILES = 2_000;
const EDITS = 21;

export async function benchFleet(kit, say) {
  const ground = new Ground(memoryDisk());
  try {
    say(`making a repository of ${FILES} files with ${AGENTS} worktrees ...`);
    ground.fill(FILES);
    const names = Array.from({ length: AGENTS }, (_, i) => `agent-${i}`);
    const agents = names.map((name) => ({ name, worktree: join(ground.folder, name), skip: [] }));
    for (const { name, worktree } of agents) ground.git("worktree", "add", "-q", "-b", name, worktree);
    // As agents do: an index as young as its files makes git read all of them again and again.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    for (const { worktree } of agents) await ground.time("git", ["status", "--short"], worktree);
    // Each has changed ten files of its own, three of a pool of twelve that all draw from, and one that everybody has.
    const pool = (i) => `src/${Math.floor(i / 50)}/file-${i}.ts`;
    for (const [i, { worktree }] of agents.entries()) {
      const own = Array.from({ length: 10 }, (_, j) => 100 + i * 10 + j);
      for (const each of [0, ...[1, 2, 3].map((j) => 1 + ((i * j) % 12)), ...own]) edit(worktree, pool(each), i);
    }
    const place = { commonDir: join(ground.root, ".git"), quarantine: join(ground.folder, "quarantine") };
    const look = kit.createPredictions(kit.createPredictor(kit.createCommand("bm-bench"), place, ground.env));
    const base = { name: "main", commit: ground.git("rev-parse", "main").trim() };
    const timed = async (edited) => {
      const begun = performance.now();
      const predictions = await look({ agents, base, now: Date.now(), ...(edited && { edited: new Set(edited) }) });
      if (predictions.problems.length > 0) throw new Error(JSON.stringify(predictions.problems));
      return { ms: performance.now() - begun, predictions };
    };
    const first = await timed();
    const conflicts = first.predictions.pairs.filter(({ prediction }) => prediction.outcome === "conflict").length;
    say(
      `${first.predictions.pairs.length} pairs meet, ${conflicts} conflict; the first look took ${first.ms.toFixed(0)} ms`,
    );
    const [some, all] = [[], []];
    for (let n = 0; n < EDITS; n++) {
      const { name, worktree } = agents[(n * 7) % AGENTS];
      edit(worktree, pool(1 + (((n * 7) % AGENTS) % 12)), n + 100);
      some.push((await timed([name])).ms);
      edit(worktree, pool(0), n + 200);
      all.push((await timed([name])).ms);
    }
    const p95 = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)];
    say(`one edit: p95 ${p95(some).toFixed(0)} ms, of a file all have ${p95(all).toFixed(0)} ms`);
    return [
      row(`${AGENTS} agents, one edit → predictions current`, median(some), first.ms, "ms", "≤ 300 ms"),
      row("the same, of a file all of them have changed", median(all), first.ms, "ms", "≤ 300 ms"),
    ];
  } finally {
    await ground.dispose();
  }
}

/** One line of it, another one for each number but for a few that share. */
function edit(worktree, name, number) {
  const path = join(worktree, name);
  const lines = readFileSync(path, "utf8").split("\n");
  lines[3 + (number % 9) * 5] = `export const line = ${number};`;
  writeFileSync(path, lines.join("\n"));
}
