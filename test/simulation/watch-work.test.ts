import { beforeEach, describe, expect, it } from "vitest";
import { assignmentsOf } from "../../src/core/session/read-session.ts";
import type { AgentId } from "../../src/core/text/ids.ts";
import { publish } from "../../src/engine/messages/publish.ts";
import type { Supervisor } from "../../src/engine/supervise.ts";
import { SimulatedWorld } from "./world.ts";

const WORKTREE = "/repo/.banksman/worktrees/a";

let world: SimulatedWorld;
let supervisor: Supervisor;

/** Agents that are there and do nothing. */
beforeEach(async () => {
  world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "talks" }));
});

async function open(...branches: string[]): Promise<void> {
  supervisor = await world.open();
  await supervisor.reconcile(true);
  await world.start(...branches);
  const { journal } = supervisor.context;
  await journal.until(() => assignmentsOf(journal).every(({ live }) => live !== null));
}

const files = (agent: string) => supervisor.context.journal.entry(agent as AgentId)?.files.join() ?? "";
const untilFiles = (agent: string, wanted: string) => supervisor.context.journal.until(() => files(agent) === wanted);

function write(name: string, text: string | undefined = "x", hints = true): void {
  Object.assign(world.repository.filesOf(WORKTREE), { [name]: text });
  if (hints) world.watcher.change(`${WORKTREE}/${name}`);
}

/** Whatever is under way goes on until nothing more happens by itself. */
const quiet = async () => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
};

describe("a worktree that is watched", () => {
  it("is told of at a hint", async () => {
    await open("a");
    await quiet();
    expect(world.watcher.folders).toEqual([WORKTREE, "/repo/.git"]);
    write("one");
    write("two");
    await untilFiles("a", "one");
    await quiet();
    world.clock.pass(20);
    await untilFiles("a", "one,two");
  });

  it("is looked at every half minute, hints or not", async () => {
    await open("a");
    await quiet();
    write("silent", "x", false);
    world.clock.pass(29_000);
    await quiet();
    expect(files("a")).toBe("");
    world.clock.pass(1_000);
    await untilFiles("a", "silent");
  });

  it("shows what is modified there, whatever its agent says", async () => {
    await open("a");
    write("one");
    await untilFiles("a", "one");
    const said = { type: "agent.status" as const, agent_id: "a" as AgentId };
    const payload = { status: "working", modified_files: ["other"], message: null };
    await publish(supervisor.context, [{ message: { ...said, payload }, key: null, re: null }]);
    expect(files("a")).toBe("other");
    await quiet();
    world.clock.pass(30_000);
    await untilFiles("a", "other,one");
  });

  it("is looked at and watched anew when the system has lost count", async () => {
    await open("a");
    await quiet();
    write("missed", "x", false);
    const { begun } = world.watcher;
    world.clock.pass(1_000);
    world.watcher.lose(WORKTREE);
    await untilFiles("a", "missed");
    await quiet();
    expect([world.watcher.begun - begun, world.watcher.folders]).toEqual([1, [WORKTREE, "/repo/.git"]]);
  });

  it("is watched anew when a look by the clock finds what was not hinted at, and else not", async () => {
    await open("a");
    await quiet();
    const { begun } = world.watcher;
    world.clock.pass(30_000);
    await quiet();
    expect(world.watcher.begun).toBe(begun);
    write("missed", "x", false);
    world.clock.pass(30_000);
    await untilFiles("a", "missed");
    await quiet();
    expect([world.watcher.begun - begun, world.watcher.folders]).toEqual([1, [WORKTREE, "/repo/.git"]]);
  });

  it("is seen to be clean again by the look after the watch began", async () => {
    await open("a");
    write("brief", "x", false);
    const { watch } = world.watcher;
    world.watcher.watch = async (order) => {
      Object.assign(world.repository.filesOf(WORKTREE), { brief: undefined });
      return watch.call(world.watcher, order);
    };
    await quiet();
    expect(files("a")).toBe("");
  });

  it("is looked at every two seconds where it cannot be watched, and that is said", async () => {
    world.watcher.refused.add(WORKTREE);
    await open("a");
    await quiet();
    const warning = () => assignmentsOf(supervisor.context.journal)[0]?.watchWarning;
    expect(warning()).toContain("cannot be watched: No space left on device");
    write("polled", "x", false);
    world.clock.pass(2_000);
    await untilFiles("a", "polled");
    world.watcher.refused.clear();
    world.clock.pass(30_000);
    await quiet();
    world.clock.pass(1_000);
    await quiet();
    expect(world.watcher.folders).toContain(WORKTREE);
    expect(warning()).toBeNull();
  });

  it("is not watched any more once its agent is stopped", async () => {
    await open("a");
    await quiet();
    await world.act({ type: "stop", agents: [] });
    await quiet();
    expect(world.watcher.folders).toEqual([]);
  });
});

it("tells of a file that is written again and again once a second, and of another file at once", async () => {
  await open("a");
  await quiet();
  const { journal } = supervisor.context;
  write("busy", "0");
  await untilFiles("a", "busy");
  const head = journal.head;
  for (let i = 1; i <= 5; i++) {
    write("busy", String(i));
    await quiet();
    world.clock.pass(100);
    await quiet();
  }
  expect(journal.head).toBe(head);
  write("other");
  await quiet();
  world.clock.pass(100);
  await untilFiles("a", "busy,other");
  write("busy", "6");
  await quiet();
  world.clock.pass(1_100);
  await journal.until(() => journal.head >= head + 2);
});
