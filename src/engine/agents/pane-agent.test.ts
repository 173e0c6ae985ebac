import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeTmux } from "../../../test/fakes/fake-tmux.ts";
import { TIMERS } from "../../core/session/timers.ts";
import type { AgentId, Instant, RunId } from "../../core/text/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import type { PaneId } from "../../ports/tmux.ts";
import { PaneAgent } from "./pane-agent.ts";

const RUN = "s.a.1" as RunId;
const capture = (file: string) => readFileSync(`test/panes/${file}`, "utf8");
const IDLE = capture("claude-idle-80x24.txt");
const FULL = capture("claude-pasted-4k-80x24.txt");
const WORKING = capture("claude-working-80x24.txt");
const ASKING = capture("claude-permission-bash-80x24.txt");

/** Time that passes by itself, as soon as somebody waits for it. */
class Waiting implements Clock {
  time = 0;
  now = () => this.time as Instant;
  after(ms: number, wake: () => void): () => void {
    this.time += ms;
    const timer = setImmediate(wake);
    return () => clearImmediate(timer);
  }
}

let tmux: FakeTmux;
let clock: Waiting;
let pane: PaneId;
let agent: PaneAgent;

/** A pane that shows something, and something else after each key that is typed. */
async function open(cli: string, first: string, ...then: string[]): Promise<void> {
  tmux = new FakeTmux();
  clock = new Waiting();
  pane = await tmux.open({
    ...{ session: "s", owner: "o", role: "agent", agent: "a" as AgentId, run: RUN, argv: [], cwd: "/w" },
    ...{ env: {}, log: null, keep: false, mouse: true, borders: true },
  });
  const next = () => tmux.change(pane, { screen: then.shift() ?? first });
  const { press, paste } = tmux;
  tmux.press = async (...args) => [await press(...args), next()][0] === true;
  tmux.paste = async (...args) => [await paste(...args), next()][0] === true;
  tmux.change(pane, { screen: first });
  agent = new PaneAgent({ tmux, clock, agents: null as never, timers: TIMERS }, pane, {
    ...{ agent: "a" as AgentId, run: RUN, cli, worktree: "/w", log: "" },
  });
}

const look = async () => {
  const seen = await tmux.pane(pane);
  if (seen !== null) agent.see(seen, (await tmux.capture(pane)) ?? "");
};
/** Twice: one look alone may have met it in the middle of drawing. */
const see = async () => {
  await look();
  await look();
};
const typed = () => tmux.typedInto(pane);

describe("a text for an agent in a pane", () => {
  it("is pasted into its empty box, seen there, and submitted with one Enter", async () => {
    await open("claude", IDLE, FULL, WORKING);
    expect([await agent.tell("hello", "t"), typed()]).toEqual(["submitted", ["hello", "Enter"]]);
  });

  it("gets a second Enter where the first was taken for a line end, and is stuck after that", async () => {
    await open("claude", IDLE, FULL, FULL, WORKING);
    expect([await agent.tell("hello", "t"), typed()]).toEqual(["submitted", ["hello", "Enter", "Enter"]]);
    await open("claude", IDLE, FULL, FULL, FULL);
    expect([await agent.tell("hello", "t"), typed()]).toEqual(["stuck", ["hello", "Enter", "Enter"]]);
  });

  it("is followed by another one half a minute later at the earliest; a brief by one at once", async () => {
    await open("claude", IDLE, FULL, WORKING, IDLE);
    await agent.tell("work on this", "brief-1");
    tmux.change(pane, { screen: IDLE });
    await see();
    expect(agent.listens).toBe(true);
    await open("claude", IDLE, FULL, WORKING, IDLE);
    await agent.tell("hello", "tell-1");
    tmux.change(pane, { screen: IDLE });
    await see();
    const told = clock.time;
    expect(agent.listens).toBe(false);
    clock.time = told + 29_000;
    expect(agent.listens).toBe(false);
    clock.time = told + 30_000;
    expect(agent.listens).toBe(true);
  });

  it("that does not appear may be pasted again", async () => {
    await open("claude", IDLE);
    expect([await agent.tell("hello", "t"), typed(), (await tmux.pane(pane))?.mark]).toEqual(["waits", ["hello"], ""]);
  });

  it.each([
    ["claude", "claude-trust.txt"],
    ["claude", "claude-apikey-120x40.txt"],
    ["claude", "claude-notloggedin-80x24.txt"],
    ["claude", "claude-onboarding-offline-error.txt"],
    ["claude", "claude-permission-bash.txt"],
    ["claude", "claude-question-120x40.txt"],
    ["claude", "claude-working.txt"],
    ["claude", "claude-pasted-multiline.txt"],
    ["codex", "codex-trust-80x24.txt"],
    ["codex", "codex-login-80x24.txt"],
    ["gemini", "gemini-trust.txt"],
    ["gemini", "gemini-login-80x24.txt"],
    ["gemini", "gemini-trust-restarting-exit199.txt"],
    ["opencode", "opencode-permission-tall-40x10.txt"],
    ["pi", "pi-nologin-80x24.txt"],
  ])("waits, with no key typed, while %s shows %s", async (cli, file) => {
    await open(cli, capture(file));
    expect([await agent.tell("hello", "t"), typed()]).toEqual(["waits", []]);
  });
});

