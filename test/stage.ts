import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { killMarked, markerOf } from "../src/adapters/process/group.ts";
import { lives } from "../src/cli/supervisor/state-files.ts";
import type { Timers } from "../src/core/session/timers.ts";
import type { Snapshot } from "../src/core/views/snapshot.ts";
import type { ScriptStep } from "../src/scripted-agent/script.ts";
import { GIT_ENV, TempRepository } from "./git-repository.ts";

export const BIN = fileURLToPath(new URL("../dist/bin.cjs", import.meta.url));

type Versioned = Snapshot & { readonly version: number };

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What tests would only wait for is shorter: never what a slow machine may really need. */
const SHORT: Partial<Timers> = { betweenPastes: 1_500, bareShell: 600, lookAround: 500 };

/** A person at a machine: a home, a repository, the built program. Everything is real; dispose ends what was started. */
export class Stage {
  readonly repo: TempRepository;
  readonly home: string;
  readonly state: string;
  readonly scripts: string;
  env: Record<string, string>;

  constructor(files?: Readonly<Record<string, string>>) {
    this.repo = new TempRepository(files);
    this.home = join(this.repo.folder, "home");
    this.state = join(this.repo.folder, "state");
    this.scripts = join(this.repo.folder, "scripts");
    for (const folder of [this.home, this.scripts]) mkdirSync(folder);
    this.env = {
      ...GIT_ENV,
      HOME: this.home,
      BANKSMAN_STATE_DIR: this.state,
      BANKSMAN_SCRIPTS: this.scripts,
      BANKSMAN_TMUX_SOCKET: this.socket,
      BANKSMAN_TEST_TIMERS: JSON.stringify(SHORT),
    };
  }

  /** For a test whose supervisor never answers: a short patience shows as much as a long one. */
  impatient(): void {
    this.env = { ...this.env, BANKSMAN_TEST_TIMERS: JSON.stringify({ ...SHORT, connect: 3_000 }) };
  }

  /** Waits as long as people would have to. One journey keeps to that. */
  inRealTime(): void {
    const { BANKSMAN_TEST_TIMERS: _, ...env } = this.env;
    this.env = env;
  }

  get root(): string {
    return this.repo.root;
  }

  /** Our folder for the repository, once there is one. */
  get folder(): string {
    const [name] = existsSync(this.state) ? readdirSync(this.state) : [];
    return join(this.state, name ?? "none");
  }

  /** A tmux server of the test's own. */
  get socket(): string {
    return join(this.repo.folder, "tmux");
  }

  tmux(...args: string[]): string {
    return execFileSync("tmux", ["-u", "-S", this.socket, ...args], { encoding: "utf8", stdio: "pipe" }).trimEnd();
  }

  /** Each pane of the session: what it is called, whose run it is, and whether it is dead. */
  panes(): { id: string; title: string; run: string; dead: boolean }[] {
    const format = "#{pane_id}\t#{pane_title}\t#{@banksman_run}\t#{pane_dead}";
    return this.tmux("list-panes", "-a", "-F", format)
      .split("\n")
      .map((line) => line.split("\t"))
      .map(([id = "", title = "", run = "", dead]) => ({ id, title, run, dead: dead === "1" }));
  }

  /** What an agent's pane shows now; empty where it has none. */
  screen(agent: string): string {
    const pane = this.panes().find(({ run }) => run.includes(`.${agent}.`));
    return pane === undefined ? "" : this.tmux("capture-pane", "-p", "-J", "-t", pane.id);
  }

  /** Runs the program as a person would, without a terminal. */
  bm(...args: string[]): Promise<Ran> {
    return this.bmIn(this.root, ...args);
  }

