// `launch --tmux`: a whole `start` in tmux, next to the bare git and tmux commands it stands for.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, row } from "./ground.mjs";

const ROUNDS = { 10: 3, 25: 3 };

/** Ready; then it shows that something was pasted, takes all of it in, and works after the next Enter. */
const QUICK_AGENT = `#!/bin/sh
stty -echo -icanon min 1 time 0
printf '[ready] >'
dd bs=1 count=1 >/dev/null 2>&1
printf '\\r[ready] > pasted'
stty min 0 time 2
while [ "$(dd bs=65536 count=1 2>/dev/null | wc -c)" -gt 0 ]; do :; done
stty min 1 time 0
dd bs=1 count=1 >/dev/null 2>&1
printf '\\r[working]        '
exec sleep 100000
`;

/** `addSerially` is the git side, measured as in the headless bench. */
export async function benchTmux(ground, addSerially, say) {
  // An agent that shows what the scripted one shows, its input included, at little cost: what is measured is ours, not
  // twenty-five node processes.
  const agent = join(ground.folder, "quick-agent");
  writeFileSync(agent, QUICK_AGENT);
  chmodSync(agent, 0o755);
  mkdirSync(join(ground.env.HOME, ".config/banksman"), { recursive: true });
  writeFileSync(join(ground.env.HOME, ".config/banksman/config.toml"), `[clis.scripted]\ncommand = ["${agent}"]\n`);
  const socket = join(ground.folder, "tmux");
  ground.env.BANKSMAN_TMUX_SOCKET = socket;
  const rows = [];
  try {
    for (const n of [10, 25]) {
      const [opened, briefed, bare] = [[], [], []];
      for (let round = 0; round < ROUNDS[n]; round++) {
        bare.push((await addSerially(ground, n)) + bareTmux(ground, n));
        const branches = Array.from({ length: n }, (_, i) => `b/${i}`).join(",");
        const begun = Date.now();
        const { ms } = await ground.bm("start", "--branches", branches, "--cli", "scripted");
        opened.push((await lastSettled(ground, "agent.launch")) - begun);
        briefed.push((await lastSettled(ground, "agent.brief")) - (await lastSettled(ground, "agent.launch")));
        await ground.bm("purge", "--force");
        say(
          `N = ${n}, round ${round + 1}: panes ${opened.at(-1).toFixed(0)} ms, the last brief ${briefed.at(-1).toFixed(0)} ms later, all in ${ms.toFixed(0)} ms; git and tmux ${bare.at(-1).toFixed(0)} ms`,
        );
      }
      rows.push(row(`start in tmux, ${n} agents: all panes run`, median(opened), median(bare), "ms", "≤ 1.0×"));
      rows.push({
        name: `start in tmux, ${n} agents: the last brief verified after the last pane`,
        ours: median(briefed),
        unit: "ms",
        ...(n === 25 && { goal: "≤ 2000 ms" }),
      });
    }
  } finally {
    try {
      execFileSync("tmux", ["-S", socket, "kill-server"], { stdio: "ignore" });
    } catch {
      // It has ended with its last pane.
    }
  }
  return rows;
}

async function lastSettled(ground, type) {
  const { out } = await ground.bm("log", "--effects", "--json");
  const times = JSON.parse(out)
    .filter(({ effect }) => effect === type)
    .map(({ settledAt }) => Date.parse(settledAt));
  return Math.max(...times);
}

/** What a script would do by hand: a session, a pane each, a layout after each, the program typed into it. */
function bareTmux(ground, n) {
  const run = (...args) =>
    execFileSync("tmux", ["-S", join(ground.folder, "bare"), "-f", "/dev/null", ...args], { env: ground.env });
  const begun = performance.now();
  run("new-session", "-d", "-s", "bare", "-x", "480", "-y", "140");
  for (let i = 1; i < n; i++) {
    run("split-window", "-t", "bare:");
    run("select-layout", "-t", "bare:", "tiled");
  }
  for (let i = 0; i < n; i++) {
    run("select-pane", "-t", `bare:.${i}`, "-T", `b/${i}`);
    run("send-keys", "-t", `bare:.${i}`, "sleep 1000", "Enter");
  }
  const ms = performance.now() - begun;
  run("kill-server");
  return ms;
}
