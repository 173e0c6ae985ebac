import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, call, type Patience, type Unreachable } from "../../broker/client.ts";
import type { Action } from "../../core/actions/actions.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { Failure } from "../../core/failure/failure.ts";
import { readTimers } from "../../core/session/timers.ts";
import { PROTOCOL } from "../../core/text/protocol.ts";
import type { Repository } from "../wire/find-repository.ts";
import { makeState } from "./claim.ts";
import { ownToken } from "./own-token.ts";
import { connectionTo, lockFile, logFile, readSupervisorFile } from "./state-files.ts";

/**
 * What to do where no supervisor runs: `recover` starts one that brings the agents back, `hold` one that leaves them
 * down until it is told otherwise (for stop, purge, restore), `never` says so.
 */
export type IfNone = "recover" | "hold" | "never";

const LOOK_EVERY_MS = 50;
/** While another one has the lock and does not answer yet. Trying costs a process, which would slow that one down. */
const TRY_EVERY_MS = 1_000;

/**
 * The connection to this repository's supervisor, started if need be. The holder of the lock is the supervisor: where
 * run.json leads to a process that does not answer, we try to start one all the same, and fail only if the lock is taken.
 */
export async function connect(
  repository: Repository,
  ifNone: IfNone,
): Promise<Connection & { readonly started: boolean }> {
  const deadline = performance.now() + readTimers(process.env.BANKSMAN_TEST_TIMERS).connect;
  let started = false;
  let tryAt = 0;
  // An agent starts no supervisor: it would have the agent's environment, and the person's rights.
  const never = ifNone === "never" || ownToken(repository, process.env) !== null;
  for (;;) {
    const running = await probe(repository);
    if (running !== null && "url" in running) return { ...running, started };
    if (running === null && never) throw new Failed((await elsewhere(repository)) ?? { kind: "supervisor.none" });
    if (!never && performance.now() >= tryAt) {
      started = (await startSupervisor(repository, ifNone === "hold")) === "started";
      if (started) continue;
      tryAt = performance.now() + TRY_EVERY_MS;
    }
    if (performance.now() > deadline)
      throw new Failed({ kind: "supervisor.silent", pid: readSupervisorFile(repository.state)?.pid ?? null });
    await sleep(LOOK_EVERY_MS);
  }
}

/** A supervisor that was started with another HOME or state folder: it is not ours to talk to, nor to work beside. */
async function elsewhere(repository: Repository): Promise<Failure | null> {
  if (!existsSync(lockFile(repository))) return null;
  const { otherHolder } = await import("../wire/read-holder.ts");
  const holder = otherHolder(repository);
  return holder && { kind: "supervisor.other", pid: holder.pid, url: null, state: holder.state };
}

/** The line if somebody answers there for this repository; null if nobody is there; why not, if somebody is but does not. */
async function probe(repository: Repository): Promise<Connection | { readonly why: Unreachable } | null> {
  const run = readSupervisorFile(repository.state);
  if (run === null) return null;
  const connection = connectionTo(repository, run, process.env);
  const answer = await call(connection, "GET", "/status", undefined, { ms: 2_000 });
  if (answer === "refused") return null;
  if (typeof answer === "string") return { why: answer };
  if (answer.status === 503) return { why: "silent" };
  const { protocol, repository: theirs } = (answer.body ?? {}) as { protocol?: unknown; repository?: unknown };
  // Another program has the port now, or another repository's supervisor: run.json is stale.
  if (answer.status !== 200 || theirs !== repository.commonDir) return null;
  if (protocol !== PROTOCOL)
    throw new Failed({ kind: "supervisor.protocol", theirs: Number(protocol), ours: PROTOCOL });
  return connection;
}

/**
 * Most of what a supervisor makes is forgotten at once, and V8 would keep up to three times 16 MB for that in each of its
 * two threads: with 25 agents this is 116 MB instead of 157 MB.
 */
const SMALL_NURSERY = "--max-semi-space-size=4";

/** Starts one in the background and waits until it is ready. `taken` when another one has the repository. */
async function startSupervisor(repository: Repository, hold: boolean): Promise<"started" | "taken"> {
  makeState(repository.state);
  const log = openLog(logFile(repository.state));
  const args = [SMALL_NURSERY, process.argv[1] ?? "", "serve", "--background", ...(hold ? ["--hold"] : [])];
  const { BANKSMAN_RUN: _, ...env } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: repository.root,
    env,
    detached: true,
    stdio: ["ignore", "pipe", log],
  });
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
  if (answer.failure?.kind === "supervisor.other" && answer.failure.state === null) return "taken";
  if (answer.failure) throw new Failed(answer.failure);
  throw new Failed({
    kind: "supervisor.start-failed",
    detail: `it ended with exit code ${answer.exit}`,
    log: logFile(repository.state),
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
export async function act<Result>(connection: Connection, action: Action): Promise<Result> {
  const answer = await call(connection, "POST", "/act", action, { ms: 30 * 60_000 });
  return resultOf<Result>(answer);
}

/** Reads something, as the operator. */
export async function ask<Result>(connection: Connection, path: string, patience?: Patience): Promise<Result> {
  return resultOf<Result>(await call(connection, "GET", path, undefined, patience));
}

function resultOf<Result>(answer: Awaited<ReturnType<typeof call>>): Result {
  if (typeof answer === "string") throw new Failed({ kind: "supervisor.silent", pid: null });
  if (answer.status < 400) return answer.body as Result;
  const {
    error = "The background process refused.",
    kind,
    hint,
  } = (answer.body ?? {}) as { error?: string; kind?: string; hint?: string };
  if (kind !== undefined && hint !== undefined) throw new Failed({ kind: "told", told: kind, message: error, hint });
  throw new Failed({ kind: "request.refused", status: answer.status, message: error });
}
