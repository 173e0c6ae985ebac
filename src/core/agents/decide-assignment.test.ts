import { describe, expect, it } from "vitest";
import type { Exit } from "../clis/events.ts";
import { freshCursor, type Told } from "../messages/cursors.ts";
import { phase } from "../messages/phase.ts";
import { answered, type Question } from "../messages/questions.ts";
import { newcomer, type RosterEntry } from "../messages/roster.ts";
import type { Change } from "../record/changes.ts";
import type { AnyOutcome, EffectId } from "../record/effects.ts";
import type { AgentId, Branch, Commit, Instant, RunId } from "../text/ids.ts";
import { type Assignment, plannedAssignment } from "./assignment.ts";
import { decideAssignment } from "./decide-assignment.ts";
import type { AssignmentEffect, AssignmentSettled, LaunchOrder } from "./effects.ts";
import type { AssignmentFacts } from "./facts.ts";
import { type AssignmentEvent, reduceAssignment } from "./reduce-assignment.ts";
import { stillWanted } from "./still-wanted.ts";

const PLAN = {
  agent: "feat-a" as AgentId,
  position: 0,
  branch: "feat/a" as Branch,
  cli: { name: "scripted", argv: ["x"], protocol: "events" as const, env: [], resumeArgs: [] },
  session: "bm-x-1234",
  worktree: "/w",
  from: "c0" as Commit,
  ours: { branch: true, worktree: true },
  setUp: { copy: [], symlink: [], command: null, timeoutSeconds: 1, rebase: null },
  terminal: false,
  brief: "do it",
  port: null,
  log: "/l",
};
const OK: AnyOutcome = { ok: true };

/** A world of one agent: performs effects as the engine would, and can be told to fail, crash or forget. */
class World {
  run: Assignment | null = plannedAssignment(PLAN);
  worktree: AssignmentFacts["worktree"] = "absent";
  branch = false;
  alive: RunId | null = null;
  exit: Exit | null = null;
  events: AssignmentFacts["events"] = [];
  questions: Question[] = [];
  cursor = freshCursor(PLAN.agent);
  newest = 0;
  resting = false;
  at: AssignmentFacts["at"] = null;
  asked: Question[] = [];
  allowed: string[] = [];
  launchTells: Told | null = null;
  /** What a launch gives besides. */
  launchGives: { readonly opening?: string; readonly begins?: string } = {};
  typed: "submitted" | "waits" | null = null;
  needsPerson: AssignmentFacts["needsPerson"] = null;
  roster: RosterEntry = newcomer(PLAN.agent, 0 as Instant, 0);
  performed: string[] = [];
  pending: AssignmentEffect[] = [];
  settled: AssignmentSettled[] = [];
  fails: Partial<Record<AssignmentEffect["type"], AnyOutcome>> = {};
  private clock = 1000;

  /** Turns until nothing more is asked for. Returns what was performed. */
  settle(most = 20): string[] {
    const from = this.performed.length;
    for (let turn = 0; turn < most; turn++) if (!this.turn()) return this.performed.slice(from);
    throw new Error(`still busy after ${most} turns: ${this.performed.join(" ")}`);
  }

  send(event: AssignmentEvent): void {
    this.run = reduceAssignment(this.run, event);
  }

  turn(): boolean {
    this.settled = this.pending.map(
      (effect, i) => ({ id: i as EffectId, effect, outcome: this.perform(effect) }) as AssignmentSettled,
    );
    this.pending = [];
    if (this.run === null) return false;
    const step = decideAssignment(this.run, this.facts());
    for (const event of step.events) this.send(event);
    for (const change of step.changes ?? []) this.apply(change);
    this.events = [];
    this.exit = null;
    this.pending = [...step.effects];
    return step.effects.length > 0;
  }

  facts(): AssignmentFacts {
    const { worktree, alive, exit, events, settled, questions, cursor, newest, needsPerson, roster } = this;
    const nextQuestion = Math.max(0, ...questions.map(({ number }) => number)) + 1;
    return {
      now: ++this.clock as Instant,
      worktree,
      alive,
      exit,
      events,
      settled,
      questions,
      asked: this.asked,
      head: 0,
      signed: false,
      nextQuestion,
      allowed: this.allowed,
      cursor,
      newest,
      listens: true,
      at: this.at,
      resting: this.resting,
      needsPerson,
      roster,
    };
  }

  /** The supervisor dies: its child with it, and everything it had only in memory. */
  crash(): void {
    this.alive = null;
    this.exit = null;
    this.events = [];
    this.settled = [];
  }

