import { describe, expect, it } from "vitest";
import type { JournalView } from "../record/journal-view.ts";
import type { AgentId, Branch, Commit, Instant } from "../text/ids.ts";
import { type Check, type CheckEvent, type CheckKey, checkLane } from "./check.ts";
import { COMBINATIONS_LANE, type Combinations } from "./combinations.ts";
import { type CombinationFacts, decideCombinations } from "./decide-combinations.ts";
import type { GatePlan } from "./gate-plan.ts";
import type { GateResult } from "./gate-result.ts";

const PLAN = { commands: [{ gate: "test", command: "npm test" }], none: false } as unknown as GatePlan;
const BASE = { branch: "main" as Branch, commit: "base" as Commit };

/** Agents' work as letters; a tree is the letters that are in it. */
class World {
  state: Combinations = COMBINATIONS_LANE.rules.initial as Combinations;
  readonly checks = new Map<string, Check>();
  readonly told: string[] = [];
  readonly ran: string[] = [];
  life = 1;
  now = 10_000;
  idle = true;
  pressed = false;
  work: Record<string, string> = { a: "a1", b: "b1" };
  changedAt = 0;
  /** Trees that are red when they hold all of these. */
  red: string[][] = [];
  conflicts: string[] = [];
  wakeAt: Instant | null | undefined = null;
  private settled: CombinationFacts["settled"] = [];

  /** One turn; checks that are asked for end at once, unless `leave`. */
  turn({ leave = false }: { leave?: boolean } = {}): void {
    const work = Object.entries(this.work).map(([agent, commit]) => ({
      agent: agent as AgentId,
      commit: commit as Commit,
    }));
    const view = { state: (lane: { key: string }) => this.checks.get(lane.key) ?? null } as unknown as JournalView;
    const step = decideCombinations(this.state, {
      now: this.now as Instant,
      view,
      settled: this.settled,
      life: this.life,
      present: { base: BASE, work, at: this.changedAt as Instant },
      idle: this.idle,
      pressed: this.pressed,
      restMs: 1_000,
    });
    this.wakeAt = step.wakeAt;
    for (const event of step.events) this.state = COMBINATIONS_LANE.rules.reduce(this.state, event) as Combinations;
    for (const { message } of step.says ?? []) this.told.push(JSON.stringify(message));
    for (const { lane, event } of step.sends ?? []) this.check(lane.key, event as CheckEvent);
    if (!leave) for (const [key, check] of this.checks) this.end(key, check);
    this.settled = step.effects.map((effect, id) => {
      const agents = effect.work.map(({ agent }) => agent);
      const left = agents.length > 1 ? agents.filter((agent) => this.conflicts.includes(agent)) : [];
      const tree = effect.work.filter(({ agent }) => !left.includes(agent)).map(({ commit }) => commit);
      this.ran.push(agents.join("+"));
      const given = { commit: "c" as Commit, tree: tree.sort().join("+"), left, plan: PLAN, planHash: "p" };
      return { id, effect, outcome: { ok: true, ...given } } as unknown as CombinationFacts["settled"][number];
    });
  }

  run(): this {
    for (let turns = 0; turns < 60; turns++) {
      this.turn();
      if (this.settled.length === 0 && this.state.round?.over !== false) return this;
    }
    throw new Error("no end");
  }

  check(key: string, event: CheckEvent): void {
    const lane = checkLane(key.slice("check/".length) as CheckKey);
    const after = lane.rules.reduce(this.checks.get(key) ?? null, event);
    if (after !== null) this.checks.set(key, after);
  }

  private end(key: string, check: Check): void {
    if (check.endedAt !== null || check.wantedBy.length === 0) return;
    const parts = check.tree.split("+");
    const verdict = this.red.some((all) => all.every((each) => parts.includes(each))) ? "fail" : "pass";
    const failures = verdict === "fail" ? [{ name: "it works", lines: [] }] : [];
    const result = { gate: "test", verdict, code: 0, trouble: null, counts: null, failures, tail: [], changed: [] };
    this.check(key, { type: "ran", result: result as unknown as GateResult, setUp: null, at: this.now as Instant });
  }
}

describe("work that is tested together", () => {
  it("is one run where it is green, and none again while nothing changes", () => {
    const world = new World().run();
    expect([world.ran, world.told]).toEqual([["a+b"], []]);
    world.run();
    expect(world.ran).toHaveLength(1);
    expect([...world.checks.values()].every(({ wantedBy }) => wantedBy.length === 0)).toBe(true);
  });

  it("is told to both where it is red together, once", () => {
    const world = new World();
    world.red = [["a1", "b1"]];
    world.run();
    expect(world.state.red.map(({ agents }) => [...agents].sort())).toEqual([["a", "b"]]);
    expect(world.told).toHaveLength(2);
    expect(world.told.join()).toContain("[regression] it works fails once your work is together with that of b");
    world.work = { a: "a1", b: "b1", c: "c1" };
    world.run();
    expect(world.told).toHaveLength(2);
    world.work = { a: "a2", b: "b1", c: "c1" };
    expect(world.run().state.red).toEqual([]);
  });

  it("is nobody's news where one is red alone, or where they do not merge", () => {
    const alone = new World();
    alone.red = [["a1"]];
    expect(alone.run().told).toEqual([]);
    const apart = new World();
    apart.conflicts = ["b"];
    expect([apart.run().told, apart.ran]).toEqual([[], ["a+b"]]);
  });

  it("waits until the work has rested, and until a slot is free", () => {
    const world = new World();
    world.changedAt = world.now - 400;
    world.turn();
    expect([world.ran, world.wakeAt]).toEqual([[], world.now + 600]);
    world.changedAt = 0;
    world.idle = false;
    world.turn();
    expect(world.ran).toEqual([]);
    world.idle = true;
    world.run();
    expect(world.ran).toEqual(["a+b"]);
  });

  it("makes room at once, and goes on later", () => {
    const world = new World();
    world.turn();
    world.turn({ leave: true });
    const wanted = () => [...world.checks.values()].map(({ wantedBy }) => wantedBy.length);
    expect(wanted()).toEqual([1]);
    world.pressed = true;
    world.turn({ leave: true });
    expect(wanted()).toEqual([0]);
    world.pressed = false;
    world.run();
    expect([world.ran, world.state.round?.over]).toEqual([["a+b", "a+b"], true]);
  });

  it("begins again after a restart: commits of uncommitted work are gone", () => {
    const world = new World();
    world.turn();
    world.turn({ leave: true });
    world.life = 2;
    world.turn({ leave: true });
    expect([...world.checks.values()].map(({ wantedBy }) => wantedBy.length)).toEqual([0]);
    expect(world.run().state.round).toMatchObject({ life: 2, over: true });
  });

  it("is dropped where there is nothing left to put together", () => {
    const world = new World();
    world.red = [["a1", "b1"]];
    world.run();
    world.work = { a: "a1" };
    world.turn();
    expect([world.state.round, world.state.red]).toEqual([null, []]);
  });
});
