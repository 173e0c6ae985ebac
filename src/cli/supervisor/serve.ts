import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { ActionTable } from "../../broker/options.ts";
import { bindBroker } from "../../broker/server.ts";
import { guardHook, hooksFor } from "../../core/agents/guard-hooks.ts";
import type { Environment } from "../../core/clis/environment.ts";
import { Failed } from "../../core/failure/failed.ts";
import { jobsFor } from "../../core/gates/gate-settings.ts";
import { isBusy } from "../../core/session/is-busy.ts";
import { isIdle } from "../../core/session/read-session.ts";
import { readTimers, type Timers } from "../../core/session/timers.ts";
import type { Instant } from "../../core/text/ids.ts";
import { iso } from "../../core/text/instant.ts";
import { sessionName, tmuxMarker } from "../../core/text/naming.ts";
import { PROTOCOL } from "../../core/text/protocol.ts";
import type { EngineContext } from "../../engine/context.ts";
import type { Place } from "../../engine/loop/place.ts";
import { type SuperviseOptions, supervise } from "../../engine/supervise.ts";
import { landingActions } from "../../modes/landing/actions.ts";
import { landingKinds } from "../../modes/landing/kinds.ts";
import { sessionActions } from "../../modes/session/actions.ts";
import { sessionKinds } from "../../modes/session/kinds.ts";
import type { Store } from "../../ports/store.ts";
import type { Repository } from "../wire/find-repository.ts";
import { built, excludesFile, wireConfig, wireGates, wireOwnHooks, wirePorts } from "../wire/wire-ports.ts";
import { askReviewer } from "../wire/wire-reviewer.ts";
import { claim } from "./claim.ts";
import { repositoryFile, supervisorFile, tokenFile } from "./state-files.ts";

export { findRepository } from "../wire/find-repository.ts";

export interface ServeOptions {
  readonly repository: Repository;
  readonly env: NodeJS.ProcessEnv;
  /** Leave the agents down until told otherwise. */
  readonly hold: boolean;
  /** Stands around every effect; fault tests end the process here. */
  readonly around?: SuperviseOptions["around"];
  /** The claim, where it was begun earlier. */
  readonly store?: Promise<Store>;
}