  private perform(effect: AssignmentEffect): AnyOutcome {
    this.performed.push(effect.type);
    const failure = this.fails[effect.type];
    if (failure !== undefined) return failure;
    if (effect.type === "worktree.add") [this.worktree, this.branch] = ["empty", true];
    if (effect.type === "worktree.fill") this.worktree = "filled";
    if (effect.type === "worktree.mend") {
      this.worktree = effect.used ? "filled" : "empty";
      return { ok: true, warnings: this.worktree === "filled" ? ["mended"] : [] };
    }
    if (effect.type === "agent.launch") this.alive = effect.run;
    if (effect.type === "agent.end") this.alive = null;
    if (effect.type === "agent.dismiss") {
      this.alive = null;
      this.exit = { ...exit(null, { how: "ok", message: "all done" }, "SIGTERM"), dismissed: true };
      this.resting = false;
    }
    if (effect.type === "agent.tell") this.resting = false;
    if (effect.type === "work.save")
      return {
        ok: true,
        saved: { ref: effect.ref, tip: "c1" as Commit, head: "c1" as Commit, tree: "t", files: 1, commits: 1 },
      };
    if (effect.type === "worktree.remove" || effect.type === "worktree.undo") this.worktree = "absent";
    if (effect.type === "branch.delete" || effect.type === "worktree.undo") this.branch = false;
    if (effect.type === "agent.launch")
      return { ok: true, ...this.launchGives, ...(this.launchTells !== null && { told: this.launchTells }) };
    if (effect.type === "agent.brief" && this.typed !== null) return { ok: true, typed: this.typed };
    if (effect.type === "agent.tell") return { ok: true, told: { seq: this.newest, nothingElse: true } };
    return effect.type === "worktree.set-up" ? { ok: true, warnings: [] } : OK;
  }

  private apply(change: Change): void {
    if (change.row === "roster" && "put" in change) this.roster = change.put;
    if (change.row === "cursor" && "put" in change) this.cursor = change.put;
    if (change.row === "question")
      this.questions = [...this.questions.filter(({ number }) => number !== change.put.number), change.put];
  }
}

const up = () => {
  const world = new World();
  world.settle();
  return world;
};
const exit = (code: number | null, end: Exit["end"] = null, signal: string | null = null): Exit => ({
  at: 5 as Instant,
  code,
  signal,
  end,
  announces: true,
  lastLine: "last",
});
const START = ["worktree.add", "worktree.fill", "worktree.set-up", "agent.launch"];

describe("a worktree that is broken", () => {
  it("is mended before anything else, and filled again where nobody had worked", () => {
    const world = new World();
    world.worktree = "broken";
    expect(world.settle()).toEqual(["worktree.mend", "worktree.fill", "worktree.set-up", "agent.launch"]);
  });
  it("is mended and not filled where somebody had worked, with a warning", () => {
    const world = up();
    world.crash();
    world.worktree = "broken";
    expect(world.settle()).toEqual(["worktree.mend", "agent.launch"]);
    expect(world.run?.startWarnings).toEqual(["mended"]);
  });
  it("is mended also of an agent that has ended, which stays as it was", () => {
    const world = up();
    world.alive = null;
    world.exit = exit(0, { how: "ok", message: "all done" });
    world.settle();
    world.worktree = "broken";
    expect([world.settle(), world.roster.state]).toEqual([["worktree.mend"], "done"]);
  });
  it("that cannot be mended is tried once, and says why", () => {
    const world = new World();
    world.worktree = "broken";
    world.fails = { "worktree.mend": { ok: false, failure: { kind: "worktree.damaged", path: "/w", what: "x" } } };
    expect([world.settle(), world.settle()]).toEqual([["worktree.mend"], []]);
    expect([world.roster.state, world.run?.ended?.failure?.kind]).toEqual(["failed", "worktree.damaged"]);
  });
  it("is left alone while a program lives in it", () => {
    const world = up();
    world.worktree = "broken";
    expect(world.settle()).toEqual([]);
  });
});

describe("a worktree whose supervisor did not end by itself", () => {
  it("is looked at before its agent is launched again", () => {
    const world = up();
    world.crash();
    world.send({ type: "worktree.doubted" });
    expect(world.settle()).toEqual(["worktree.mend", "agent.launch"]);
    expect(world.run?.unchecked).toBe(false);
  });
  it("is beyond doubt where its agent lives, or where nothing is checked out yet", () => {
    const alive = up();
    alive.send({ type: "worktree.doubted" });
    expect([alive.settle(), alive.run?.unchecked]).toEqual([[], false]);
    const fresh = new World();
    fresh.send({ type: "worktree.doubted" });
    expect([fresh.settle(), fresh.run?.unchecked]).toEqual([START, false]);
  });
  it("lets nothing that was recorded before build on it", () => {
    const { run } = up();
    if (run === null) throw new Error("no run");
    const launch = { type: "agent.launch", agent: run.agent, run: "r" as RunId, order: {} as LaunchOrder } as const;
    expect([stillWanted(launch, run), stillWanted(launch, { ...run, unchecked: true })]).toEqual([true, false]);
  });
});