describe("an answer", () => {
  beforeEach(() => open("claude", ASKING, WORKING).then(see));

  it("is one key, to the question it is meant for", async () => {
    await agent.answer(agent.screen.prompt?.request ?? "", true);
    expect(typed()).toEqual(["1"]);
  });

  it("that refuses leaves the word to its screen: it may stop at its prompt, and no hook says so", async () => {
    await open("claude", ASKING, IDLE);
    agent.hear({ state: "working", submitted: false, session: null }, clock.now());
    await see();
    expect(agent.at).toBe("working");
    await agent.answer(agent.screen.prompt?.request ?? "", false);
    await see();
    expect(agent.at).toBe("ready");
    agent.hear({ state: "working", submitted: true, session: null }, clock.now());
    expect(agent.at).toBe("working");
  });

  it("to a question that is not there any more is no key at all", async () => {
    const request = agent.screen.prompt?.request ?? "";
    tmux.change(pane, { screen: capture("claude-permission-edit-80x24.txt") });
    await expect(agent.answer(request, true)).rejects.toMatchObject({ failure: { kind: "agent.not-running" } });
    expect(typed()).toEqual([]);
  });

  it("walks to its choice, and presses Enter only when it is seen to be there", async () => {
    const [yes, no] = [capture("pi-permission-edit-80x24.txt"), capture("pi-permission-edit-no-80x24.txt")];
    await open("pi", yes, no, capture("pi-working-80x24.txt"));
    await see();
    await agent.answer(agent.screen.prompt?.request ?? "", false);
    expect(typed()).toEqual(["Down", "Enter"]);
    // A list that does not move gets no Enter.
    await open("pi", no, no);
    await see();
    await expect(agent.answer(agent.screen.prompt?.request ?? "", true)).rejects.toThrow();
    expect(typed()).toEqual(["Up"]);
  });

  it("never goes to a trust dialog, nor where the choice that Enter takes cannot be seen", async () => {
    for (const [cli, file] of [
      ["claude", "claude-trust.txt"],
      ["opencode", "opencode-permission-bash-80x24.txt"],
    ] as const) {
      await open(cli, capture(file));
      await see();
      await expect(agent.answer(agent.screen.prompt?.request ?? "", true)).rejects.toThrow();
      expect(typed()).toEqual([]);
    }
  });

  it("that was given leaves the same question, asked again, to be answered again", async () => {
    await open("claude", ASKING, ASKING);
    await see();
    const first = agent.screen.prompt?.request ?? "";
    await agent.answer(first, true);
    await see();
    expect(agent.screen.prompt?.request).toBe(first);
    clock.time += 5_000;
    await see();
    const second = agent.screen.prompt?.request ?? "";
    expect(second).not.toBe(first);
    await agent.answer(second, true);
    expect(typed()).toEqual(["1", "1"]);
  });
});

describe("where an agent stands", () => {
  it.each([
    ["claude", "claude-trust.txt", "trust", /^claude asks whether to trust this folder: attach and answer/],
    ["gemini", "gemini-login-80x24.txt", "login", /^gemini wants a login or a key: .*authenticate/],
    ["claude", "claude-onboarding-offline-error.txt", "error", /cannot continue: .*Unable to connect/],
    ["claude", "claude-question-120x40.txt", "prompt", /only be answered in its pane: attach \(Which colour\?\)/],
    ["opencode", "opencode-always-60x15.txt", "prompt", /△ Always allow/],
  ])("%s at %s: %s", async (cli, file, at, text) => {
    await open(cli, capture(file));
    await see();
    expect(agent.needsPerson).toEqual({ at, text: expect.stringMatching(text) });
  });

  it("is where it was while it draws everything anew", async () => {
    const screen = capture("claude-trust.txt");
    await open("claude", screen);
    await look();
    expect(agent.needsPerson).toBe(null);
    await look();
    tmux.change(pane, { screen: "half of a\nscreen" });
    await look();
    expect(agent.needsPerson?.at).toBe("trust");
    await look();
    expect(agent.needsPerson).toBe(null);
  });

  it("is nowhere at its prompt, at work, or at a question that can be answered from here", async () => {
    for (const screen of [IDLE, WORKING, ASKING]) {
      await open("claude", screen);
      await see();
      expect(agent.needsPerson).toBe(null);
    }
  });
});
