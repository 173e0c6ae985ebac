// From a write on disk to another agent's inbox, through the real supervisor: 1 and 10 worktrees of 5,000 files.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import watcher from "@parcel/watcher";
import { Ground, memoryDisk, row } from "./ground.mjs";

const FILES = 5_000;
const WRITES = 40;

export async function bench({ say }) {
  const rows = [];
  for (const count of [1, 10]) rows.push(...(await benchWorktrees(count, say)));
  return rows;
}

async function benchWorktrees(count, say) {
  const ground = new Ground(memoryDisk());
  try {
    say(`${count} ${count === 1 ? "worktree" : "worktrees"} of ${FILES} files ...`);
    ground.fill(FILES);
    mkdirSync(join(ground.env.HOME, ".config/banksman"), { recursive: true });
    writeFileSync(join(ground.env.HOME, ".config/banksman/config.toml"), CONFIG);
    const scripts = join(ground.folder, "scripts");
    mkdirSync(scripts);
    ground.env.BANKSMAN_SCRIPTS = scripts;
    const names = Array.from({ length: count }, (_, i) => `agent-${i}`);
    for (const name of [...names, "reader"])
      writeFileSync(join(scripts, `${name}.json`), JSON.stringify([{ do: "stall" }]));
    await ground.bm("start", "--headless", "--branches", names.join(), "--cli", "scripted");
    const { url, pid } = await ground.supervisor();
    const broker = new Broker(url, readFileSync(join(stateOf(ground), "operator.token"), "utf8").trim());
    await settled(broker, names);
    const worktree = (name) => join(ground.root, ".banksman/worktrees", name);
    const file = (i) => `src/${Math.floor(i / 50)}/file-${i}.ts`;
    // Somebody who is no agent of the session plans to touch what the agents then write.
    await broker.publish({
      type: "agent.intent",
      agent_id: "reader",
      payload: {
        files: Array.from({ length: WRITES }, (_, i) => file(i * 100)),
        summary: "all of them",
        valid_for_seconds: 3600,
      },
    });
    const told = [];
    for (let i = 0; i < WRITES; i++) {
      const since = await broker.head();
      const news = broker.next(
        "reader",
        since,
        ({ type, payload }) => type === "agent.feedback" && payload.errors[0].includes(file(i * 100)),
      );
      const begun = performance.now();
      appendFileSync(join(worktree(names[i % count]), file(i * 100)), `// ${i}\n`);
      await news;
      told.push(performance.now() - begun);
    }
    const bare = await bareWatcher(worktree(names[0]), file);
    const rows = [
      row(`${count} × ${FILES} files: write → peer's inbox, p50`, at(told, 0.5), at(bare, 0.5), "ms", undefined),
      row(`${count} × ${FILES} files: write → peer's inbox, p95`, at(told, 0.95), at(bare, 0.95), "ms", "≤ 150 ms"),
      { name: `${count} × ${FILES} files: supervisor's RSS`, ours: rss(pid), unit: "MB" },
      { name: `${count} × ${FILES} files: its watching process's RSS`, ours: rss(watching(pid)), unit: "MB" },
      { name: `${count} × ${FILES} files: inotify watches`, ours: watches(watching(pid)), unit: "" },
    ];
    return count === 1 ? rows : [...rows, await benchPredicted(broker, names, worktree, file)];
  } finally {
    await ground.dispose();
  }
}

/** Two edit the same line: until both have been told, with the lines. */
async function benchPredicted(broker, names, worktree, file) {
  const told = [];
  for (let i = 0; i < 20; i++) {
    const path = file(i * 100 + 50);
    const [a, b] = [names[i % names.length], names[(i + 1) % names.length]];
    const isPredicted = ({ type, payload }) =>
      type === "agent.feedback" && payload.errors[0].includes("predicted") && payload.errors[0].includes(path);
    writeFileSync(join(worktree(a), path), `${a} ${i}\n`);
    await broker.until((snapshot) => snapshot.agents.find(({ id }) => id === a).modifiedFiles.includes(path));
    const since = await broker.head();
    const both = Promise.all([a, b].map((name) => broker.next(name, since, isPredicted)));
    const begun = performance.now();
    writeFileSync(join(worktree(b), path), `${b} ${i}\n`);
    await both;
    told.push(performance.now() - begun);
  }
  return {
    name: "edit on disk → both told what would not merge, p95",
    ours: at(told, 0.95),
    unit: "ms",
    goal: "≤ 1,000 ms",
  };
}

/** What the watcher alone needs: it gathers for 50 ms. */
async function bareWatcher(folder, file) {
  const times = [];
  let heard = () => {};
  const subscription = await watcher.subscribe(folder, () => heard());
  for (let i = 0; i < WRITES; i++) {
    const news = new Promise((resolve) => {
      heard = resolve;
    });
    const begun = performance.now();
    appendFileSync(join(folder, file(i * 100)), "// bare\n");
    await news;
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await subscription.unsubscribe();
  return times;
}

const CONFIG =
  "[supervisor]\nenabled = true\n[supervisor.conflict]\nwindow_seconds = 86400\nescalate_on_violation = false\n";

/** Until every worktree was looked at and is watched: a file in each is seen. */
async function settled(broker, names) {
  await broker.until(({ agents }) =>
    names.every((name) => agents.some(({ id, state }) => id === name && state === "working")),
  );
  const { agents } = await broker.snapshot();
  for (const { worktree } of agents) writeFileSync(join(worktree, "seen.txt"), "x\n");
  await broker.until((snapshot) => snapshot.agents.every(({ modifiedFiles }) => modifiedFiles.includes("seen.txt")));
}

class Broker {
  constructor(url, token) {
    this.url = url;
    this.headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  }

  async get(path) {
    const response = await fetch(`${this.url}${path}`, { headers: this.headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async publish(message) {
    const body = JSON.stringify(message);
    const response = await fetch(`${this.url}/publish`, { method: "POST", headers: this.headers, body });
    if (response.status !== 202) throw new Error(await response.text());
  }

  snapshot = () => this.get("/snapshot");
  head = async () => (await this.get("/status")).last_seq;

  async until(so) {
    while (!so(await this.snapshot())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async next(agent, since, wanted) {
    for (let from = since; ; ) {
      const { messages, last_seq } = await this.get(`/messages/${agent}?since=${from}&wait=30`);
      if (messages.some(wanted)) return;
      from = last_seq;
    }
  }
}

const stateOf = ({ state }) => join(state, readdirSync(state)[0]);
const at = (values, part) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))];
const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** The supervisor's child that watches. */
const watching = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .map(Number)
    .find((child) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("watcher.mjs"));

function watches(pid) {
  const read = (fd) => {
    try {
      return readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8");
    } catch {
      // Closed since it was listed.
      return "";
    }
  };
  const lines = readdirSync(`/proc/${pid}/fdinfo`).flatMap((fd) => read(fd).split("\n"));
  return lines.filter((line) => line.startsWith("inotify ")).length;
}
