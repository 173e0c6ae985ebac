// Whether a supervisor stays as it is over many starts and stops: CYCLES=200 AGENTS=40 node scripts/soak.mjs
// Needs a build, Linux and its /proc. Prints a table of the first quarter of the cycles next to the last, and fails when
// something has grown. One agent stays up all the time, so that one supervisor does all of it.
import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import Database from "libsql";

const CYCLES = Number(process.env.CYCLES ?? 200);
const AGENTS = Number(process.env.AGENTS ?? 40);
const BIN = fileURLToPath(new URL("../dist/bin.cjs", import.meta.url));
/** The least that the config allows: what is bounded has to come to its bound while we look. */
const KEPT = 1_000;
const MB = 1024 * 1024;

/**
 * What each figure may grow from the first quarter to the last: a quarter, and this much. What the journal keeps may fill up
 * to what is kept; memory and the quarantine have a limit of their own.
 */
const MAY_GROW = { fds: 4, "MB RSS": 25, watches: 40, rows: KEPT + 20 * AGENTS, bytes: 4 * MB };

const folder = mkdtempSync(join(tmpdir(), "bm-soak-"));
const root = join(folder, "app");
const state = join(folder, "state");
const env = {
  PATH: process.env.PATH,
  HOME: join(folder, "home"),
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  BANKSMAN_STATE_DIR: state,
  BANKSMAN_TEST_TIMERS: JSON.stringify({ compact: 2_000, lookAround: 500, idle: 1_000 }),
  GIT_AUTHOR_NAME: "S",
  GIT_AUTHOR_EMAIL: "s@localhost",
  GIT_COMMITTER_NAME: "S",
  GIT_COMMITTER_EMAIL: "s@localhost",
};
const names = Array.from({ length: AGENTS }, (_, i) => `a${i}`);

const git = (...args) => execFileSync("git", args, { cwd: root, env, stdio: "pipe" });
const bm = (...args) =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [BIN, ...args], { cwd: root, env, maxBuffer: 1 << 26 }, (error, out, err) =>
      error ? reject(new Error(`banksman ${args.join(" ")}\n${out}${err}`)) : resolve(out),
    );
  });

function lay() {
  const agent = join(folder, "quick-agent");
  // It says that it is there, and stays: what is looked at is the supervisor, not a model.
  writeFileSync(agent, `#!/bin/sh\nprintf '{"type":"session","id":"x"}\\n'\nexec sleep 100000\n`);
  chmodSync(agent, 0o755);
  mkdirSync(join(env.HOME, ".config/banksman"), { recursive: true });
  const cli = `[clis.quick]\ncommand = ["${agent}"]\nprotocol = "events"\n`;
  writeFileSync(join(env.HOME, ".config/banksman/config.toml"), `${cli}\n[broker]\nkeep_messages = ${KEPT}\n`);
  mkdirSync(join(root, "src"), { recursive: true });
  for (let i = 0; i < 200; i++) writeFileSync(join(root, `src/file-${i}.ts`), `// ${i}\n${"line();\n".repeat(40)}`);
  git("init", "-q", "-b", "main");
  git("add", "--all");
  git("commit", "-q", "-m", "files");
}

/** The supervisor, and what it has started for itself: the watcher. Agents have their own sessions' processes. */
function family(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return [
    pid,
    ...children.filter((child) => /watcher/.test(quiet(() => readFileSync(`/proc/${child}/cmdline`, "utf8")))),
  ];
}

const quiet = (read) => {
  try {
    return read();
  } catch {
    return "";
  }
};

