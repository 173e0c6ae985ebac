import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure } from "../failure/failure.ts";
import type { Question } from "../messages/questions.ts";
import type { JournalView } from "../record/journal-view.ts";
import type { AgentId, Branch, Commit, Instant } from "../text/ids.ts";
import { decideLanding } from "./decide-landing.ts";
import type { LandingEvent, Landings, Strategy } from "./landing.ts";
import type { Ready } from "./landing-draft.ts";
import type { LandingEffect, LandingSettled, TestedCommit } from "./landing-effects.ts";
import { LAND_LANE } from "./reduce-landing.ts";

interface Rules {
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  /** Branches whose being there together makes the gates red; one alone is red by itself. */
  readonly poison?: readonly (readonly string[])[];
  /** Pairs that conflict by their text; with `main` for one that does not apply at all. */
  readonly conflicts?: readonly (readonly [string, string])[];
  readonly cheats?: readonly string[];
  readonly flaky?: readonly string[];
  /** The target is red until this has landed. */
  readonly cure?: string;
  /** The gates say of what does not mend it that the base fails, too. */
  readonly saysSo?: boolean;
  readonly contained?: readonly string[];
  readonly waits?: string;
  /** Its files cannot be laid out. */
  readonly unlaid?: string;
  /** What is asked of this branch fails: by the effect of this type. */
  readonly fails?: { readonly branch: string; readonly at: LandingEffect["type"]; readonly failure: Failure };
  readonly dirty?: string;
  readonly batch?: number;
  readonly jobs?: number;
  readonly strategy?: Strategy;
}

/**
 * A repository as text: a commit is what has been put onto main, `main+a+b`. Every effect is performed at once; whatever
 * the gates were run on is remembered, and main moves only by compare-and-swap.
 */
class World {
  main = "main";
  state: Landings = LAND_LANE.rules.initial as Landings;
  readonly tested = new Set<string>();
  readonly points: string[] = [];
  readonly says: string[] = [];
  readonly questions = new Map<number, Question>();
  runs = 0;
  ready: Ready | null = null;
  private settled: LandingSettled[] = [];
  private readonly again = new Set<string>();
  private effects = 0;

  constructor(readonly rules: Rules) {}

  ask(...branches: string[]): this {
    const asked = branches.map((branch) => ({ branch, agent: branch as AgentId, tip: `tip-${branch}` as Commit }));
    const { strategy = "train" } = this.rules;
    this.apply([{ type: "asked", target: "main" as Branch, strategy, branches: asked, at: 1 as Instant }]);
    return this;
  }

  /** Until there is nothing to do; `between` is called before each effect. */
  run(between: (effect: LandingEffect, n: number) => void = () => undefined): this {
    for (let turns = 0; turns < 500; turns++) {
      const step = decideLanding(this.state, {
        now: 5 as Instant,
        view: this.view(),
        settled: this.settled,
        // As it is looked at: nothing, before there is a target.
        target: this.state.target === null ? null : (this.main as Commit),
        looked: this.state.target,
        tested: (check) => this.verdict(check),
        batch: this.rules.batch ?? 16,
        jobs: this.rules.jobs ?? 1,
        retry: 1,
        ready: this.ready,
      });
      this.apply(step.events);
      this.says.push(...(step.says ?? []).map(({ message }) => JSON.stringify(message)));
      for (const change of step.changes ?? [])
        if (change.row === "question") this.questions.set(change.put.number, change.put);
      if (step.effects.length === 0 && (step.wakeAt ?? null) === null) return this;
      this.settled = step.effects.map((effect, id) => {
        between(effect, ++this.effects);
        const { at, branch, failure } = this.rules.fails ?? {};
        const isIt = effect.type === at && "branch" in effect && effect.branch === branch;
        const outcome = isIt ? { ok: false, failure } : { ok: true, ...this.perform(effect) };
        return { id, effect, outcome } as unknown as LandingSettled;
      });
    }
    throw new Error("no end");
  }

  answer(text: string): this {
    const [question] = [...this.questions.values()].filter(({ closed }) => closed === null);
    if (question === undefined) throw new Error("nothing was asked");
    const closed = {
      how: "answered",
      answer: text,
      by: "operator" as AgentId,
      at: 9 as Instant,
      handed: false,
    } as const;
    this.questions.set(question.number, { ...question, closed });
    this.settled = [];
    return this;
  }

