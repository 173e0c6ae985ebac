import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../../broker/client.ts";
import type { Check } from "../../core/views/diagnose.ts";
import type { Io } from "../command.ts";
import { hasTmux } from "../demo/has-tmux.ts";
import { DemoStage } from "../demo/stage.ts";

/** No single program may take longer, and no waiting for something to happen. */
const LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;

/**
 * Sees whether it really works here: a repository with a worktree, a private tmux server, and a supervisor on loopback
 * with one scripted agent. Everything is in a temp folder, has its time limit, and is gone afterwards.
 */
export async function tryOut(io: Io): Promise<Check[]> {
  const inTmux = await hasTmux(io);
  const stage = new DemoStage(io, inTmux, LIMIT_MS);
  const checks: Check[] = [];
  const tried = async (name: string, remedy: string, work: () => Promise<string>) => {
    const begun = performance.now();
    const check = await work().then(
      (detail): Check => ({ group: "live", name, status: "ok", detail: `${detail} (${seconds(begun)})`, remedy: "" }),
      (error: Error): Check => ({ group: "live", name, status: "fail", detail: oneLine(error.message), remedy }),
    );
    checks.push(check);
    return check.status === "ok";
  };
  try {
    const git = await tried("live git", "Run it by hand in a new folder: `git init`, `git worktree add`.", () =>
      tryGit(stage),
    );
    if (inTmux) await tried("live tmux", "Run it by hand: `tmux -L try new-session`.", () => tryTmux(stage));
    if (git)
      await tried("live background process", "`banksman selftest` shows which step does not work.", () =>
        trySupervisor(stage),
      );
  } finally {
    await clearUp(stage);
  }
  return checks;
}

async function tryGit(stage: DemoStage): Promise<string> {
  stage.write("README", "live\n");
  await stage.git("init", "-q", "-b", "main");
  await stage.git("add", "README");
  await stage.git("commit", "-q", "-m", "first");
  await stage.git("worktree", "add", "-q", "-b", "tried", "../tried");
  await stage.git("worktree", "remove", "../tried");
  return "a repository, a commit, a worktree";
}

async function tryTmux(stage: DemoStage): Promise<string> {
  const server = `${stage.socket}-try`;
  const tmux = (...args: string[]) => stage.program("tmux", ["-S", server, "-f", "/dev/null", ...args], stage.folder);
  try {
    await tmux("new-session", "-d", "-s", "try", "-x", "80", "-y", "24", "echo it-runs; exec cat");
    const shows = (text: string) =>
      until(`the pane shows ${text}`, async () => (await tmux("capture-pane", "-p", "-t", "try")).includes(text));
    await shows("it-runs");
    await tmux("set-buffer", "typed-by-us");
    await tmux("paste-buffer", "-p", "-t", "try");
    await shows("typed-by-us");
  } finally {
    await tmux("kill-server").catch(() => undefined);
  }
  return "a private server, a pane, a paste";
}

async function trySupervisor(stage: DemoStage): Promise<string> {
  await stage.banksman(
    "start",
    ...(stage.inTmux ? ["--no-supervisor"] : ["--headless"]),
    "--branches",
    "one",
    "--cli",
    "scripted",
  );
  await until("the agent is done", async () => (await stage.snapshot()).agents.every(({ state }) => state === "done"));
  const url = (await stage.snapshot()).supervisor?.url ?? "";
  const answer = await call({ url, token: null }, "GET", "/status", undefined, { ms: LIMIT_MS });
  if (typeof answer === "string" || answer.status !== 200) throw new Error(`${url} does not answer`);
  await stage.banksman("stop", "--force");
  return `${url} answered, an agent ${stage.inTmux ? "in tmux" : "without tmux"} did its work`;
}

async function until(what: string, so: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (!(await so())) {
    if (performance.now() > end) throw new Error(`Not within ${LIMIT_MS / 1000} s: ${what}.`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function clearUp(stage: DemoStage): Promise<void> {
  await stage.banksman("stop", "--force").catch(() => undefined);
  await stage.banksman("serve", "--stop").catch(() => undefined);
  await stage.program("tmux", ["-S", stage.socket, "kill-server"], stage.folder).catch(() => undefined);
  rmSync(stage.folder, { recursive: true, force: true });
}

const seconds = (begun: number): string => `${((performance.now() - begun) / 1000).toFixed(1)} s`;

const oneLine = (text: string): string => text.trim().split("\n").slice(0, 3).join(" · ");