describe("coming up", () => {
  it("makes what is missing, in order, once", () => {
    const world = new World();
    expect(world.settle()).toEqual(START);
    expect(world.settle()).toEqual([]);
    expect(world.run?.live).toBe(world.alive);
  });
  it("uses a worktree that is there", () => {
    const world = new World();
    world.worktree = "filled";
    expect(world.settle()).toEqual(["worktree.set-up", "agent.launch"]);
  });
  it("reaches the same end after a crash before or after any effect, performing it again", () => {
    for (let k = 0; k <= START.length; k++) {
      for (const moment of ["before", "after"] as const) {
        const world = new World();
        for (let i = 0; i < k; i++) world.turn();
        if (moment === "before") world.crash();
        else {
          // Performed, not yet recorded as such: the effect stays pending in the journal.
          const recorded = [...world.pending];
          for (const effect of recorded)
            (world as unknown as { perform(effect: AssignmentEffect): void }).perform(effect);
          world.crash();
        }
        world.settle();
        expect([k, moment, world.worktree, world.alive === world.run?.live, world.alive !== null]).toEqual([
          k,
          moment,
          "filled",
          true,
          true,
        ]);
      }
    }
  });
});

describe("what goes wrong", () => {
  const failure: AnyOutcome = { ok: false, failure: { kind: "disk.full", path: "/" } };
  it("takes back what a failed checkout half made, and says why", () => {
    const world = new World();
    world.fails = { "worktree.fill": failure };
    expect(world.settle()).toEqual(["worktree.add", "worktree.fill", "worktree.undo"]);
    expect([world.worktree, world.branch, world.roster.state]).toEqual(["absent", false, "failed"]);
    expect(world.roster.evidence).toMatch(/full/);
  });
  it("says of a failed one why it failed also while that is taken back", () => {
    const world = new World();
    world.fails = { "worktree.fill": failure };
    while (world.pending[0]?.type !== "worktree.undo") world.turn();
    expect(world.roster).toMatchObject({ state: "failed", evidence: expect.stringMatching(/full/), phase: null });
  });
  it("does not touch a worktree that was there before", () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, from: null, ours: { branch: false, worktree: false } });
    world.fails = { "worktree.add": failure };
    expect(world.settle()).toEqual(["worktree.add"]);
  });
  it("tries again when asked to start again", () => {
    const world = new World();
    world.fails = { "worktree.fill": failure };
    world.settle();
    world.fails = {};
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual(START);
  });
  it("gives up on an effect that reports success and changes nothing", () => {
    const world = new World();
    world.fails = { "worktree.add": OK };
    world.settle();
    expect(world.roster.evidence).toMatch(/had no effect/);
  });
});

describe("the end of a process", () => {
  const endedWith = (ended: Exit) => {
    const world = up();
    world.alive = null;
    world.exit = ended;
    world.settle();
    return world;
  };
  it("is success when it announced so", () =>
    expect(endedWith(exit(0, { how: "ok", message: "fine" })).roster.state).toBe("done"));
  it("is failure without an announced end, whatever the code", () => {
    const { roster } = endedWith(exit(0));
    expect([roster.state, roster.evidence]).toEqual(["failed", "exit code 0 without saying that it was done: last"]);
  });
  it("is failure when it announced one, even with code 0", () =>
    expect(endedWith(exit(0, { how: "error", message: "model said no" })).roster).toMatchObject({
      state: "failed",
      evidence: "model said no",
    }));
  it("is failure by a signal", () =>
    expect(endedWith(exit(null, null, "SIGSEGV")).roster.evidence).toBe("killed by SIGSEGV: last"));
  it("does not launch it again by itself", () => {
    const world = endedWith(exit(1));
    expect(world.settle()).toEqual([]);
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual(["agent.launch"]);
  });
  it("leaves a finished one finished when the session is started again", () => {
    const world = endedWith(exit(0, { how: "ok", message: "" }));
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual([]);
  });
  it("closes its door: token gone, open permissions withdrawn", () => {
    const world = up();
    world.events = [{ type: "permission", request: "r1", text: "may I?", command: "ls" }];
    world.settle();
    world.alive = null;
    world.exit = exit(1);
    const step = decideAssignment(world.run as Assignment, world.facts());
    expect(step.changes?.filter(({ row }) => row === "token").length).toBe(1);
    expect(step.changes?.flatMap((change) => (change.row === "question" ? [change.put.closed?.how] : []))).toEqual([
      "withdrawn",
    ]);
  });
});

describe("a supervisor that died", () => {
  it("relaunches with the CLI's own conversation", () => {
    const world = up();
    world.events = [{ type: "session", id: "conv-1" }];
    world.settle();
    const first = world.run?.live;
    world.crash();
    world.turn();
    expect(world.pending).toMatchObject([{ type: "agent.launch", order: { conversation: "conv-1" } }]);
    world.settle();
    expect(world.run?.live).not.toBe(first);
  });
  it("does not relaunch what is to be down", () => {
    const world = up();
    world.run = { ...(world.run as Assignment), wanted: "down" };
    world.crash();
    expect(world.settle()).toEqual([]);
    expect([world.run?.live, world.roster.state]).toEqual([null, "stopped"]);
  });
});