  of = (state: string): string[] => this.state.queue.filter((each) => each.state === state).map(({ branch }) => branch);
  because = (branch: string): string | null => this.state.queue.find((each) => each.branch === branch)?.because ?? null;

  private apply(events: readonly LandingEvent[]): void {
    for (const event of events) this.state = LAND_LANE.rules.reduce(this.state, event) as Landings;
  }

  private view(): JournalView {
    return { openQuestions: this.questions, nextQuestion: this.questions.size + 1, entry: () => null } as never;
  }

  private partsOf = (commit: string): string[] => commit.split("+").slice(1);

  private isRed(commit: string): boolean {
    const parts = this.partsOf(commit);
    if (this.rules.cure !== undefined && !parts.includes(this.rules.cure)) return true;
    return (this.rules.poison ?? []).some((together) => together.every((each) => parts.includes(each)));
  }

  private verdict(commit: string): TestedCommit {
    if (this.rules.waits !== undefined) return { is: "waiting", findings: [], because: this.rules.waits };
    if (this.rules.unlaid !== undefined && this.partsOf(commit).includes(this.rules.unlaid))
      return { is: "waiting", findings: [], because: "its submodule is not here", own: true };
    const flaky = this.partsOf(commit).some((each) => this.rules.flaky?.includes(each)) && !this.again.has(commit);
    const red = this.isRed(commit) || flaky;
    if (red && this.rules.saysSo && this.partsOf(commit).length > 0)
      return { is: "waiting", findings: [], because: "the base itself fails: it works" };
    const finding = { tag: "testing", kind: "red", message: "it works fails" } as const;
    return { is: red ? "red" : "green", findings: red ? [finding] : [], because: null };
  }

  private perform(effect: LandingEffect): object {
    switch (effect.type) {
      case "land.look":
        return { base: this.main, needs: this.rules.needs ?? {}, meets: [] };
      case "branch.inspect": {
        const finding = { tag: "testing", kind: "cheat", message: "switches off 1 test", file: `${effect.branch}.js` };
        const accepted = effect.accepted.length > 0;
        return { open: this.rules.cheats?.includes(effect.branch) && !accepted ? [finding] : [], accepted };
      }
      case "branch.replay": {
        if (this.rules.contained?.includes(effect.branch)) return { how: "nothing" };
        if (this.partsOf(effect.onto).includes(effect.branch)) return { how: "nothing" };
        if (effect.strategy === "ff-only" && effect.onto !== "main") return { how: "diverged" };
        const meets = (with_: string) =>
          this.rules.conflicts?.some((pair) => pair.includes(effect.branch) && pair.includes(with_)) === true;
        const parts = this.partsOf(effect.onto);
        const files = [{ path: "shared.ts", line: 3, lines: ["<<<"] }];
        if (meets("main") || parts.some(meets)) {
          const withTarget = meets("main") || this.partsOf(effect.base).some(meets);
          return { how: "conflict", files, withTarget };
        }
        const to = `${effect.onto}+${effect.branch}`;
        return { how: "staged", to, tree: `tree of ${to}`, files: ["shared.ts"] };
      }
      case "train.test":
        if (!this.tested.has(effect.commit) || effect.again) this.runs++;
        if (effect.again) this.again.add(effect.commit);
        this.tested.add(effect.commit);
        return { check: effect.commit, cached: false };
      case "target.move": {
        if (this.rules.dirty !== undefined) return { how: "refused", because: this.rules.dirty };
        if (this.main !== effect.from) return { how: "moved-by-another" };
        this.main = effect.to;
        this.points.push(effect.to);
        return { how: "moved" };
      }
    }
  }
}

const land = (rules: Rules, ...branches: string[]) => new World(rules).ask(...branches).run();
const ALL = ["a", "b", "c", "d", "e"];

