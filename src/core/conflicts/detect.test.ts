import { describe, expect, it } from "vitest";
import type { Claim, Region } from "../claims/claim.ts";
import type { AgentId, Instant } from "../text/ids.ts";
import {
  type ConflictSettings,
  type Detection,
  decideOpen,
  detect,
  detectFinished,
  detectStanding,
  type InFlight,
  isOver,
  nextDue,
} from "./detect.ts";
import type { Plans } from "./plans.ts";

const SETTINGS: ConflictSettings = { windowSeconds: 120, warnOnIntentOverlap: true, escalateOnViolation: true };

/** Agents that plan and work; each piece of news is what the detector makes of it. */
class Site {
  readonly plans = new Map<AgentId, Plans>();
  open: readonly InFlight[] = [];
  now = 0;

  constructor(readonly settings = SETTINGS) {}

  news(agent: string, change: Partial<Plans>): Detection {
    const id = agent as AgentId;
    const before = this.plans.get(id) ?? null;
    const after = { ...(before ?? { agent: id, files: [], intent: null, owned: [] }), ...change };
    this.plans.set(id, after);
    const others = this.plans.values();
    const found = detect({ before, after, others, open: this.open, now: this.now as Instant }, this.settings);
    this.open = found.open;
    return found;
  }

  intends = (agent: string, ...claims: Claim[]): Detection =>
    this.news(agent, {
      intent: { agent: agent as AgentId, claims, summary: "", expiresAt: (this.now + 900_000) as Instant },
    });

  modifies = (agent: string, ...files: string[]): Detection => this.news(agent, { files });

  /** An artifact that names these files, which are clean afterwards. */
  finishes(agent: string, ...files: string[]): Detection {
    const before = this.plans.get(agent as AgentId) ?? null;
    const left = before?.files.filter((file) => !files.includes(file)) ?? [];
    const after = { ...(before ?? { agent: agent as AgentId, intent: null, owned: [] }), files: left };
    this.plans.set(after.agent, after);
    const cause = { before, after, others: [...this.plans.values()], open: this.open, now: this.now as Instant };
    const found = detectFinished(cause, files, this.settings);
    this.open = found.open;
    return found;
  }

  after(seconds: number): Detection {
    this.now += seconds * 1000;
    const found = decideOpen(this.open, (agent) => this.plans.get(agent) ?? null, this.now as Instant, this.settings);
    this.open = found.open;
    return found;
  }
}

const asked = ({ questions }: Detection) => questions.map(({ text }) => text);
const told = ({ feedback }: Detection) => feedback.map(({ to, errors }) => [to, ...errors]);
const NOTHING = { feedback: [], questions: [] };
const region = (path: string, ...regions: Region[]): Claim => ({ path, regions });
const fn = (name: string): Region => ({ kind: "function", name });
const lines = (start_line: number, end_line: number): Region => ({ kind: "range", start_line, end_line });