export interface Serving {
  readonly url: string;
  /** Resolves when it has been asked to stop, and has. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The supervisor of one repository. Starting is recovering: take the lock, read the journal, bind the port, end what a
 * dead predecessor left, go on. Rejects with `supervisor.other` when the repository is taken.
 */
export async function serve(options: ServeOptions): Promise<Serving> {
  const { repository, store = claim(repository) } = options;
  try {
    return await open(options, await store);
  } catch (error) {
    // The lock and the thread that holds it live as long as the store is open.
    await store.then((opened) => opened.close()).catch(() => undefined);
    throw error;
  }
}

async function open({ repository, env, hold, around }: ServeOptions, store: Store): Promise<Serving> {
  const config = wireConfig(repository, env);
  const session = sessionName(repository.project, repository.commonDir);
  const ports = { ...wirePorts(repository, env, { command: `${session}.command`, tmux: tmuxMarker(session) }), store };
  const place = placeOf(repository, env, () => url);
  const timers = readTimers(env.BANKSMAN_TEST_TIMERS);
  const settings = async () => wireConfig(repository, env).settings;
  const onError = createErrorLog();
  const supervisor = await supervise({
    ports,
    place,
    settings,
    gates: (base) => wireGates(repository, env, ports.history, base),
    land: async () => wireConfig(repository, env).land,
    review: (prompt) => askReviewer(repository, env as Environment, `${session}.command`, prompt),
    jobs: jobsFor(availableParallelism()),
    onError,
    kinds: (context, ticking) => [...sessionKinds(context, ticking), ...landingKinds(context, ticking)],
    timers,
    ...(around && { around }),
  });
  const { journal } = supervisor.context;
  journal.republishMs = config.settings.republishSeconds * 1000;

  const broker = await bindBroker(config.port ?? Number(journal.settings.get("port") ?? 0));
  const url = `http://127.0.0.1:${broker.port}`;
  if (journal.settings.get("port") !== String(broker.port)) {
    await journal.transact(({ put }) => put({ row: "setting", put: { key: "port", value: String(broker.port) } }));
  }
  const since = ports.clock.now();
  const operator = ports.tokens.mint();
  writeShim(place.shims);
  writeHooks(place, await wireOwnHooks(repository, env));
  writeNow(
    repositoryFile(repository.state),
    `${JSON.stringify({ root: repository.root, commonDir: repository.commonDir })}\n`,
    0o600,
  );
  writeNow(tokenFile(repository.state), `${operator.token}\n`, 0o600);

  let ended = () => {};
  const serving: Serving = {
    url,
    ended: new Promise((resolve) => {
      ended = resolve;
    }),
    async stop() {
      rmSync(supervisorFile(repository.state), { force: true });
      await broker.close();
      await supervisor.close();
      ended();
    },
  };
  const { actions, underWay } = counted({
    ...sessionActions(supervisor.context, () => void setImmediate(() => serving.stop())),
    ...landingActions(supervisor.context),
  });
  broker.open({
    context: supervisor.context,
    actions,
    operatorDigest: operator.digest,
    rate: config.settings.rate,
    version: __VERSION__,
    supervisor: () => ({ pid: process.pid, url, since: since as Instant, port: broker.port }),
    onBug: (error) => log(text(error)),
  });
  await supervisor.reconcile(!hold);
  const run = { url, pid: process.pid, protocol: PROTOCOL, since: iso(since) };
  writeNow(supervisorFile(repository.state), `${JSON.stringify(run)}\n`, 0o600);
  leaveWhenGone(repository, serving, timers);
  leaveWhenIdle(supervisor.context, underWay, serving);
  return serving;
}

/** A supervisor whose repository or state folder was deleted has nothing left to supervise, and nobody who could say so. */
function leaveWhenGone({ commonDir, state }: Repository, serving: Serving, { lookAround }: Timers): void {
  const timer = setInterval(() => {
    if (existsSync(commonDir) && existsSync(state)) return;
    clearInterval(timer);
    void serving.stop();
  }, lookAround);
  timer.unref();
}

/** Counts the actions that somebody waits for. */
function counted(actions: ActionTable): { readonly actions: ActionTable; readonly underWay: () => number } {
  let count = 0;
  const counting = Object.entries(actions).map(([type, perform]) => [
    type,
    async (...asked: Parameters<typeof perform>) => {
      count++;
      try {
        return await (perform as (...asked: unknown[]) => Promise<unknown>)(...asked);
      } finally {
        count--;
      }
    },
  ]);
  return { actions: Object.fromEntries(counting) as ActionTable, underWay: () => count };
}

/**
 * Started for a session that was then never asked for (Ctrl-C, a crash): nobody else would end it. While it does what
 * it was asked for it is not idle, however long that takes.
 */
function leaveWhenIdle(
  context: Pick<EngineContext, "held" | "journal" | "timers">,
  underWay: () => number,
  serving: Serving,
): void {
  const { timers } = context;
  let idle = 0;
  const timer = setInterval(() => {
    const { held, journal } = context;
    const isNeeded = underWay() > 0 || isBusy(journal) || !(held || isIdle(journal));
    idle = isNeeded ? 0 : idle + timers.lookAround;
    if (idle < timers.idle) return;
    clearInterval(timer);
    void serving.stop();
  }, timers.lookAround);
  timer.unref();
}

function placeOf(repository: Repository, env: NodeJS.ProcessEnv, url: () => string): Place {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    root: repository.root,
    project: repository.project,
    repository: repository.commonDir,
    state: repository.state,
    session: sessionName(repository.project, repository.commonDir),
    excludes: excludesFile(repository),
    shims: join(repository.state, "bin"),
    hooks: join(repository.state, "hooks"),
    url,
    program: [process.execPath, built("bin.cjs")],
    tools: [`node ${process.version}`, process.platform, process.arch],
    env: Object.fromEntries(defined),
  };
}

/** `banksman` on an agent's PATH is this very banksman, however it was started. */
function writeShim(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const quoted = [process.execPath, built("bin.cjs")].map((path) => `'${path.replaceAll("'", "'\\''")}'`).join(" ");
  writeNow(join(folder, "banksman"), `#!/bin/sh\nexec ${quoted} "$@"\n`, 0o700);
}

/** For the agents' git, by their environment. */
function writeHooks({ hooks, repository }: Place, own: readonly string[]): void {
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  const names = hooksFor(own);
  for (const name of names) writeNow(join(hooks, name), guardHook(repository), 0o700);
  // Agents in panes may be using them right now: only what is not wanted any more goes.
  for (const name of readdirSync(hooks)) if (!names.includes(name)) rmSync(join(hooks, name));
}

/** Old or new, never between; not synced, because after a power cut nobody it speaks of is there. */
function writeNow(path: string, text: string, mode: number): void {
  try {
    writeFileSync(`${path}.new`, text, { mode });
    renameSync(`${path}.new`, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === "ENOSPC" || code === "EDQUOT";
    throw new Failed(isFull ? { kind: "disk.full", path } : { kind: "file.failed", path, detail: message });
  }
}

const SAY_AGAIN_MS = 10 * 60_000;

/** A lane that fails is tried again every second: what it says again is not written again for a while. */
function createErrorLog(): (lane: string | null, error: unknown) => void {
  const last = new Map<string | null, { readonly said: string; readonly until: number }>();
  return (lane, error) => {
    const said = error instanceof Error ? error.message : String(error);
    const before = last.get(lane);
    if (before?.said === said && Date.now() < before.until) return;
    last.set(lane, { said, until: Date.now() + SAY_AGAIN_MS });
    log(`${lane ?? "receipt"}: ${text(error)}`);
  };
}

const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
