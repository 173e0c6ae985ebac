import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { call, type Line, type Unreachable } from "../broker/client.ts";
import type { Action } from "../core/actions.ts";
import { Failed, type Failure } from "../core/failure.ts";
import { PROTOCOL } from "../core/protocol.ts";
import { makeState } from "./claim.ts";
import { type Here, lineTo, logFile, ownToken, readRun } from "./place.ts";

/**
 * What to do where no supervisor runs: `recover` starts one that brings the agents back, `hold` one that leaves them
 * down until it is told otherwise (for stop, purge, restore), `never` says so.
 */
export type IfNone = "recover" | "hold" | "never";

/** How long a supervisor that holds the lock may take until it answers: it may be reading a large journal. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * The line to this repository's supervisor, started if need be. Whoever has the lock is the supervisor: where run.json
 * leads to somebody who does not answer, starting one is tried all the same, and fails only if the lock is taken.
 */
export async function connect(here: Here, ifNone: IfNone): Promise<Line & { readonly started: boolean }> {
  const deadline = performance.now() + PATIENCE_MS;
  let started = false;
  // An agent starts no supervisor: it would have the agent's environment, and the person's rights.
  const never = ifNone === "never" || ownToken(here, process.env) !== null;
  for (;;) {
    const running = await probe(here);
    if (running !== null && "url" in running) return { ...running, started };
    if (running === null && never) throw new Failed({ kind: "supervisor.none" });
    started = !never && (await startSupervisor(here, ifNone === "hold")) === "started";
    if (started) continue;
    if (performance.now() > deadline)
      throw new Failed({ kind: "supervisor.silent", pid: readRun(here.state)?.pid ?? null });
    await sleep(LOOK_EVERY_MS);
  }
}

/** The line if somebody answers there for this repository; null if nobody is there; why not, if somebody is but does not. */
async function probe(here: Here): Promise<Line | { readonly why: Unreachable } | null> {
  const run = readRun(here.state);
  if (run === null) return null;
  const line = lineTo(here, run, process.env);
  const answer = await call(line, "GET", "/status", undefined, 2_000);
  if (answer === "refused") return null;
  if (typeof answer === "string") return { why: answer };
  if (answer.status === 503) return { why: "silent" };
  const { protocol, repository } = (answer.body ?? {}) as { protocol?: unknown; repository?: unknown };
  // Another program has the port now, or another repository's supervisor: run.json is stale.
  if (answer.status !== 200 || repository !== here.commonDir) return null;
  if (protocol !== PROTOCOL)
    throw new Failed({ kind: "supervisor.protocol", theirs: Number(protocol), ours: PROTOCOL });
  return line;
}

/** Starts one in the background and waits until it is ready. `taken` when another one has the repository. */
async function startSupervisor(here: Here, hold: boolean): Promise<"started" | "taken"> {
  makeState(here.state);
  const log = openLog(logFile(here.state));
  const args = [process.argv[1] ?? "", "serve", "--background", ...(hold ? ["--hold"] : [])];
  const { BANKSMAN_RUN: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: here.root, env, detached: true, stdio: ["ignore", "pipe", log] });
  const said = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n")) resolve(text);
    });
    child.once("exit", (code) => resolve(text || `{"exit":${code}}`));
    child.once("error", (error) => resolve(JSON.stringify({ failure: { kind: "internal", detail: error.message } })));
  });
  child.stdout?.destroy();
  child.unref();
  const answer = parse(said);
  if (answer.ready) return "started";
  if (answer.failure?.kind === "supervisor.other") return "taken";
  if (answer.failure) throw new Failed(answer.failure);
  throw new Failed({
    kind: "supervisor.start-failed",
    detail: `it ended with exit code ${answer.exit}`,
    log: logFile(here.state),
  });
}

function openLog(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    throw new Failed({ kind: "file.failed", path, detail: (error as Error).message });
  }
}

function parse(text: string): { ready?: boolean; failure?: Failure; exit?: number } {
  try {
    return JSON.parse(text.split("\n")[0] ?? "") as { ready?: boolean };
  } catch {
    return {};
  }
}

/** Asks for an action and waits for its result; a refusal becomes the failure it names. */
export async function act<Result>(line: Line, action: Action): Promise<Result> {
  const answer = await call(line, "POST", "/act", action, 30 * 60_000);
  return resultOf<Result>(answer);
}

/** Reads something, as the operator. */
export async function ask<Result>(line: Line, path: string, patienceMs?: number): Promise<Result> {
  return resultOf<Result>(await call(line, "GET", path, undefined, patienceMs));
}

function resultOf<Result>(answer: Awaited<ReturnType<typeof call>>): Result {
  if (typeof answer === "string") throw new Failed({ kind: "supervisor.silent", pid: null });
  if (answer.status < 400) return answer.body as Result;
  const {
    error = "The supervisor refused.",
    kind,
    hint,
  } = (answer.body ?? {}) as { error?: string; kind?: string; hint?: string };
  if (kind !== undefined && hint !== undefined) throw new Failed({ kind: "told", told: kind, message: error, hint });
  throw new Failed({ kind: "request.refused", status: answer.status, message: error });
}
