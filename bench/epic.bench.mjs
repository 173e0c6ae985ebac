// What a tick costs beyond node itself: 500 items, a dry run that dispatches one. Interleaved, medians.
import { BIN, Ground, median, row } from "./ground.mjs";

const ROUNDS = 25;
const ITEMS = 500;

export async function bench({ say }) {
  const ground = new Ground();
  try {
    ground.write("README", "hi\n");
    ground.git("add", "--all");
    ground.git("commit", "-q", "-m", "first");
    const items = Array.from({ length: ITEMS }, (_, i) => i + 1).map(
      (i) =>
        `| ${i} | t-${i} | Item number ${i} of a long epic | ${i < 200 ? "done" : "queued"} | claude | ${i < 200 ? `https://x/pull/${i}` : "—"} | a note \\| with a bar | ${i > 1 ? `t-${i - 1}` : "—"} | ${i < 200 ? 1 : 0} | — | — |`,
    );
    const head =
      "# | ID | Title | Status | Worker | Review surface | Notes | Depends | Attempts | Last activity | Pending";
    const table = [
      `| ${head} |`,
      `|${head
        .split("|")
        .map(() => "---|")
        .join("")}`,
      ...items,
    ].join("\n");
    ground.write("big.md", `---\nid: big\nstatus: queued\n---\n\n## Work Items\n${table}\n`);
    ground.write("verdict.json", JSON.stringify({ action: "dispatch", task_id: "t-200", worker: "claude" }));
    const tick = [BIN, "epic", "tick", "big.md", "--dry-run", "--verdict", "verdict.json", "--json"];
    const programs = { node: ["-e", "0"], help: [BIN, "epic", "--help"], tick };
    const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (let i = 0; i < ROUNDS; i++)
      for (const [name, args] of Object.entries(programs))
        times[name].push((await ground.time(process.execPath, args)).ms);
    say(`medians of ${ROUNDS} interleaved runs, next to \`node -e 0\`; ${ITEMS} items`);
    const bare = median(times.node);
    return [
      row("epic tick, 500 items", median(times.tick), bare, "ms"),
      { name: "beyond node's start", ours: median(times.tick) - bare, unit: "ms", goal: "≤ 80 ms" },
      { name: "of that, loading commands", ours: median(times.help) - bare, unit: "ms" },
    ];
  } finally {
    await ground.dispose();
  }
}
