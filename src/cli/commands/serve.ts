import { Failed } from "../../core/failure.ts";
import { claim } from "../claim.ts";
import { type Command, type Io, OK, TAKEN } from "../command.ts";
import { connect } from "../connect.ts";
import { requireHere } from "../here.ts";
import type { Here } from "../place.ts";
import { shutDown } from "../shut-down.ts";

export const command: Command = {
  name: "serve",
  summary: "Run the supervisor of this repository in the foreground, or end or renew the one in the background",
  options: [
    { flags: "--stop", help: "End the running one; agents are brought back by the next start." },
    { flags: "--restart", help: "End it and start it anew, after an update for instance; agents go on." },
    { flags: "--hold", help: "Do not bring agents back yet." },
    { flags: "--background", help: "Used by other commands: says in one line on standard output when it is ready." },
  ],
  examples: [
    { run: "banksman serve", does: "in the foreground until Ctrl-C; other commands start one by themselves" },
    { run: "banksman serve --restart", does: "after updating banksman" },
  ],
  ownSignals: true,
  async run({ options }, io) {
    const here = await requireHere(io);
    if (options.stop || options.restart) return replace(here, options.restart === true, io);
    return run(here, { hold: options.hold === true, background: options.background === true }, io);
  },
};

async function replace(here: Here, restart: boolean, io: Io): Promise<number> {
  const line = await connect(here, "never").catch((error: unknown) => {
    if (restart && error instanceof Failed && error.failure.kind === "supervisor.none") return null;
    throw error;
  });
  if (line !== null) await shutDown(here, line);
  if (restart) await connect(here, "recover");
  io.out(restart ? "The supervisor runs anew.\n" : "The supervisor has ended.\n");
  return OK;
}

async function run(here: Here, { hold, background }: { hold: boolean; background: boolean }, io: Io): Promise<number> {
  const say = (text: string) => io.out(text);
  try {
    // The journal opens in its own thread while this one loads the rest.
    const store = claim(here);
    store.catch(() => undefined);
    const { serve } = await import("../serve.ts");
    const serving = await serve({ here, env: io.env, hold, store });
    // Before the word that it is up: whoever hears that may end it at once.
    stopOnSignal(serving.stop);
    say(
      background
        ? `${JSON.stringify({ ready: true, url: serving.url })}\n`
        : `Supervising ${here.project} at ${serving.url}. Ctrl-C ends it.\n`,
    );
    await serving.ended;
    return OK;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (background) say(`${JSON.stringify({ failure: error.failure })}\n`);
    if (error.failure.kind !== "supervisor.other") throw error;
    if (!background) io.err(`${error.message}\n`);
    return TAKEN;
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