it("is not said to get its brief any more once it has it, though it has spoken meanwhile", () => {
  const world = up();
  world.roster = { ...world.roster, state: "blocked", phase: phase("agent.brief") };
  world.settle();
  expect([world.roster.state, world.roster.phase]).toEqual(["blocked", null]);
});

describe("an agent that stands where only a person can answer", () => {
  const standing = () => {
    const world = up();
    world.needsPerson = { at: "trust", text: "claude asks whether to trust this folder" };
    world.settle();
    return world;
  };
  it("waits, and says at what", () => {
    const { state, phase, evidence } = standing().roster;
    expect([state, phase?.code, evidence]).toEqual(["waiting", "trust", "claude asks whether to trust this folder"]);
  });
  it("goes on when that is over: to its brief, or to its work", () => {
    const world = standing();
    world.needsPerson = null;
    world.settle();
    expect([world.roster.state, world.roster.phase?.text]).toEqual(["starting", "waiting for its prompt"]);
    const later = standing();
    if (later.run !== null) later.run = { ...later.run, briefed: later.run.live };
    later.needsPerson = null;
    later.settle();
    expect([later.roster.state, later.roster.evidence]).toEqual(["working", "answered in its pane"]);
  });
});

describe("permissions", () => {
  const ownCommand = {
    type: "permission",
    request: "r9",
    text: "x",
    command: "banksman say status 'at work'",
  } as const;

  it("to speak to the supervisor are given by a rule, recorded with it, and put to nobody", () => {
    const world = up();
    world.events = [ownCommand];
    world.turn();
    expect(world.pending).toMatchObject([
      { type: "agent.answer", request: "r9", answer: "allow", rule: "own-command" },
    ]);
    world.settle();
    expect([world.questions, world.roster.state]).toEqual([[], "starting"]);
  });

  it.each(["banksman say x; rm -rf .", "banksman say $(cat key)", "banksmans say x"])(
    "that only look like that are a person's: %s",
    (command) => {
      const world = up();
      world.events = [{ ...ownCommand, command }];
      world.settle();
      expect(world.questions.map((each) => [each.command, each.closed])).toEqual([[command, null]]);
    },
  );

  it("shown on a screen are a person's, whatever they are for", () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, terminal: true });
    world.settle();
    world.events = [ownCommand];
    world.settle();
    expect(world.questions.map(({ closed }) => closed)).toEqual([null]);
  });

  it("are withdrawn when they are over on the screen, answered or not, as long as no key was pressed for them", () => {
    const world = up();
    world.fails["agent.answer"] = { ok: false, failure: { kind: "agent.not-running", agent: "a" } };
    world.events = [{ type: "permission", request: "r1", text: "may I?", command: "ls" }];
    world.settle();
    world.questions = world.questions.map((each) => answered(each, "allow", PLAN.agent, 1 as Instant));
    world.turn();
    world.turn();
    expect(world.performed.at(-1)).toBe("agent.answer");
    world.events = [{ type: "permission.over", request: "r1" }];
    world.turn();
    expect(world.questions.map(({ closed }) => closed?.how)).toEqual(["withdrawn"]);
  });
  const asking = () => {
    const world = up();
    world.events = [{ type: "permission", request: "r1", text: "may I?", command: "ls" }];
    world.settle();
    return world;
  };
  it("become open questions, and the agent waits", () => {
    const world = asking();
    expect(world.questions).toMatchObject([
      { kind: "approval", command: "ls", options: ["allow", "deny"], request: "r1", closed: null },
    ]);
    expect(world.roster.state).toBe("waiting");
  });
  it("are handed over once when answered", () => {
    const world = asking();
    world.questions = world.questions.map((each) => answered(each, "allow", "operator" as AgentId, 9 as Instant));
    expect(world.settle()).toEqual(["agent.answer"]);
    expect(world.settle()).toEqual([]);
    expect(world.roster.state).toBe("working");
  });
  it("get numbers of their own when several come at once", () => {
    const world = up();
    world.events = ["r1", "r2"].map((request) => ({ type: "permission", request, text: "?", command: null }));
    world.settle();
    expect(world.questions.map(({ number }) => number)).toEqual([1, 2]);
  });
  it("that cannot be handed over are not tried for ever", () => {
    const world = asking();
    world.questions = world.questions.map((each) => answered(each, "allow", "operator" as AgentId, 9 as Instant));
    world.fails = { "agent.answer": { ok: false, failure: { kind: "agent.not-running", agent: "x" } } };
    expect(world.settle()).toEqual(["agent.answer"]);
  });
});