const rssMb = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
const fdsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const watchesOf = (pid) =>
  readdirSync(`/proc/${pid}/fdinfo`)
    .map((fd) => quiet(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8")))
    .reduce((sum, text) => sum + (text.match(/^inotify /gm)?.length ?? 0), 0);

/** Folder by folder: what is written and gone again while we look counts for nothing. */
function bytesIn(place) {
  const entries = quiet(() => readdirSync(place, { withFileTypes: true }));
  if (!Array.isArray(entries)) return 0;
  return entries.reduce((sum, entry) => {
    const path = join(place, entry.name);
    if (entry.isDirectory()) return sum + bytesIn(path);
    return sum + (entry.isFile() ? Number(quiet(() => statSync(path).size)) : 0);
  }, 0);
}

const stateFolder = () => join(state, readdirSync(state)[0]);
const journal = () => join(stateFolder(), "journal.db");
const journalBytes = () =>
  ["", "-wal"].reduce((sum, end) => sum + Number(quiet(() => statSync(`${journal()}${end}`).size)), 0);

function rows() {
  const db = new Database(journal(), { readonly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
    return tables.map(({ name }) => [`rows: ${name}`, db.prepare(`SELECT count(*) AS n FROM ${name}`).get().n]);
  } finally {
    db.close();
  }
}

function measure(pid) {
  const [supervisor, watcher] = family(pid);
  return Object.fromEntries([
    ["supervisor fds", fdsOf(supervisor)],
    ["watcher fds", watcher === undefined ? 0 : fdsOf(watcher)],
    ["supervisor MB RSS", rssMb(supervisor)],
    ["watcher MB RSS", watcher === undefined ? 0 : rssMb(watcher)],
    ["inotify watches", [supervisor, watcher].reduce((sum, each) => sum + (each ? watchesOf(each) : 0), 0)],
    ...rows(),
    ["journal bytes", journalBytes()],
    ["quarantine bytes", bytesIn(join(stateFolder(), "quarantine"))],
  ]);
}

/** Every agent is stopped, edits lie in every worktree, every agent is started. */
async function cycle(number) {
  await bm("stop", ...names);
  // Always the same files, two agents at each: what there is to predict stays as much as it was.
  for (const [i, name] of names.entries())
    writeFileSync(join(root, `.banksman/worktrees/${name}/src/file-${i >> 1}.ts`), `// ${name} in ${number}\n`);
  await bm("start", "--headless");
  const { agents, supervisor } = JSON.parse(await bm("status", "--json"));
  const down = agents.filter(({ state: now }) => now !== "working");
  if (down.length > 0) throw new Error(`cycle ${number}: ${down.map((each) => `${each.agent} ${each.state}`)}`);
  return supervisor.pid;
}

/** Not the mean: a git that runs at that moment has its own pipes, and is no growth. */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const mayGrow = (name) => Object.entries(MAY_GROW).find(([word]) => name.includes(word))?.[1] ?? 0;

function compare(measured) {
  const some = Math.max(1, Math.floor(measured.length / 4));
  return Object.keys(measured[0]).map((name) => {
    const [first, last] = [measured.slice(0, some), measured.slice(-some)].map((part) =>
      median(part.map((each) => each[name])),
    );
    // Two generations within the limit, whatever lies in them.
    const most = name === "quarantine bytes" ? 210 * MB : first * 1.25 + mayGrow(name);
    return { name, first, last, grown: last > most };
  });
}

const shown = (value) => (value >= 10_000 ? Math.round(value).toLocaleString("en") : value.toFixed(1));

function print(table) {
  process.stdout.write(`${"figure".padEnd(20)}${"first quarter".padStart(16)}${"last quarter".padStart(16)}\n`);
  for (const { name, first, last, grown } of table)
    process.stdout.write(
      `${name.padEnd(20)}${shown(first).padStart(16)}${shown(last).padStart(16)}${grown ? "   GROWN" : ""}\n`,
    );
}

async function main() {
  lay();
  const branches = ["keeper", ...names].join(",");
  await bm("start", "--headless", "--branches", branches, "--cli", "quick");
  const measured = [];
  const pids = new Set();
  for (let number = 1; number <= CYCLES; number++) {
    const pid = await cycle(number);
    pids.add(pid);
    measured.push(measure(pid));
    if (number % 10 === 0) process.stderr.write(`cycle ${number}: ${JSON.stringify(measured.at(-1))}\n`);
  }
  const table = compare(measured);
  const before = journalBytes();
  await bm("purge", "--force");
  // Without a session it goes by itself, and leaves its file small.
  while (existsSync(`/proc/${[...pids][0]}`)) await sleep(100);
  process.stdout.write(`${CYCLES} cycles, ${AGENTS} agents and one that stays up\n`);
  print(table);
  process.stdout.write(`journal before purge ${shown(before)} bytes, after ${shown(journalBytes())}\n`);
  if (pids.size > 1) throw new Error(`${pids.size} supervisors, where one should have done all of it`);
  if (table.some(({ grown }) => grown)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error.message}\n`);
} finally {
  await bm("purge", "--force").catch(() => undefined);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}