  bmIn(cwd: string, ...args: string[]): Promise<Ran> {
    return new Promise((resolve) => {
      const options = { cwd, env: this.env, maxBuffer: 64 * 1024 * 1024 };
      execFile(process.execPath, [BIN, ...args], options, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err });
      });
    });
  }

  /** The same, and it must succeed. */
  async ok(...args: string[]): Promise<string> {
    const { code, out, err } = await this.bm(...args);
    if (code !== 0) throw new Error(`banksman ${args.join(" ")} → ${code}\n${out}${err}`);
    return out;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.ok(...args, "--json")) as T;
  }

  status = (): Promise<Snapshot> => this.json<Snapshot>("status");

  start = (branches: string, ...more: string[]): Promise<string> =>
    this.ok("start", "--headless", ...(branches === "" ? [] : ["--branches", branches, "--cli", "scripted"]), ...more);

  /** What the scripted agent of this name does. */
  script(agent: string, steps: readonly ScriptStep[]): void {
    writeFileSync(join(this.scripts, `${agent}.json`), JSON.stringify(steps));
  }

  worktree = (agent: string): string => join(this.root, ".banksman/worktrees", agent);

  /** Looks at the session until it is so; the test's own time limit ends the looking. */
  async until(so: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    for (let seen: Versioned | null = null; ; ) {
      // Over HTTP while a supervisor answers: a program for every look costs more than all the rest of a test.
      seen = await this.ask<Versioned>(seen === null ? "/snapshot" : `/snapshot?since=${seen.version}&wait=1`);
      const snapshot = seen ?? (await this.status());
      if (so(snapshot)) return snapshot;
      await sleep(20);
    }
  }

  /** What the supervisor answers its operator; null where none does. */
  async ask<T>(path: string): Promise<T | null> {
    try {
      const { url } = JSON.parse(readFileSync(join(this.folder, "run.json"), "utf8")) as { url: string };
      const token = readFileSync(join(this.folder, "operator.token"), "utf8").trim();
      const signal = AbortSignal.timeout(5_000);
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal });
      return answer.ok ? ((await answer.json()) as T) : null;
    } catch {
      return null;
    }
  }

  operatorToken = (): string => readFileSync(join(this.folder, "operator.token"), "utf8").trim();

  allIn = (...states: string[]): Promise<Snapshot> =>
    this.until(({ agents }) => agents.every(({ state }) => states.includes(state)));

  async supervisorPid(): Promise<number> {
    const { supervisor } = await this.status();
    if (supervisor === null) throw new Error("no supervisor");
    return supervisor.pid;
  }

  /** kill -9, and until the kernel has taken it away. */
  async killSupervisor(): Promise<void> {
    const pid = await this.supervisorPid();
    process.kill(pid, "SIGKILL");
    await untilGone(pid);
  }

  /** Processes that carry a run marker of this repository: agents, their children, commands; our own git's come and go. */
  marked(): number[] {
    const session = this.sessionName();
    if (session === null) return [];
    // A git that an agent left counts; only the supervisor's own looks do not. Each is read once, the marker first: one
    // that ends between two readings has left nothing.
    return processes().filter((pid) => {
      const marker = markerOf(pid);
      if (!marker?.startsWith(`${session}.`)) return false;
      const line = commandLineOf(pid);
      return line !== "" && !(marker === `${session}.command` && /^(\S*\/)?git[\0-]/.test(line));
    });
  }

  sessionName(): string | null {
    const receipts = join(this.folder, "sessions");
    const [file] = existsSync(receipts) ? readdirSync(receipts) : [];
    return file === undefined ? null : file.replace(/\.json$/, "");
  }

  /** A process we started ourselves, talking to it by hand. */
  spawn(...args: string[]) {
    return spawn(process.execPath, [BIN, ...args], {
      cwd: this.root,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  async dispose(): Promise<void> {
    const session = this.sessionName();
    const run = join(this.folder, "run.json");
    if (existsSync(run)) {
      const { pid } = JSON.parse(readFileSync(run, "utf8")) as { pid: number };
      try {
        process.kill(pid, "SIGCONT");
        process.kill(pid, "SIGKILL");
        await untilGone(pid);
      } catch {
        // It has gone by itself.
      }
    }
    // The line to tmux as well: an orphaned one keeps a server that was told to end from ending.
    for (const marker of session === null ? [] : [`${session}.`, `${session}-tmux`]) await killMarked(marker);
    if (existsSync(this.socket)) spawnSync("tmux", ["-S", this.socket, "kill-server"]);
    // An epic's order goes on without whoever sent it, and writes down how it ended.
    await eventually(() => !processes().some((pid) => isOrder(commandLineOf(pid), this.repo.folder)));
    rmSync(this.repo.folder, { recursive: true, force: true });
  }
}

export async function untilGone(pid: number): Promise<void> {
  while (lives(pid)) await sleep(10);
}

/** Looks until it is so; the test's own time limit ends the looking. */
export async function eventually(so: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await so())) await sleep(20);
}

const processes = (): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0);

const isOrder = (line: string, folder: string): boolean => line.includes("\0epic\0work\0") && line.includes(folder);

/** What /proc says it was started with; nothing of one that has gone, zombie or reaped. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