it("tells the agent what should wake it, once", () => {
  const world = up();
  world.newest = 12;
  expect(world.settle()).toEqual(["agent.tell"]);
  expect(world.cursor.delivered).toBe(12);
  expect(world.settle()).toEqual([]);
});

describe("going", () => {
  const gone = (world: World, keep = false) => {
    world.send({ type: "wanted.gone", at: 77 as Instant, keepWorktree: keep });
    return world.settle();
  };
  it("ends, saves, removes, and is forgotten, in that order", () => {
    const world = up();
    expect(gone(world)).toEqual(["agent.end", "work.save", "worktree.remove", "branch.delete"]);
    expect(world.run).toBe(null);
  });
  it("removes nothing that could not be saved", () => {
    const world = up();
    world.fails = {
      "work.save": { ok: false, failure: { kind: "worktree.stays", path: "/w", why: "repositories", what: ["app"] } },
    };
    expect(gone(world)).toEqual(["agent.end", "work.save"]);
    expect([world.run?.wanted, world.worktree, world.branch]).toEqual(["down", "filled", true]);
  });
  it("keeps a branch that was there before", () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, from: null, ours: { branch: false, worktree: true } });
    world.settle();
    expect(gone(world)).toEqual(["agent.end", "work.save", "worktree.remove"]);
  });
  it("keeps a worktree that was there before, or when told to", () => {
    const world = new World();
    world.worktree = "filled";
    world.run = plannedAssignment({ ...PLAN, ours: { branch: false, worktree: false } });
    world.settle();
    expect(gone(world)).toEqual(["agent.end"]);
    const kept = up();
    expect(gone(kept, true)).toEqual(["agent.end"]);
    expect([kept.run, kept.worktree]).toEqual([null, "filled"]);
  });
  it("goes on after a crash, also when somebody starts the session first", () => {
    for (let k = 1; k <= 4; k++) {
      const world = up();
      world.send({ type: "wanted.gone", at: 77 as Instant, keepWorktree: false });
      for (let i = 0; i < k; i++) world.turn();
      world.crash();
      world.send({ type: "wanted.up", again: "unfinished" });
      world.settle();
      expect([k, world.run, world.worktree, world.branch]).toEqual([k, null, "absent", false]);
    }
  });
  it("never saves a second time over the first, however often it is interrupted", () => {
    for (let k = 1; k <= 4; k++) {
      const world = up();
      world.send({ type: "wanted.gone", at: 77 as Instant, keepWorktree: false });
      for (let i = 0; i < k; i++) world.turn();
      world.crash();
      world.settle();
      expect([world.run, world.worktree, world.branch]).toEqual([null, "absent", false]);
    }
  });
});

it("says what it is at in the roster", () => {
  const world = new World();
  const phases: (string | null)[] = [];
  do phases.push(world.roster.phase?.text ?? null);
  while (world.turn());
  expect(phases.slice(1)).toEqual(["adding the worktree", "checking out", "setting up", "launching"]);
  expect([world.roster.state, world.roster.phase?.text]).toEqual(["starting", "waiting for its first sign"]);
  world.events = [{ type: "session", id: "s" }];
  world.settle();
  expect([world.roster.state, world.roster.phase]).toEqual(["working", null]);
});

describe("one that takes one turn after the other", () => {
  const resting = () => {
    const world = up();
    world.resting = true;
    return world;
  };
  it("is let go when its turn is over and nobody has anything to say to it, and has done its work", () => {
    const world = resting();
    expect(world.settle()).toEqual(["agent.dismiss"]);
    expect([world.run?.ended?.how, world.roster.state, world.roster.evidence]).toEqual(["ok", "done", "all done"]);
  });
  it("is told first what has come for it, and let go after that turn", () => {
    const world = resting();
    world.newest = 3;
    expect(world.settle()).toEqual(["agent.tell"]);
    world.resting = true;
    expect(world.settle()).toEqual(["agent.dismiss"]);
  });
  it("is kept while it waits for an answer, or for somebody who blocks it, or is paused", () => {
    const asks = resting();
    asks.asked = [{ number: 1, kind: "question", closed: null } as Question];
    const blocked = resting();
    blocked.roster = { ...blocked.roster, state: "blocked" };
    const paused = resting();
    paused.run = { ...(paused.run as Assignment), paused: true };
    expect([asks.settle(), blocked.settle(), paused.settle()]).toEqual([[], [], []]);
  });
  it("goes on in its own conversation when its supervisor died meanwhile", () => {
    const world = up();
    world.events = [{ type: "session", id: "c-1" }];
    world.settle();
    world.crash();
    world.settle();
    expect(world.run).toMatchObject({ conversation: "c-1", resumes: true, takenUp: false });
    world.events = [{ type: "session", id: "c-1" }];
    world.settle();
    expect(world.run?.takenUp).toBe(true);
  });
  it("begins a new conversation after its CLI did not find the old one", () => {
    const world = up();
    world.events = [{ type: "session", id: "c-1" }];
    world.settle();
    world.crash();
    world.settle();
    world.alive = null;
    world.exit = exit(1);
    world.turn();
    expect(world.pending).toMatchObject([{ type: "agent.launch", order: { conversation: null, brief: PLAN.brief } }]);
    world.settle();
    expect(world.run).toMatchObject({ conversation: null, ended: null, resumes: false });
    expect(world.run?.startWarnings.join()).toMatch(/did not find its earlier conversation/);
    world.alive = null;
    world.exit = exit(1);
    expect([world.settle(), world.run?.ended?.how]).toEqual([[], "error"]);
  });
});

