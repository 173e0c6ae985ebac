import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownHooks } from "../adapters/git/own-hooks.ts";
import { bindBroker } from "../broker/server.ts";
import { guardHook, hooksFor } from "../core/guard-hooks.ts";
import type { Instant } from "../core/ids.ts";
import { iso } from "../core/instant.ts";
import { sessionName, tmuxMarker } from "../core/naming.ts";
import { PROTOCOL } from "../core/protocol.ts";
import type { House, HousePlace } from "../engine/house.ts";
import { isIdle } from "../engine/look.ts";
import { type SuperviseOptions, supervise } from "../engine/supervise.ts";
import { sessionActions } from "../modes/session/actions.ts";
import type { Store } from "../ports/store.ts";
import { claim } from "./claim.ts";
import { type Here, repositoryFile, runFile, tokenFile } from "./place.ts";
import { built, excludesFile, wireConfig, wireWorld } from "./wire.ts";

export { findHere } from "./place.ts";

const LOOK_AROUND_MS = 5_000;
const IDLE_MS = 60_000;

export interface ServeOptions {
  readonly here: Here;
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
  const { here, store = claim(here) } = options;
  try {
    return await open(options, await store);
  } catch (error) {
    // The lock and the thread that holds it live as long as the store is open.
    await store.then((opened) => opened.close()).catch(() => undefined);
    throw error;
  }
}

async function open({ here, env, hold, around }: ServeOptions, store: Store): Promise<Serving> {
  const config = wireConfig(here, env);
  const session = sessionName(here.project, here.commonDir);
  const ports = { ...wireWorld(here, env, { command: `${session}.command`, tmux: tmuxMarker(session) }), store };
  const place = housePlace(here, env, () => url);
  const settings = async () => wireConfig(here, env).settings;
  const onError = (lane: string | null, error: unknown) => log(`${lane ?? "receipt"}: ${text(error)}`);
  const supervisor = await supervise({ ports, place, settings, onError, ...(around && { around }) });
  const { journal } = supervisor.house;
  journal.republishMs = config.settings.republishSeconds * 1000;

  const broker = await bindBroker(config.port ?? Number(journal.settings.get("port") ?? 0));
  const url = `http://127.0.0.1:${broker.port}`;
  if (journal.settings.get("port") !== String(broker.port)) {
    await journal.transact((put) => put({ row: "setting", put: { key: "port", value: String(broker.port) } }));
  }
  const since = ports.clock.now();
  const operator = ports.tokens.mint();
  writeShim(place.shims);
  writeHooks(place, await ownHooks(ports.command, here, env));
  writeNow(repositoryFile(here.state), `${JSON.stringify({ root: here.root, commonDir: here.commonDir })}\n`, 0o600);
  writeNow(tokenFile(here.state), `${operator.token}\n`, 0o600);

  let ended = () => {};
  const serving: Serving = {
    url,
    ended: new Promise((resolve) => {
      ended = resolve;
    }),
    async stop() {
      rmSync(runFile(here.state), { force: true });
      await broker.close();
      await supervisor.close();
      ended();
    },
  };
  broker.open({
    house: supervisor.house,
    actions: sessionActions(supervisor.house, () => void setImmediate(() => serving.stop())),
    operatorDigest: operator.digest,
    rate: config.settings.rate,
    version: __VERSION__,
    supervisor: () => ({ pid: process.pid, url, since: since as Instant, port: broker.port }),
    onBug: (error) => log(text(error)),
  });
  await supervisor.reconcile(!hold);
  const run = { url, pid: process.pid, protocol: PROTOCOL, since: iso(since) };
  writeNow(runFile(here.state), `${JSON.stringify(run)}\n`, 0o600);
  leaveWhenGone(here, serving);
  leaveWhenIdle(supervisor.house, serving);
  return serving;
}

/** A supervisor whose repository or state folder was deleted has nothing left to supervise, and nobody who could say so. */
function leaveWhenGone({ commonDir, state }: Here, serving: Serving): void {
  const timer = setInterval(() => {
    if (existsSync(commonDir) && existsSync(state)) return;
    clearInterval(timer);
    void serving.stop();
  }, LOOK_AROUND_MS);
  timer.unref();
}

/** Started for a session that was then never asked for (Ctrl-C, a crash): nobody else would end it. */
function leaveWhenIdle(house: House, serving: Serving): void {
  let idle = 0;
  const timer = setInterval(() => {
    idle = isIdle(house) ? idle + LOOK_AROUND_MS : 0;
    if (idle < IDLE_MS) return;
    clearInterval(timer);
    void serving.stop();
  }, LOOK_AROUND_MS);
  timer.unref();
}

function housePlace(here: Here, env: NodeJS.ProcessEnv, url: () => string): HousePlace {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    root: here.root,
    project: here.project,
    repository: here.commonDir,
    state: here.state,
    session: sessionName(here.project, here.commonDir),
    excludes: excludesFile(here),
    shims: join(here.state, "bin"),
    hooks: join(here.state, "hooks"),
    url,
    program: [process.execPath, built("bin.cjs")],
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
function writeHooks({ hooks, repository }: HousePlace, own: readonly string[]): void {
  mkdirSync(hooks, { recursive: true, mode: 0o700 });
  const names = hooksFor(own);
  for (const name of names) writeNow(join(hooks, name), guardHook(repository), 0o700);
  // Agents in panes may be using them right now: only what is not wanted any more goes.
  for (const name of readdirSync(hooks)) if (!names.includes(name)) rmSync(join(hooks, name));
}

/** Old or new, never between; not synced, because after a power cut nobody it speaks of is there. */
function writeNow(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}

const log = (line: string): void => void process.stderr.write(`${new Date().toISOString()} ${line}\n`);

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
