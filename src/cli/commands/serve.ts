import { explain } from "../../core/failure/explain.ts";
import { Failed } from "../../core/failure/failed.ts";
import { type Command, ERROR, type Io, OK, TAKEN } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { connectRunning } from "../supervisor/act-running.ts";
import { claim } from "../supervisor/claim.ts";
import { connect } from "../supervisor/connect.ts";
import { shutDown } from "../supervisor/shut-down.ts";
import { unexpected } from "../unexpected.ts";
import type { Repository } from "../wire/find-repository.ts";

export const command: Command = {
  name: "serve",
  summary: "Run the background process of this repository in the foreground, or stop or restart it",
  options: [
    { flags: "--stop", help: "Stop the running one; the next `banksman start` brings the agents back." },
    { flags: "--restart", help: "Restart it, for example after an update; agents keep running." },
    { flags: "--hold", help: "Do not bring agents back until `banksman start`." },
    { flags: "--background", help: "For other commands: print one line when it is ready." },
  ],
  examples: [
    {
      run: "banksman serve",
      does: "runs in the foreground until Ctrl-C; other commands start it in the background when they need it",
    },
    { run: "banksman serve --restart", does: "restarts it after you have updated banksman" },
  ],
  ownSignals: true,
  async run({ options }, io) {
    const repository = await requireRepository(io);
    if (options.stop || options.restart) return replace(repository, options.restart === true, io);
    return run(repository, { hold: options.hold === true, background: options.background === true }, io);
  },
};

async function replace(repository: Repository, restart: boolean, io: Io): Promise<number> {
  if (!restart) await shutDown(repository, await connectRunning(repository));
  else {
    const running = await connect(repository, "never").catch((error: unknown) => {
      if (error instanceof Failed && error.failure.kind === "supervisor.none") return null;
      throw error;
    });
    if (running !== null) await shutDown(repository, running);
    await connect(repository, "recover");
  }
  io.out(restart ? "The background process was restarted.\n" : "The background process has ended.\n");
  return OK;
}

async function run(
  repository: Repository,
  { hold, background }: { hold: boolean; background: boolean },
  io: Io,
): Promise<number> {
  const say = (text: string) => io.out(text);
  try {
    // The journal opens in its own thread while this one loads the rest.
    const store = claim(repository);
    store.catch(() => undefined);
    const { serve } = await import("../supervisor/serve.ts");
    const serving = await serve({ repository, env: io.env, hold, store });
    // Before the word that it is up: whoever hears that may end it at once.
    stopOnSignal(serving.stop);
    say(
      background
        ? `${JSON.stringify({ ready: true, url: serving.url })}\n`
        : `Supervising ${repository.project} at ${serving.url}. Ctrl-C ends it.\n`,
    );
    await serving.ended;
    return OK;
  } catch (error) {
    const failure = error instanceof Failed ? error.failure : unexpected(error);
    const { message, hint } = explain(failure);
    if (background) say(`${JSON.stringify({ failure })}\n`);
    io.err(`${message}\n${hint}\n`);
    // At once: what was opened before it failed would keep it, its port and its lock.
    return process.exit(failure.kind === "supervisor.other" ? TAKEN : ERROR);
  }
}

/** The first signal drains, a second one ends at once. A closed terminal ends nothing. */
function stopOnSignal(stop: () => Promise<void>): void {
  let asked = false;
  const leave = () => {
    if (asked) process.exit(1);
    asked = true;
    void stop();
  };
  process.on("SIGTERM", leave);
  process.on("SIGINT", leave);
  process.on("SIGHUP", () => undefined);
  process.stdout.on("error", () => undefined);
}