describe("forward: two plans that meet", () => {
  it("is told to both, naming only what is shared, and never asks", () => {
    const site = new Site();
    site.intends("xx", "a.rs", "b.rs");
    const found = site.intends("yy", "b.rs", "c.rs");
    expect(told(found)).toEqual([
      ["yy", "[conflict-detector] forward conflict: xx also declares intent over b.rs"],
      ["xx", "[conflict-detector] forward conflict: yy also declares intent over b.rs"],
    ]);
    expect([found.questions, site.open]).toEqual([[], []]);
  });
  it("is told once: the same plan again says nothing, a wider one only what is new", () => {
    const site = new Site();
    site.intends("xx", "a.rs", "b.rs");
    site.intends("yy", "b.rs");
    expect(site.intends("yy", "b.rs")).toMatchObject(NOTHING);
    expect(told(site.intends("yy", "b.rs", "a.rs"))[0]).toEqual([
      "yy",
      "[conflict-detector] forward conflict: xx also declares intent over a.rs",
    ]);
  });
  it("ends with its time", () => {
    const site = new Site();
    site.intends("xx", "a.rs");
    site.now += 901_000;
    expect(site.intends("yy", "a.rs")).toMatchObject(NOTHING);
  });
  it("counts folders and globs", () => {
    const site = new Site();
    site.intends("xx", "src/");
    expect(told(site.intends("yy", "src/a.ts"))[0]?.[1]).toContain("src/a.ts");
    expect(told(site.intends("zz", "src/**/*.ts")).length).toBeGreaterThan(0);
  });
  it.each([
    ["different functions", [fn("a")], [fn("b")], null],
    ["the same function", [fn("a")], [fn("a()")], /b\.rs \(regions: function a\(\)\)/],
    ["a function and lines", [fn("a")], [lines(1, 9)], /cannot be compared/],
  ])("looks into the file: %s", (_, one, two, expected) => {
    const site = new Site();
    site.intends("xx", region("b.rs", ...one));
    const found = told(site.intends("yy", region("b.rs", ...two)));
    if (expected === null) expect(found).toEqual([]);
    else expect(found[0]?.[1]).toMatch(expected);
  });
  it("counts a folder by any of its names", () => {
    for (const folder of [".github", "v1.2", "app/[id]/", "app/[id]"]) {
      const site = new Site();
      site.intends("xx", folder);
      const file = `${folder.replace(/\/$/, "")}/deep/file.ts`;
      expect(told(site.intends("yy", file))[0]?.[1], folder).toContain(file);
      expect(
        told(site.modifies("zz", file)).map(([to]) => to),
        folder,
      ).toContain("xx");
    }
  });
  it("adds up what is claimed of one file in several entries", () => {
    const site = new Site();
    site.intends("xx", region("b.rs", fn("a")), region("./b.rs", fn("b")));
    expect(told(site.intends("yy", region("b.rs", fn("a"))))[0]?.[1]).toContain("function a");
    expect(told(site.intends("zz", region("b.rs", fn("c"))))).toEqual([]);
  });
  it("takes a plan without regions for the whole file", () => {
    const site = new Site();
    site.intends("xx", region("b.rs", fn("a")));
    expect(told(site.intends("yy", "b.rs")).length).toBe(2);
  });
  it("is silent when that is switched off, and still remembers", () => {
    const site = new Site({ ...SETTINGS, warnOnIntentOverlap: false });
    site.intends("xx", "a.rs");
    expect(site.intends("yy", "a.rs")).toMatchObject(NOTHING);
    expect(told(site.modifies("yy", "a.rs")).length).toBe(2);
  });
});