describe("one that has finished", () => {
  const finished = (change: Partial<Assignment> = {}) => {
    const world = up();
    world.run = { ...(world.run as Assignment), ...change };
    world.exit = exit(0, { how: "ok", message: "all done" });
    world.alive = null;
    world.settle();
    expect(world.run?.ended?.how).toBe("ok");
    return world;
  };
  const launch = (world: World) => world.pending.find(({ type }) => type === "agent.launch");

  it("starts again in its conversation with what it is told, and is told it once", () => {
    const world = finished({ conversation: "c-1" });
    world.newest = 7;
    expect(world.settle()).toEqual([]);
    world.send({ type: "told-more" });
    world.turn();
    expect(launch(world)).toMatchObject({ order: { conversation: "c-1", toldMore: true } });
    world.launchTells = { seq: 7, nothingElse: true };
    expect(world.settle()).toEqual(["agent.launch"]);
    expect([world.run?.unconfirmed?.seq, world.cursor.told]).toEqual([7, 0]);
    world.events = [{ type: "session", id: "c-1" }];
    expect(world.settle()).toEqual([]);
    expect([world.run?.unconfirmed, world.cursor.told, world.run?.toldMore]).toEqual([null, 7, false]);
  });
  it("goes on with what the gates send back, three times; then a person has to speak", () => {
    const world = finished({ conversation: "c-1" });
    const goesOn = () => {
      world.send({ type: "sent-back" });
      return world.run?.ended === null;
    };
    const finishes = () => world.send({ type: "ended", ended: { ...FINISHED } });
    const ended = world.run?.ended;
    if (ended === null || ended === undefined) throw new Error("it has not finished");
    const FINISHED = ended;
    for (const _ of [1, 2, 3]) {
      expect(goesOn()).toBe(true);
      world.send({
        type: "launched",
        at: 1 as Instant,
        run: "r" as RunId,
        resumes: false,
        told: null,
        opening: null,
        begins: null,
      });
      finishes();
    }
    expect(goesOn()).toBe(false);
    world.send({ type: "verified" });
    expect(goesOn()).toBe(true);
  });
  it("hears it again where its CLI has lost the conversation", () => {
    const world = finished({ conversation: "c-1" });
    world.newest = 7;
    world.send({ type: "told-more" });
    world.launchTells = { seq: 7, nothingElse: true };
    world.settle();
    world.alive = null;
    world.exit = exit(1);
    world.turn();
    expect(launch(world)).toMatchObject({ order: { conversation: null, toldMore: true } });
    world.settle();
    expect([world.cursor.told, world.run?.conversation]).toEqual([7, null]);
  });
  it("is not woken by what our own rules say", () => {
    const world = finished();
    world.newest = 7;
    expect([world.settle(), world.run?.ended?.how]).toEqual([[], "ok"]);
  });
  it("and is stopped waits with it until it is started", () => {
    const world = finished();
    world.send({ type: "wanted.down" });
    world.send({ type: "told-more" });
    expect([world.settle(), world.roster.state]).toEqual([[], "stopped"]);
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual(["agent.launch"]);
  });
  it("stays so when it is started again, unless asked for anew", () => {
    const world = finished({ conversation: "c-1" });
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual([]);
    world.send({ type: "wanted.up", again: "anew" });
    world.turn();
    expect(launch(world)).toMatchObject({ order: { conversation: null } });
  });
  it("a command that cannot be told anything while it runs goes on afterwards", () => {
    const world = up();
    world.run = { ...(world.run as Assignment), cli: { ...PLAN.cli, protocol: "plain" } };
    world.send({ type: "told-more" });
    world.exit = { ...exit(0), announces: false };
    world.alive = null;
    world.turn();
    expect(launch(world)).toMatchObject({ order: { toldMore: true } });
  });
});

