import { describe, expect, it } from "vitest";
import { assignmentsOf } from "../../src/core/session/read-session.ts";
import { dying } from "./dying.ts";
import { SimulatedWorld } from "./world.ts";

const BRANCHES = ["feat/a", "feat/b", "feat/c"];

async function checkEnd(world: SimulatedWorld): Promise<void> {
  const { repository, supervisor, agents } = world;
  const journal = supervisor?.context.journal;
  expect([...repository.worktrees.values()].map(({ branch }) => branch).sort()).toEqual(BRANCHES);
  for (const branch of BRANCHES) {
    const tip = repository.heads.get(branch as never);
    expect([branch, repository.tree(tip as never).work]).toEqual([branch, `by ${branch.replace("/", "-")}`]);
    expect([
      branch,
      repository.reachable(tip as never, [repository.heads.get("main" as never) as never]).length,
    ]).toEqual([branch, 1]);
  }
  expect([agents.alive.size, journal?.unsettled.size, journal?.tokens.size]).toEqual([0, 0, 0]);
  expect(assignmentsOf(journal as never).map(({ ended }) => ended?.how)).toEqual(["ok", "ok", "ok"]);
}

it("starts three agents that do their work", async () => {
  const world = new SimulatedWorld();
  await world.open();
  await world.start(...BRANCHES);
  await world.ended();
  await checkEnd(world);
  expect(world.performed.length).toBe(12);
});

describe("killed at every effect of a start with three agents", () => {
  const points = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((n) =>
    (["before", "after"] as const).map((moment) => [n, moment] as const),
  );
  it.each(points)("effect %i, %s it: the restart reaches the same end", async (n, moment) => {
    const world = new SimulatedWorld();
    const death = new Promise<void>(
      (resolve) => void world.open(dying(world, n, moment, resolve)).then(() => world.start(...BRANCHES)),
    );
    await death;
    const supervisor = await world.open();
    await supervisor.reconcile(true);
    await world.ended();
    await checkEnd(world);
  });

  it.each(points)("effect %i, %s it, and the recovery killed at each of its effects", async (n, moment) => {
    for (let again = 1; again <= 6; again++) {
      const world = new SimulatedWorld();
      await new Promise<void>(
        (resolve) => void world.open(dying(world, n, moment, resolve)).then(() => world.start(...BRANCHES)),
      );
      const second = new Promise<void>((resolve) => {
        void world.open(dying(world, again, moment, resolve)).then(async (supervisor) => {
          await supervisor.reconcile(true);
          await world.ended(supervisor);
          resolve();
        });
      });
      await second;
      const supervisor = await world.open();
      await supervisor.reconcile(true);
      await world.ended();
      await checkEnd(world);
    }
  });
});

it("looks at worktrees closely after it was killed, and wakes nobody for that", async () => {
  const world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "talks" }));
  const first = await world.open();
  await first.reconcile(true);
  await world.start(...BRANCHES);
  await first.context.journal.until(() => assignmentsOf(first.context.journal).every(({ live }) => live !== null));
  world.kill();
  const doubted = () => assignmentsOf(world.supervisor?.context.journal as never).map(({ unchecked }) => unchecked);
  const second = await world.open();
  world.performed.length = 0;
  await second.reconcile(false);
  expect([doubted(), world.performed]).toEqual([[true, true, true], []]);
  await second.close();
  const third = await world.open();
  await third.reconcile(true);
  await third.context.journal.until(() => doubted().every((each) => !each));
  expect(world.performed.filter((type) => type === "worktree.mend")).toHaveLength(3);
});

it("shows agents as starting from the moment it brings them back, before anybody has looked at them", async () => {
  const world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "talks" }));
  const first = await world.open();
  await first.reconcile(true);
  await world.start(...BRANCHES);
  const states = () => [...(world.supervisor?.context.journal.roster.values() ?? [])].map(({ state }) => state);
  await first.context.journal.until(() => states().every((state) => state === "working"));
  world.kill();
  const second = await world.open((perform) => () => new Promise(() => perform));
  expect(states()).toEqual(["working", "working", "working"]);
  await second.reconcile(true);
  expect(states()).toEqual(["starting", "starting", "starting"]);
});

describe("killed at every effect of a purge", () => {
  it.each(
    Array.from({ length: 9 }, (_, i) => i + 1).flatMap((n) =>
      (["before", "after"] as const).map((moment) => [n, moment] as const),
    ),
  )("effect %i, %s it: everything is gone, and saved", async (n, moment) => {
    const world = new SimulatedWorld();
    await world.open();
    await world.start(...BRANCHES);
    await world.ended();
    for (const path of world.repository.worktrees.keys())
      Object.assign(world.repository.filesOf(path), { dirty: "uncommitted" });
    world.kill();
    await new Promise<void>(
      (resolve) =>
        void world
          .open(dying(world, n, moment, resolve))
          .then(() => world.act({ type: "purge", look: false, stale: false })),
    );
    const supervisor = await world.open();
    await supervisor.reconcile(true);
    const { journal } = supervisor.context;
    await journal.until(() => assignmentsOf(journal).length === 0);
    expect([world.repository.worktrees.size, [...world.repository.heads.keys()]]).toEqual([0, ["main"]]);
    const backups = [...world.repository.backups.values()];
    expect(backups.map(({ branch, tree }) => [branch, tree.dirty, tree.work?.slice(0, 3)]).sort()).toEqual(
      BRANCHES.map((branch) => [branch, "uncommitted", "by "]),
    );
  });
});

it("never opens a second set of agents", async () => {
  const world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "s" }));
  await world.open();
  await Promise.all([world.start(...BRANCHES), world.start(...BRANCHES), world.start()]);
  const journal = world.supervisor?.context.journal;
  await journal?.until(() => assignmentsOf(journal).every(({ conversation }) => conversation !== null));
  expect([world.agents.launched.length, world.agents.alive.size]).toEqual([3, 3]);
});