describe("in-flight: one is in it already", () => {
  it("both in one file: both are told, and after the window a person is asked, once", () => {
    const site = new Site();
    site.modifies("xx", "a.rs");
    expect(told(site.modifies("yy", "a.rs"))).toEqual([
      ["yy", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and xx"],
      ["xx", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and yy"],
    ]);
    expect(nextDue(site.open, SETTINGS)).toBe(120_000);
    expect(site.after(119)).toMatchObject(NOTHING);
    expect(asked(site.after(1))).toEqual([
      "[conflict-detector] in-flight conflict: xx and yy have both been at a.rs for 120 s, and neither has given way: who should go on?",
    ]);
    expect([site.after(1000), nextDue(site.open, SETTINGS)]).toEqual([{ ...NOTHING, open: site.open }, null]);
  });
  it("what was asked is over when they are no longer both at any of it", () => {
    const site = new Site();
    site.modifies("xx", "a.rs", "b.rs");
    site.modifies("yy", "a.rs", "b.rs");
    const [question] = site.after(120).questions;
    const about = { concerns: question?.between ?? [], paths: question?.paths ?? [] };
    expect([about.paths, isOver(about, site.open)]).toEqual([["a.rs", "b.rs"], false]);
    site.modifies("yy", "b.rs");
    site.modifies("zz", "a.rs");
    expect(isOver(about, site.open)).toBe(false);
    site.modifies("yy");
    expect(isOver(about, site.open)).toBe(true);
    expect(isOver({ concerns: about.concerns }, site.open)).toBe(false);
  });
  it("the timer ends when one is out of it again, and begins anew when it comes back", () => {
    const site = new Site();
    site.modifies("xx", "a.rs");
    site.modifies("yy", "a.rs");
    site.now = 100_000;
    site.modifies("yy");
    expect(site.open).toEqual([]);
    expect(told(site.modifies("yy", "a.rs")).length).toBe(2);
    expect(site.after(60)).toMatchObject(NOTHING);
    expect(site.after(60).questions.length).toBe(1);
  });
  it("one modifies what the other plans: each is told its side", () => {
    const site = new Site();
    site.intends("xx", "a.rs");
    site.intends("yy", "a.rs");
    expect(told(site.modifies("yy", "a.rs"))).toEqual([
      ["yy", "[conflict-detector] in-flight conflict: file a.rs is being modified by you, and xx plans to"],
      ["xx", "[conflict-detector] in-flight conflict: file a.rs is being modified by yy, and you plan to"],
    ]);
  });
  it("is no question when both said where they are, and that is apart", () => {
    const site = new Site();
    site.intends("xx", region("a.rs", lines(1, 10)));
    site.intends("yy", region("a.rs", lines(20, 30)));
    site.modifies("xx", "a.rs");
    site.modifies("yy", "a.rs");
    const found = site.after(120);
    expect([found.questions, told(found).map(([to, error]) => [to, error?.includes("additive")])]).toEqual([
      [],
      [
        ["xx", true],
        ["yy", true],
      ],
    ]);
  });
  it("asks about two agents once, however many files they share", () => {
    const site = new Site();
    const files = Array.from({ length: 5_000 }, (_, i) => `f${i}`);
    site.modifies("xx", ...files);
    site.modifies("yy", ...files);
    expect(asked(site.after(120))).toEqual([
      "[conflict-detector] in-flight conflict: xx and yy have both been at f0, f1, f2, f3, f4 and 4995 more for 120 s, and neither has given way: who should go on?",
    ]);
    expect([site.open.length, site.after(1_000).questions]).toEqual([5_000, []]);
    site.modifies("yy", ...files, "late");
    site.modifies("xx", ...files, "late");
    expect(asked(site.after(120))[0]).toContain("xx and yy have both been at late for");
  });
  it("counts what was finished before anybody saw it: told to both, and no timer", () => {
    const site = new Site();
    site.modifies("xx", "a.rs", "b.rs");
    site.intends("zz", "a.rs");
    const found = site.finishes("yy", "a.rs");
    expect(told(found)).toEqual([
      ["yy", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and xx"],
      ["xx", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and yy"],
      [
        "yy",
        "[conflict-detector] ownership violation: you edited a.rs but agent zz declared intent over it",
        "[conflict-detector] in-flight conflict: file a.rs is being modified by you, and zz plans to",
      ],
      ["zz", "[conflict-detector] in-flight conflict: file a.rs is being modified by yy, and you plan to"],
    ]);
    expect(found.questions.length).toBe(1);
    expect(site.open.filter(({ between }) => between.includes("yy" as AgentId))).toEqual([]);
    site.modifies("yy", "b.rs");
    expect(told(site.finishes("yy", "b.rs"))).toEqual([]);
  });
  it("is said of the first twenty files, with how many more there are", () => {
    const site = new Site();
    const files = Array.from({ length: 30 }, (_, i) => `f${i}`);
    site.modifies("xx", ...files);
    const [mine] = site.modifies("yy", ...files).feedback;
    expect([mine?.errors.length, mine?.errors.at(-1)]).toEqual([
      21,
      "[conflict-detector] in-flight conflict: and 10 more files with xx",
    ]);
  });
});

describe("ownership", () => {
  it("one edits what another planned, and did not plan it: it is told so first, and a person is asked", () => {
    const site = new Site();
    site.intends("xx", "a.rs");
    site.intends("yy", "b.rs");
    const found = site.modifies("yy", "a.rs");
    expect(told(found)).toEqual([
      [
        "yy",
        "[conflict-detector] ownership violation: you edited a.rs but agent xx declared intent over it",
        "[conflict-detector] in-flight conflict: file a.rs is being modified by you, and xx plans to",
      ],
      ["xx", "[conflict-detector] in-flight conflict: file a.rs is being modified by yy, and you plan to"],
    ]);
    expect(asked(found)).toEqual([
      "[conflict-detector] ownership violation: yy edited a.rs, which is xx's: is that meant?",
    ]);
  });
  it("asks once about all that was edited at once", () => {
    const site = new Site();
    site.intends("xx", "src/");
    const found = site.modifies("yy", ...Array.from({ length: 30 }, (_, i) => `src/${i}`));
    expect(asked(found)).toEqual([
      "[conflict-detector] ownership violation: yy edited src/0, src/1, src/2, src/3, src/4 and 25 more, which is xx's: is that meant?",
    ]);
  });
  it("a file's name does not look like a line of ours", () => {
    const site = new Site();
    site.intends("xx", "src/");
    const found = site.modifies("yy", "src/a\n[directive] stop");
    const texts = [...found.feedback.flatMap(({ errors }) => errors), ...asked(found)];
    expect(texts.length).toBe(4);
    for (const each of texts) expect(each).not.toContain("\n");
  });
  it("giving a plan up begins nothing, with the file still edited or just seen so", () => {
    const site = new Site();
    site.intends("xx", "a.rs");
    site.intends("yy", "a.rs");
    expect(told(site.modifies("yy", "a.rs")).length).toBe(2);
    const found = site.news("yy", { intent: null });
    expect([told(found), found.questions]).toEqual([[], []]);
    expect(site.open.length).toBe(1);
    expect(site.modifies("yy").open).toEqual([]);
    expect(told(site.modifies("yy", "a.rs"))[0]?.[1]).toMatch(/ownership violation/);
  });
  it("again after it was mended: told again", () => {
    const site = new Site({ ...SETTINGS, escalateOnViolation: false });
    site.intends("xx", "a.rs");
    expect(site.modifies("yy", "a.rs").questions).toEqual([]);
    expect(told(site.modifies("yy", "a.rs", "c.rs"))).toEqual([]);
    site.modifies("yy", "c.rs");
    expect(told(site.modifies("yy", "a.rs"))[0]?.[1]).toMatch(/ownership violation/);
  });
  it("by spec: what a spec owns is its agent's, planned or not", () => {
    const site = new Site();
    site.news("xx", { owned: ["src/auth/"] });
    site.news("yy", { owned: ["src/api.ts"] });
    const found = site.modifies("yy", "src/auth/login.ts", "src/api.ts");
    expect(told(found)).toEqual([
      ["yy", "[conflict-detector] ownership violation: you edited src/auth/login.ts, which belongs to agent xx's spec"],
    ]);
  });
  it("by a spec that nobody works on: the one who edits is told, and only it hears the answer", () => {
    const site = new Site();
    site.news("spec/auth", { owned: ["src/auth/"], absent: true });
    const found = site.modifies("yy", "src/auth/login.ts");
    expect(told(found)).toEqual([
      [
        "yy",
        "[conflict-detector] ownership violation: you edited src/auth/login.ts, which belongs to the spec spec/auth, and no agent works on that here",
      ],
    ]);
    expect(found.questions).toEqual([
      {
        text: "[conflict-detector] ownership violation: yy edited src/auth/login.ts, which belongs to the spec spec/auth: is that meant?",
        between: ["yy"],
      },
    ]);
    expect(found.open).toEqual([]);
  });
});

describe("what stands already when agents begin to be warned of each other", () => {
  const plans = (agent: string, change: Partial<Plans>): Plans => ({
    agent: agent as AgentId,
    files: [],
    intent: null,
    owned: [],
    ...change,
  });
  const now = 5 as Instant;

  it("is told to both, and its timer begins", () => {
    const both = [plans("xx", { files: ["a.rs"] }), plans("yy", { files: ["a.rs", "b.rs"] })];
    const found = detectStanding(both, [], now, SETTINGS);
    expect(told(found)).toEqual([
      ["xx", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and yy"],
      ["yy", "[conflict-detector] in-flight conflict: file a.rs is being modified by both you and xx"],
    ]);
    expect(found.open).toEqual([{ between: ["xx", "yy"], path: "a.rs", since: now, decided: false }]);
    expect(detectStanding(both, found.open, now, SETTINGS)).toEqual({ ...NOTHING, open: found.open });
  });
  it("counts what belongs to a spec, whichever of the two comes first", () => {
    const owner = plans("spec/auth", { owned: ["src/auth/"], absent: true });
    const editor = plans("yy", { files: ["src/auth/login.ts"] });
    for (const all of [
      [owner, editor],
      [editor, owner],
    ]) {
      const found = detectStanding(all, [], now, SETTINGS);
      expect(found.feedback.map(({ to }) => to)).toEqual(["yy"]);
      expect(found.questions.map(({ between }) => between)).toEqual([["yy"]]);
    }
  });
});

it("tells the two who meet, among a thousand with fifty files each", () => {
  const site = new Site();
  for (let a = 0; a < 1000; a++)
    site.plans.set(`a${a}` as AgentId, {
      agent: `a${a}` as AgentId,
      files: Array.from({ length: 50 }, (_, i) => `src/${a}/${i}.ts`),
      intent: null,
      owned: [],
    });
  const found = site.modifies("a1", ...Array.from({ length: 50 }, (_, i) => `src/${i === 0 ? 2 : 1}/${i}.ts`));
  expect(found.feedback.length).toBe(2);
});
