// How much a command costs beyond node itself. Interleaved, medians.
import { Ground, median, row } from "./ground.mjs";

const ROUNDS = 40;

export async function bench({ say }) {
  const ground = new Ground();
  try {
    ground.write("README", "hi\n");
    ground.git("add", "--all");
    ground.git("commit", "-q", "-m", "first");
    await ground.bm("start", "--headless", "--branches", "a,b,c", "--cli", "scripted");
    const programs = {
      node: ["-e", "0"],
      version: [(await import("./ground.mjs")).BIN, "--version"],
      status: [(await import("./ground.mjs")).BIN, "status"],
      json: [(await import("./ground.mjs")).BIN, "status", "--json"],
    };
    const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
    for (let i = 0; i < ROUNDS; i++) {
      for (const [name, args] of Object.entries(programs))
        times[name].push((await ground.time(process.execPath, args)).ms);
    }
    say(`medians of ${ROUNDS} interleaved runs, next to \`node -e 0\``);
    const bare = median(times.node);
    return [
      row("--version", median(times.version), bare, "ms", "≤ 1.4×"),
      row("status", median(times.status), bare, "ms", "≤ 2.0×"),
      row("status --json", median(times.json), bare, "ms", "≤ 2.0×"),
    ];
  } finally {
    await ground.dispose();
  }
}
