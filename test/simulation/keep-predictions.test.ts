import { beforeEach, expect, it } from "vitest";
import { assignmentsOf } from "../../src/core/session/read-session.ts";
import type { AgentId, Branch, Commit } from "../../src/core/text/ids.ts";
import { keepPredictions, type PredictionKeeper } from "../../src/engine/conflicts/keep-predictions.ts";
import { FakePredictor } from "../fakes/fake-predictor.ts";
import { SimulatedWorld } from "./world.ts";

const A = "a" as AgentId;
const MAIN = "main" as Branch;

/** Counts how often the base is asked for, and lets a look wait. */
class WatchedPredictor extends FakePredictor {
  asked = 0;
  fails: Error | null = null;
  held: Promise<void> = Promise.resolve();

  override async commitOf(name: string): Promise<Commit | null> {
    this.asked++;
    const found = await super.commitOf(name);
    await this.held;
    if (this.fails !== null) throw this.fails;
    return found;
  }
}

let world: SimulatedWorld;
let predictor: WatchedPredictor;
let keeper: PredictionKeeper;
let errors: unknown[];
beforeEach(async () => {
  world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => stage.emit({ type: "session", id: "talks" }));
  const supervisor = await world.open();
  await supervisor.reconcile(true);
  await world.start("a");
  const { context } = supervisor;
  await context.journal.until(() => assignmentsOf(context.journal).every(({ live }) => live !== null));
  predictor = new WatchedPredictor(world.repository);
  errors = [];
  keeper = keepPredictions({ ...context, predictor }, (error) => errors.push(error));
});

const quiet = async () => {
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
};

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    world.clock.pass(10);
    await quiet();
  }
}

const heads = () => world.repository.heads;
const seen = () =>
  keeper.current()?.predictions.pairs.map(({ between, prediction }) => [...between, prediction.outcome]);
const write = (text: string) =>
  Object.assign(world.repository.filesOf("/repo/.banksman/worktrees/a"), { README: text });
const moveMain = (text: string) =>
  heads().set(MAIN, world.repository.commit({ README: text }, [heads().get(MAIN) as Commit]));

it("does not look for a base that is gone over and over, and sees all when it is back", async () => {
  write("mine\n");
  keeper.edited(A);
  await pass(20);
  expect(seen()).toEqual([["a", "main", "disjoint"]]);
  const main = moveMain("theirs\n").get(MAIN) as Commit;
  heads().delete(MAIN);
  write("hi\n");
  keeper.edited(A);
  predictor.asked = 0;
  await pass(500);
  expect(predictor.asked).toBe(1);
  heads().set(MAIN, main);
  keeper.moved();
  await pass(20);
  expect(seen()).toEqual([["a", "main", "disjoint"]]);
});

it("looks again when the base moves during a look", async () => {
  write("mine\n");
  let go = () => {};
  predictor.held = new Promise((resolve) => {
    go = resolve;
  });
  keeper.edited(A);
  await pass(20);
  moveMain("theirs\n");
  keeper.moved();
  predictor.held = Promise.resolve();
  go();
  await pass(50);
  expect(seen()).toEqual([["a", "main", "conflict"]]);
});

it("waits a while after a failure, and has forgotten nobody", async () => {
  write("mine\n");
  moveMain("theirs\n");
  predictor.fails = new Error("no more processes");
  keeper.edited(A);
  await pass(900);
  expect([predictor.asked, errors.length]).toEqual([1, 1]);
  predictor.fails = null;
  await pass(200);
  expect(seen()).toEqual([["a", "main", "conflict"]]);
});