describe("one that had said it was done", () => {
  it.each(["down", "up"] as const)(
    "stays done when it is ended, or vanishes with its supervisor (wanted %s)",
    (wanted) => {
      const world = up();
      world.roster = { ...world.roster, state: "done", evidence: "all done" };
      if (wanted === "down") world.send({ type: "wanted.down" });
      else world.alive = null;
      world.settle();
      expect([world.run?.ended?.how, world.roster.state, world.roster.evidence]).toEqual(["ok", "done", "all done"]);
      world.send({ type: "wanted.up", again: "unfinished" });
      expect(world.settle()).toEqual([]);
    },
  );
});

it("is not asked about a command that was allowed for the session", () => {
  const world = up();
  world.allowed = ["npm test"];
  world.events = [{ type: "permission", request: "r1", text: "?", command: "npm test" }];
  world.turn();
  expect(world.pending).toMatchObject([{ type: "agent.answer", request: "r1", rule: "allowed-for-session" }]);
  world.events = [{ type: "permission", request: "r2", text: "?", command: "npm test; true" }];
  world.settle();
  expect(world.questions.map(({ command }) => command)).toEqual(["npm test; true"]);
});

describe("one in a pane", () => {
  it("is idle at its prompt and working after it, unless it has said otherwise", () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, terminal: true });
    world.settle();
    world.run = { ...(world.run as Assignment), briefed: world.alive };
    world.settle();
    const states = (["working", "ready", "working", "waiting"] as const).map((at) => {
      world.at = at;
      world.settle();
      return world.roster.state;
    });
    expect(states).toEqual(["working", "idle", "working", "working"]);
    world.roster = { ...world.roster, state: "committed" };
    world.at = "ready";
    world.settle();
    expect(world.roster.state).toBe("committed");
  });
});

describe("a budget", () => {
  const limits = { idleSeconds: null, workSeconds: null, tokens: 100, cost: null };
  const spending = (tokens: number) => ({
    type: "usage" as const,
    usage: { input: tokens, output: 0, cached: 0, cost: null },
  });
  const limited = () => {
    const world = up();
    world.run = { ...(world.run as Assignment), cli: { ...PLAN.cli, limits } };
    return world;
  };
  it("that is spent ends the run, and says so", () => {
    const world = limited();
    world.events = [spending(60)];
    expect(world.settle()).toEqual([]);
    world.events = [spending(60)];
    expect(world.settle()).toEqual(["agent.end"]);
    expect([world.run?.ended?.how, world.roster.state]).toEqual(["aborted", "failed"]);
    expect(world.roster.evidence).toBe("its budget is spent: 120 of 100 tokens");
    expect(world.settle()).toEqual([]);
  });
  it("is there anew for whoever is asked for again", () => {
    const world = limited();
    world.events = [spending(120)];
    world.settle();
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(world.settle()).toEqual(["agent.launch"]);
    world.events = [spending(60)];
    expect(world.settle()).toEqual([]);
  });
});

describe("a bare shell where an agent should be", () => {
  const shell = { at: "shell" as const, untouched: true, text: "it has ended and left a bare shell" };
  const inPane = () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, terminal: true });
    world.settle();
    return world;
  };
  const launches = (world: World) => world.settle().filter((each) => each === "agent.launch").length;
  it("is tried once more, with another token; then it is a person's", () => {
    const world = inPane();
    const first = world.alive;
    world.needsPerson = shell;
    expect(launches(world)).toBe(1);
    expect([world.alive === first, world.run?.live === world.alive, world.run?.launches]).toEqual([false, true, 2]);
    expect(launches(world)).toBe(0);
    expect([world.roster.state, world.roster.evidence]).toEqual(["waiting", shell.text]);
  });
  it("after it was given its work is left as it is: there may be something to look at", () => {
    const world = inPane();
    if (world.run !== null) world.run = { ...world.run, briefed: world.run.live };
    world.needsPerson = shell;
    expect([world.settle(), world.roster.state]).toEqual([[], "waiting"]);
  });
  it("in which something was typed is left as well: nobody saw whether it was taken", () => {
    const world = inPane();
    world.needsPerson = { ...shell, untouched: false };
    expect(launches(world)).toBe(0);
  });
  it("is tried again after somebody has asked for the agent again", () => {
    const world = inPane();
    world.needsPerson = shell;
    world.settle();
    world.send({ type: "wanted.up", again: "unfinished" });
    expect(launches(world)).toBe(1);
  });
  it("is left alone while it is paused", () => {
    const world = inPane();
    if (world.run !== null) world.run = { ...world.run, paused: true };
    world.needsPerson = shell;
    expect(world.settle()).toEqual([]);
  });
});

