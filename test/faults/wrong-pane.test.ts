import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/adapters/system/clock.ts";
import { createTmux } from "../../src/adapters/tmux/tmux.ts";
import type { AgentId, RunId } from "../../src/core/ids.ts";
import { PaneAgent } from "../../src/engine/pane-agent.ts";
import type { PaneId, Tmux } from "../../src/ports/tmux.ts";
import { eventually } from "../stage.ts";
import { HAS_TMUX, TmuxServer } from "../tmux-server.ts";

/** `TRIALS=1000 npx vitest run --project faults test/faults/wrong-pane.test.ts` for the long run. */
const TRIALS = Number(process.env.TRIALS ?? 60);
const SESSION = "bm-test-1234";
const AGENTS = 4;

let server: TmuxServer | null = null;
let tmux: Tmux | null = null;
afterEach(async () => {
  await tmux?.leave();
  server?.dispose();
});

/** A program with a box: it notes every byte that is typed, shows what is pasted, and Enter takes it out again. */
const BOX = `
  process.stdin.setRawMode(true).setEncoding("utf8");
  const draw = (text) => process.stdout.write("\\r\\u001b[K[ready] >" + (text === "" ? "" : " " + text));
  let box = "";
  process.stdin.on("data", (data) => {
    require("fs").appendFileSync(process.argv[1], data);
    box = data.includes("\\r") ? "" : box + data.replaceAll(/\\u001b\\[20[01]~/g, "");
    draw(box);
  });
  process.stdout.write("\\u001b[?2004h");
  require("fs").writeFileSync(process.argv[1], "");
  draw("");
`;

/** Repeatable: a seed, not the clock. */
function* randoms(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe.skipIf(!HAS_TMUX)("typing while panes are killed, swapped, scrolled and moved", () => {
  it(`never puts a key into a pane it is not meant for, in ${TRIALS} trials`, { timeout: 1_800_000 }, async () => {
    const own = new TmuxServer();
    server = own;
    const mux = createTmux(own.env, { socket: own.socket, folder: join(own.folder, "launch") });
    tmux = mux;
    const random = randoms(Number(process.env.SEED ?? 7));
    const pick = (most: number) => Math.floor((random.next().value ?? 0) * most);
    const typed = (agent: number, life: number) => join(own.folder, `typed-${agent}-${life}`);
    const lives = Array.from({ length: AGENTS }, () => 0);
    const panes: PaneId[] = [];
    const runOf = (agent: number) => `${SESSION}.a${agent}.${lives[agent]}` as RunId;

    const open = async (agent: number) => {
      lives[agent] = (lives[agent] ?? 0) + 1;
      const out = typed(agent, lives[agent] ?? 0);
      panes[agent] = await mux.open({
        ...{ session: SESSION, owner: "us", role: "agent", agent: `a${agent}` as AgentId, run: runOf(agent) },
        ...{
          argv: [process.execPath, "-e", BOX, out],
          cwd: own.folder,
          env: { PATH: process.env.PATH ?? "" },
          log: null,
        },
        ...{ keep: false, mouse: false, borders: true },
      });
      await eventually(() => existsSync(out));
    };
    for (let agent = 0; agent < AGENTS; agent++) await open(agent);

    const strangers = join(own.folder, "strangers");
    let delivered = 0;
    for (let trial = 0; trial < TRIALS; trial++) {
      const agent = pick(AGENTS);
      const [pane, run] = [panes[agent] as PaneId, runOf(agent)];
      const of = { agent: `a${agent}` as AgentId, run, cli: "scripted", worktree: own.folder, log: "" };
      const typist = new PaneAgent({ tmux: mux, clock: systemClock, agents: null as never }, pane, of);
      const text = `for ${run} trial ${trial}`;
      const pressed = async () => (await mux.paste(pane, run, text, `t${trial}`)) && mux.press(pane, run, "Enter");
      const telling = pick(2) === 0 ? pressed() : typist.tell(text, `t${trial}`);
      const other = panes[pick(AGENTS)] as PaneId;
      const disturb = [
        () => void process.kill(Number(own.run("display-message", "-p", "-t", pane, "#{pane_pid}")), "SIGKILL"),
        () => own.run("swap-pane", "-d", "-s", pane, "-t", other),
        () => own.run("copy-mode", "-t", pane),
        () => own.run("kill-pane", "-t", pane),
        () => own.run("respawn-pane", "-k", "-t", pane, `cat >> ${strangers}`),
        () => undefined,
      ];
      try {
        disturb[pick(disturb.length)]?.();
      } catch {
        // The pane may have gone by then.
      }
      const how = await telling;
      if (how === true || how === "submitted") delivered++;
      const now = await mux.pane(pane);
      if (now === null || now.dead || now.run !== run || now.inMode) await open(agent);
    }
    let wrong = existsSync(strangers) ? readFileSync(strangers).length : 0;
    for (let agent = 0; agent < AGENTS; agent++)
      for (let life = 1; life <= (lives[agent] ?? 0); life++) {
        const mine = `${SESSION}.a${agent}.${life}`;
        const texts = [...readFileSync(typed(agent, life), "utf8").matchAll(/for (\S+) trial/g)].map(([, to]) => to);
        wrong += texts.filter((to) => to !== mine).length;
      }
    process.stdout.write(`${TRIALS} trials, ${delivered} arrived, ${wrong} in a wrong pane\n`);
    expect([wrong, delivered > TRIALS / 6]).toEqual([0, true]);
  });
});