describe("a landing", () => {
  it("of green branches takes one run of the gates besides the base's, and one landing point", () => {
    const world = land({}, ...ALL);
    expect([world.main, world.points.length, world.runs, world.state.runs]).toEqual(["main+a+b+c+d+e", 1, 2, 2]);
    expect(world.of("landed")).toEqual(ALL);
    expect(world.state.landed.map(({ branch, to, point }) => [branch, to, point])[1]).toEqual([
      "b",
      "main+a+b",
      "main+a+b+c+d+e",
    ]);
    expect(world.says.filter((each) => each.includes("agent.advanced-main"))).toHaveLength(5);
    expect(world.says.at(-1)).toContain("landed on main: a, b, c, d, e; 2 runs of the gates");
    expect(world.state.since).toBe(null);
  });

  it("lands one by one where the batch is one", () => {
    expect(land({ batch: 1 }, "a", "b").points).toEqual(["main+a", "main+a+b"]);
  });

  it("sends back only the branch that turns the train red, naming what it meets; the others land", () => {
    const world = land({ poison: [["b", "d"]] }, ...ALL);
    expect([world.main, world.of("bounced")]).toEqual(["main+a+b+c+e", ["d"]]);
    expect(world.because("d")).toBe("it works fails (tested on top of a, b, c)");
    expect(world.says.find((each) => each.includes("agent.feedback"))).toMatch(
      /"agent_id":"d".*\[regression\] it works fails \(tested on top of a, b, c\)/,
    );
  });

  it("sends back one that is red by itself, without naming others", () => {
    const world = land({ poison: [["a"]] }, "a", "b");
    expect([world.main, world.because("a")]).toEqual(["main+b", "it works fails"]);
  });

  it("sends back what does not apply, with whom it conflicts", () => {
    const world = land({ conflicts: [["a", "c"]] }, "a", "b", "c");
    expect([world.main, world.of("bounced")]).toEqual(["main+a+b", ["c"]]);
    expect(world.state.queue[2]?.findings[0]).toMatchObject({ kind: "conflict", file: "shared.ts", line: 3 });
    expect(world.because("c")).toMatch(/^it conflicts with a in shared\.ts$/);
    expect(land({ conflicts: [["c", "main"]] }, "c").because("c")).toBe("it conflicts with main in shared.ts");
    const spared = land({ conflicts: [["b", "a"]], poison: [["a"]] }, "a", "b");
    expect([spared.main, spared.of("bounced"), spared.of("landed")]).toEqual(["main+b", ["a"], ["b"]]);
  });

  it("lands nothing before what it needs, and nothing that needs what does not land", () => {
    const world = land({ needs: { a: ["c"], b: ["a"] }, poison: [["c"]] }, "a", "b", "c", "d");
    expect([world.main, world.of("bounced"), world.of("skipped")]).toEqual(["main+d", ["c"], ["a", "b"]]);
    expect([world.because("a"), world.because("b")]).toEqual(["needs c, which bounced", "needs a, which was skipped"]);
    expect(land({ needs: { a: ["b"] } }, "a", "b").main).toBe("main+b+a");
  });

  it("runs a red one again, and lands it where it is green then, saying that it is flaky", () => {
    const world = land({ flaky: ["b"] }, "a", "b");
    expect([world.of("landed"), world.state.queue.filter(({ flaky }) => flaky).map(({ branch }) => branch)]).toEqual([
      ["a", "b"],
      ["b"],
    ]);
  });

  it("does not land a branch that changes what decides over it, until a person accepts", () => {
    const world = land({ cheats: ["b"] }, "a", "b");
    expect([world.main, world.of("waiting")]).toEqual(["main+a", ["b"]]);
    world.answer("accept").run();
    expect([world.main, world.of("landed")]).toEqual(["main+a+b", ["a", "b"]]);
    const other = land({ cheats: ["b"] }, "a", "b");
    other.answer("no").run();
    expect([other.main, other.of("bounced"), other.because("b")]).toEqual(["main+a", ["b"], "a person has refused it"]);
    const told = land({ cheats: ["b"] }, "a", "b")
      .answer("refuse keep the test")
      .run();
    expect(told.because("b")).toBe("a person has refused it: keep the test");
    expect(told.says.join()).toContain("a person has refused this: keep the test");
  });

  it("lands what a person has accepted by itself, so that nothing else is accepted with it", () => {
    const world = land({ cheats: ["b"] }, "a", "b").answer("accept");
    world.ask("c", "d").run();
    expect([world.main, world.points.length]).toEqual(["main+a+b+c+d", 3]);
  });

  it("keeps what waits for a person while other branches land", () => {
    const world = land({ cheats: ["b"] }, "b");
    world.ask("a").run();
    expect([world.main, world.of("waiting"), world.of("landed")]).toEqual(["main+a", ["b"], ["a"]]);
    world.answer("accept").run();
    expect(world.main).toBe("main+a+b");
  });

  it("asks once about a cycle, lands the rest, and does as it is told", () => {
    const needs = { a: ["b"], b: ["a"], c: ["a"] };
    const world = land({ needs }, "a", "b", "c", "d");
    expect([world.main, world.of("waiting"), world.questions.size]).toEqual(["main+d", ["a", "b", "c"], 1]);
    world.answer("first b").run();
    world.ask("a", "b", "c").run();
    expect([world.main, world.questions.size]).toEqual(["main+d+b+a+c", 1]);
    const together = land({ needs }, "a", "b", "c");
    together.answer("together").run();
    together.ask("a", "b", "c").run();
    expect(together.points).toEqual(["main+a+b+c"]);
  });

  it("sends a group back as a whole", () => {
    const world = land({ needs: { a: ["b"], b: ["a"] }, poison: [["b", "c"]] }, "c", "a", "b");
    world.answer("together").run();
    world.ask("c", "a", "b").run();
    expect([world.main, world.of("bounced").sort()]).toEqual(["main+c", ["a", "b"]]);
  });

  it("takes only what contains the target where it is ff-only, and asks the others to rebase", () => {
    const world = land({ strategy: "ff-only" }, "a", "b");
    expect([world.main, world.of("landed"), world.of("skipped")]).toEqual(["main+a", ["a"], ["b"]]);
    expect(world.says.join()).toMatch(/\[regression\] does not contain main as it is now.*Rebase onto main and commit/);
  });

  it("says of a branch that is there already that it has landed, and moves nothing", () => {
    const world = land({ contained: ["a"] }, "a");
    expect([world.main, world.of("landed"), world.because("a")]).toEqual([
      "main",
      ["a"],
      "everything in it is there already",
    ]);
  });

  it("waits, and blames nobody, where gates cannot be run or the checkout is in the way", () => {
    expect(land({ waits: "test_command was not found" }, "a", "b").because("b")).toBe("test_command was not found");
    const world = land({ dirty: "README is not committed" }, "a");
    expect([world.main, world.of("waiting"), world.because("a")]).toEqual(["main", ["a"], "README is not committed"]);
  });

  it("lands the others where one branch cannot be looked at, put together or laid out", () => {
    const failure = { kind: "land.too-many", commits: 3_000, most: 2_000 } as const;
    for (const at of ["branch.inspect", "branch.replay"] as const) {
      const world = land({ fails: { branch: "b", at, failure } }, "a", "b", "c");
      expect([world.main, world.of("waiting"), world.because("b")]).toEqual([
        "main+a+c",
        ["b"],
        expect.stringContaining("3000 commits"),
      ]);
    }
    const unlaid = land({ unlaid: "b" }, "a", "b", "c");
    expect([unlaid.main, unlaid.of("waiting"), unlaid.because("b")]).toEqual([
      "main+a+c",
      ["b"],
      "its submodule is not here",
    ]);
    const full = land(
      { fails: { branch: "b", at: "branch.replay", failure: { kind: "disk.full", path: "/" } } },
      "a",
      "b",
    );
    expect([full.main, full.of("waiting")]).toEqual(["main", ["a", "b"]]);
  });

  it("on a red target lands only what is wholly green on top of it", () => {
    const world = new World({ poison: [[]] }).ask("a");
    expect([world.run().main, world.of("waiting"), world.because("a")]).toEqual([
      "main",
      ["a"],
      "main itself fails, and this does not mend it",
    ]);
  });

  it("on a red target tries the others again once what mends it has landed", () => {
    for (const saysSo of [false, true]) {
      const world = land({ cure: "c", saysSo }, "a", "b", "c");
      expect([world.main, world.of("landed")]).toEqual(["main+c+a+b", ["a", "b", "c"]]);
      expect(world.points[0]).toBe("main+c");
    }
    expect(land({ cure: "c", saysSo: true }, "a").because("a")).toBe("the base itself fails: it works");
  });

  it("starts over when somebody else moves the target, and loses nothing of theirs", () => {
    const world = new World({});
    world.ask("a", "b").run((effect, n) => {
      if (effect.type === "target.move" && n < 9) world.main = "main+pushed";
    });
    expect([world.main, world.of("landed")]).toEqual(["main+pushed+a+b", ["a", "b"]]);
  });

  const ready = (mode: Ready["mode"], everyone: boolean): Ready => ({
    mode,
    target: "main" as Branch,
    strategy: "train",
    branches: [{ branch: "a", agent: "a" as AgentId, tip: "tip-a" as Commit }],
    everyone,
  });

  it("lands verified work by itself where that is wanted", () => {
    const world = new World({});
    world.ready = ready("auto", false);
    world.run((effect) => {
      if (effect.type === "target.move") world.ready = null;
    });
    expect(world.main).toBe("main+a");
  });

  it("asks once, when all agents are verified, and lands on the word of a person", () => {
    const world = new World({});
    world.ready = ready("manual", false);
    expect([world.run().questions.size, world.main]).toEqual([0, "main"]);
    world.ready = ready("manual", true);
    expect([world.run().questions.size, world.run().questions.size, world.main]).toEqual([1, 1, "main"]);
    world.answer("not now").run();
    expect([world.main, world.questions.size]).toEqual(["main", 1]);
    const other = new World({});
    other.ready = ready("manual", true);
    other.run().answer("land").run();
    expect(other.main).toBe("main+a");
  });

  it("takes its question back once what it is about was asked for by other means", () => {
    const world = new World({});
    world.ready = ready("manual", true);
    world.run().ask("a");
    world.ready = { ...ready("manual", true), branches: [] };
    world.run();
    expect([world.main, world.questions.get(1)?.closed?.how]).toEqual(["main+a", "withdrawn"]);
  });

  it("does not say of a branch that was taken back that it has landed again", () => {
    const world = land({}, "a").ask("undo of a").run();
    expect(world.ask("a").run().of("landed")).toEqual([]);
    expect(world.because("a")).toBe(
      "main+a+undo  has taken it back, and nothing is new in it. To have it again, revert main+a+undo  on a branch, and land that",
    );
    expect([world.main, world.of("skipped")]).toEqual(["main+a+undo of a", ["a"]]);
    expect(land({}, "a").ask("a").run().of("landed")).toEqual(["a"]);
  });

  it("takes in what is asked for while it runs", () => {
    const world = new World({});
    world.ask("a").run((effect) => {
      if (effect.type === "train.test" && effect.commit === "main+a") world.ask("b");
    });
    expect([world.main, world.points]).toEqual(["main+a+b", ["main+a", "main+a+b"]]);
  });

  const name = fc.constantFrom(...ALL);
  it("never puts main on a tree that was not tested green, nor a branch before what it needs, whatever happens", () => {
    fc.assert(
      fc.property(
        fc.record({
          needs: fc.dictionary(name, fc.array(name, { maxLength: 2 })),
          poison: fc.array(fc.uniqueArray(name, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
          conflicts: fc.array(fc.tuple(name, name), { maxLength: 2 }),
          cheats: fc.array(name, { maxLength: 1 }),
          flaky: fc.array(name, { maxLength: 1 }),
          batch: fc.integer({ min: 1, max: 6 }),
          jobs: fc.integer({ min: 1, max: 4 }),
        }),
        fc.integer({ min: 0, max: 30 }),
        (rules, pushAt) => {
          const world = new World(rules as Rules).ask(...ALL);
          world.run((_, n) => {
            if (n === pushAt) world.main = `${world.main}+pushed`;
          });
          for (const point of world.points) {
            expect(world.tested.has(point)).toBe(true);
            const parts = point.split("+").slice(1);
            for (const poison of rules.poison) expect(poison.every((each) => parts.includes(each))).toBe(false);
            for (const [i, part] of parts.entries())
              for (const need of rules.needs[part] ?? []) if (need !== part) expect(parts.slice(0, i)).toContain(need);
          }
          expect(world.state.queue.every(({ state }) => state !== "queued" && state !== "staged")).toBe(true);
          expect(world.state.since).toBe(null);
          if (pushAt > 0 && world.main.includes("pushed")) expect(world.main.split("pushed")).toHaveLength(2);
        },
      ),
      { numRuns: Number(process.env.LANDINGS ?? 400) },
    );
  });
});