describe("a model that refuses", () => {
  const retry = { type: "retry", attempt: 1, reason: "rate_limit" } as const;
  const running = () => {
    const world = new World();
    world.settle();
    world.events = [{ type: "session", id: "s" }];
    world.settle();
    return world;
  };
  it("is said to limit the rate, since the first time, until its CLI says anything else", () => {
    const world = running();
    world.events = [retry];
    world.settle();
    const since = world.run?.retrying?.since;
    expect([world.roster.state, world.roster.phase?.code, since]).toEqual([
      "working",
      "rate-limited",
      expect.any(Number),
    ]);
    world.events = [{ ...retry, attempt: 2 }];
    world.settle();
    expect(world.run?.retrying?.since).toBe(since);
    world.events = [{ type: "text", text: "on we go" }];
    world.settle();
    expect([world.run?.retrying, world.roster.state, world.roster.phase]).toEqual([null, "working", null]);
  });
  it("for another reason is said to be tried again", () => {
    const world = running();
    world.events = [{ ...retry, reason: "overloaded" }];
    world.settle();
    expect(world.roster.phase?.code).toBe("retrying");
  });
  it("says nothing any more once the run has ended", () => {
    const world = running();
    world.events = [retry];
    world.settle();
    world.exit = exit(1, null);
    world.alive = null;
    world.settle();
    expect([world.run?.retrying, world.roster.state, world.roster.phase]).toEqual([null, "failed", null]);
  });
});

describe("an agent in a pane that is launched again", () => {
  const inPane = (protocol: string) => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, terminal: true, cli: { ...PLAN.cli, protocol } });
    world.settle();
    return world;
  };
  const finishes = (world: World) => {
    world.exit = { ...exit(0, null), announces: false };
    world.alive = null;
    world.settle();
  };
  const told = { seq: 7, nothingElse: true };

  it("begins with what came meanwhile where its CLI begins a new conversation, and counts it as told once it has it", () => {
    const world = inPane("plain");
    finishes(world);
    world.send({ type: "told-more" });
    [world.launchTells, world.launchGives, world.typed] = [told, { opening: "the brief, and more" }, "waits"];
    world.turn();
    expect(world.pending).toMatchObject([{ type: "agent.launch", order: { again: true, toldMore: true } }]);
    world.turn();
    expect([world.run?.opening, world.cursor.told]).toEqual(["the brief, and more", 0]);
    expect(world.pending).toMatchObject([{ type: "agent.brief", brief: "the brief, and more" }]);
    world.typed = "submitted";
    world.turn();
    expect([world.run?.opening, world.cursor.told, world.run?.briefed]).toEqual([null, 7, world.alive]);
  });

  it("has been told also where its run ended before anything could be typed: it lay beside its work", () => {
    const world = inPane("plain");
    finishes(world);
    world.send({ type: "told-more" });
    [world.launchTells, world.launchGives, world.typed] = [told, { opening: "both" }, "waits"];
    world.turn();
    world.turn();
    finishes(world);
    expect([world.cursor.told, world.run?.ended?.how]).toEqual([7, "ok"]);
  });

  it("is not told where nobody saw how its run ended: the next one begins with it", () => {
    const world = inPane("plain");
    finishes(world);
    world.send({ type: "told-more" });
    [world.launchTells, world.launchGives, world.typed] = [told, { opening: "both" }, "waits"];
    world.turn();
    world.turn();
    world.crash();
    world.turn();
    expect([world.cursor.told, world.pending.map(({ type }) => type)]).toEqual([0, ["agent.launch"]]);
  });

  it("goes on with the conversation that it was told to begin", () => {
    const world = new World();
    world.run = plannedAssignment({ ...PLAN, terminal: true, cli: { ...PLAN.cli, protocol: "pi" } });
    [world.launchGives, world.typed] = [{ begins: "c1" }, "submitted"];
    world.settle();
    expect([world.run?.conversation, world.run?.warnings]).toEqual(["c1", []]);
    world.crash();
    world.turn();
    expect(world.pending).toMatchObject([{ type: "agent.launch", order: { conversation: "c1" } }]);
    world.launchGives = {};
    world.turn();
    expect(world.pending).toMatchObject([
      { type: "agent.brief", brief: expect.stringMatching(/^You were interrupted/) },
    ]);
    world.settle();
    // It was at its prompt: how it ends later says nothing about whether it found its conversation.
    expect(world.run?.takenUp).toBe(true);
    finishes(world);
    expect(world.run?.conversation).toBe("c1");
  });

  it("says so where a coding CLI gets its brief a second time; a command, and one that is started anew, do not", () => {
    const again = (protocol: string) => {
      const world = inPane(protocol);
      world.typed = "submitted";
      for (const _ of [1, 2, 3]) {
        world.settle();
        world.crash();
      }
      world.settle();
      return world.run?.startWarnings;
    };
    expect(again("opencode")).toEqual([expect.stringMatching(/began a new one, with its whole brief/)]);
    expect(again("plain")).toEqual([]);
    const world = inPane("opencode");
    world.typed = "submitted";
    world.settle();
    finishes(world);
    expect(world.run?.ended?.how).toBe("ok");
    world.send({ type: "wanted.up", again: "anew" });
    world.settle();
    expect(world.run?.startWarnings).toEqual([]);
  });
});
