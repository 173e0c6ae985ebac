import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { epicText } from "../../../../test/epics/arbitrary.ts";
import { draw, read } from "../../../../test/epics/sketch.ts";
import { Crash, World } from "../../../../test/epics/world.ts";
import { renderEpic } from "../file/render.ts";
import type { RoleRequest } from "./decided.ts";

const RUNS = { numRuns: Number(process.env.EPICS ?? 30), ...(process.env.EPICS === undefined && { seed: 1 }) };
// A long run takes as long as it takes.
vi.setConfig({ testTimeout: 20_000 + 20 * RUNS.numRuns });
const SIX =
  "t-1 queued; t-2 queued depends=t-1; t-3 queued depends=t-1; t-4 queued depends=t-2,t-3; t-5 queued; t-6 queued depends=t-5";

/** Tosses that come out the same for the same seed, `often` of ten in favour. */
const tosses = (seed: number, often: number) => {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % 10 < often;
  };
};

describe("whole epics", () => {
  it("six items come to their review surface, one of them after a fix", () => {
    let failures = 1;
    const world = new World(
      draw({ items: SIX }),
      (what) => what !== "retry" && !(what === "pass t-2" && failures-- > 0),
    );
    world.run(60);
    const epic = read(world.text);
    expect(epic.status).toBe("ready_for_user_review");
    expect(epic.items.map(({ id, status }) => `${id} ${status}`)).toEqual(
      ["t-1", "t-2", "t-3", "t-4", "t-5", "t-6", "t-2-fix1"].map((id) => `${id} ready_for_user_review`),
    );
    expect(world.dispatched.size).toBe(7);
    expect([...world.notices.values()]).toEqual([1]);
  });

  it("decomposed, approved and done, without a reset in between", () => {
    const world = new World(draw({ items: "", status: "inbox" }), (what) => what !== "retry");
    world.run(60);
    expect(statuses(world.text)).toEqual(["review", "t-1 ready", "t-2 ready"]);
    world.text = world.text.replace("status: review", "status: queued");
    world.run(60);
    const { status, epoch, memory } = read(world.text);
    expect([status, epoch, memory.map((row) => row.class)]).toEqual([
      "ready_for_user_review",
      1,
      ["plan_review", "dispatch_ok", "verify_pass", "dispatch_ok", "verify_pass", "finished"],
    ]);
  });

  it("ends or halts, however the roles and workers fare", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 10 }), fc.boolean(), (seed, often, empty) => {
        const world = new World(draw({ items: empty ? "" : SIX }), tosses(seed, often));
        expect(world.run(400)?.next).toBe("noop");
        const { status, items } = read(world.text);
        expect(["review", "blocked", "ready_for_user_review"]).toContain(status);
        if (status === "ready_for_user_review")
          expect(items.every((item) => item.status === "ready_for_user_review")).toBe(true);
      }),
      RUNS,
    );
  });

  it("ends, halts or asks from wherever a person or a crash left it", () => {
    fc.assert(
      fc.property(epicText, fc.integer(), fc.integer({ min: 0, max: 10 }), (text, seed, often) => {
        const world = new World(text, tosses(seed, often));
        expect(world.run(400)?.next).toBe("noop");
        const { status, decisions, items } = read(world.text);
        const open = decisions.some(({ answer }) => answer === "");
        const out = items.some((item) => item.status === "in_progress" && item.pending === null && item.surface === "");
        expect(open || out || !["inbox", "ready", "queued", "in_progress"].includes(status)).toBe(true);
      }),
      RUNS,
    );
  });

  it("comes to rest, whatever the roles are up to and a person answers", () => {
    fc.assert(
      fc.property(epicText, fc.integer(), (text, seed) => {
        const world = new Mischief(text, tosses(seed, 8), dice(seed));
        for (let i = 0; i < 20; i++) {
          expect(world.run(400)?.next).toBe("noop");
          const [open] = read(world.text).decisions.filter(({ answer }) => answer === "");
          if (open === undefined) break;
          world.text = answered(world.text, open.id, "leave it");
        }
      }),
      RUNS,
    );
  });

  it("a person who queues it again gets it moving, until it halts again or ends", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 8 }), (seed, often) => {
        const world = new World(draw({ items: SIX }), tosses(seed, often));
        for (let i = 0; i < 4 && read(world.text).status !== "ready_for_user_review"; i++) {
          const before = world.ticks;
          expect(world.run(400)?.next).toBe("noop");
          world.text = world.text.replace(/^status: (review|blocked)$/m, "status: queued");
          expect(world.ticks).toBeGreaterThan(before);
        }
      }),
      RUNS,
    );
  });

  it.each(["before", "after"] as const)(
    "a power cut %s any effect sends nobody twice, and the epic ends as it would have",
    (when) => {
      const lucky = () => new World(draw({ items: SIX }), (what) => what !== "retry");
      const whole = lucky();
      whole.run(60);
      for (let at = 0; ; at++) {
        const world = lucky();
        world.cut = { at, when };
        try {
          world.run(60);
          break;
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
        }
        world.cut = null;
        world.run(60);
        expect([at, [...world.dispatched.values()].every((times) => times === 1), world.dispatched.size]).toEqual([
          at,
          true,
          6,
        ]);
        expect([at, statuses(world.text)]).toEqual([at, statuses(whole.text)]);
      }
    },
  );
});

/** Roles whose answers are well-formed, and have no end in mind. */
class Mischief extends World {
  private readonly habit: (typeof HABITS)[number];

  constructor(
    text: string,
    luck: (what: string) => boolean,
    private readonly pick: <Each>(from: readonly Each[]) => Each,
  ) {
    super(text, luck);
    this.habit = pick(HABITS);
  }

  protected override answer({ role, brief }: RoleRequest): string {
    const { id, items } = read(this.text);
    const [one, worker] = [this.pick([id, ...items.map((item) => item.id)]), this.pick(["claude", "codex", "gemini"])];
    if (role === "critic") return JSON.stringify({ verdict: this.pick(CRITIC), reason: "r" });
    if (role === "verifier") return JSON.stringify({ verdict: this.pick(["PASS", "FAIL", "REVISE"]), reason: "red" });
    if (brief.role === "decompose") return JSON.stringify({ action: "decompose", items: [{ title: "One" }] });
    const about = "context" in brief ? (brief.context ?? "").split(":")[0] : one;
    const says = {
      dispatch: { action: "dispatch", task_id: about, worker },
      "fix it": { action: "file_fix_task", parent: about, title: "More", body: "Find the cause." },
      "fix all": { action: "file_fix_task", parent: id, title: "More", body: "Find the cause." },
    };
    return JSON.stringify(says[this.habit]);
  }
}

const HABITS = ["dispatch", "fix it", "fix all"] as const;
const CRITIC = ["SAFE_TO_DISPATCH", "NEEDS_REFINEMENT"];

const dice = (seed: number) => {
  const toss = tosses(seed, 5);
  return <Each>(from: readonly Each[]): Each => {
    const at = [1, 2, 4, 8].reduce((sum, each) => sum + (toss() ? each : 0), 0) % from.length;
    return from[at] as Each;
  };
};

const answered = (text: string, id: string, answer: string): string => {
  const epic = read(text);
  return renderEpic({
    ...epic,
    decisions: epic.decisions.map((each) => (each.id === id ? { ...each, answer } : each)),
  });
};

const statuses = (text: string): string[] => [
  read(text).status,
  ...read(text).items.map(({ id, status }) => `${id} ${status}`),
];
