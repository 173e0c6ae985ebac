import { describe, expect, it } from "vitest";
import type { AgentId, Instant } from "../text/ids.ts";
import type { InFlight } from "./detect.ts";
import { type Foresight, foresee, settle, type Told } from "./foresee.ts";

const NOW = 5_000 as Instant;

/** `pair("a b", "conflict x y")`, `pair("a b", "same-file x")`; a second name in capitals is the base. */
function pair(names: string, what: string): Foresight {
  const [a = "", b = ""] = names.split(" ");
  const [outcome, ...paths] = what.split(" ");
  const hunks = [{ line: 7, base: ["was"], ours: [`${a}'s`], theirs: [`${b}'s`] }];
  return {
    between: [a, b],
    base: b === b.toUpperCase(),
    since: NOW,
    prediction: {
      outcome: outcome as Foresight["prediction"]["outcome"],
      shared: paths,
      files: outcome === "conflict" ? paths.map((path) => ({ path, kind: "content", hunks })) : [],
    },
  };
}

const told = (names: string, ...paths: string[]): Told => {
  const [a = "", b = ""] = names.split(" ");
  return { between: [a, b], base: b === b.toUpperCase(), paths };
};

const look = (pairs: Foresight[], before: Told[] = [], unknown: string[] = [], first: Record<string, number> = {}) =>
  foresee({ pairs, before, unknown: new Set(unknown), touched: (agent) => (first[agent] as Instant) ?? null });

const heads = (found: ReturnType<typeof look>) => found.feedback.map(({ to, errors }) => `${to}: ${errors[0]}`);

describe("a predicted conflict", () => {
  it("is told to both, each from its own side, with the lines", () => {
    const { feedback } = look([pair("a b", "conflict x")]);
    expect(feedback).toEqual([
      {
        to: "a",
        errors: [
          "[conflict-detector] predicted conflict: your work would not merge with agent b's work as it is now: x (content)",
          "x, line 7:\n  base | was\n  you | a's\n  b | b's",
        ],
      },
      {
        to: "b",
        errors: [
          "[conflict-detector] predicted conflict: your work would not merge with agent a's work as it is now: x (content)",
          "x, line 7:\n  base | was\n  you | b's\n  a | a's",
        ],
      },
    ]);
  });

  it("says who was there first, where that is known", () => {
    expect(heads(look([pair("a b", "conflict x")], [], [], { a: 2, b: 1 }))).toEqual([
      expect.stringMatching(/^a: .*; b was there first$/),
      expect.stringMatching(/^b: .*; you were there first$/),
    ]);
    expect(heads(look([pair("a b", "conflict x")], [], [], { a: 1, b: 1 }))[0]).not.toContain("first");
  });

  it("with the base is told to the one whose work it is", () => {
    expect(heads(look([pair("a MAIN", "conflict x")]))).toEqual([
      "a: [conflict-detector] predicted conflict: your work would not merge with MAIN as it is now: x (content)",
    ]);
  });

  it("is told once while it lasts, again for further files, and again when it comes back", () => {
    const first = look([pair("a b", "conflict x")]);
    expect(look([pair("a b", "conflict x")], [...first.told]).feedback).toEqual([]);
    expect(heads(look([pair("a b", "conflict x y")], [...first.told]))[0]).toContain("now: y (content)");
    const gone = look([pair("a b", "same-file x")], [...first.told]);
    expect(gone).toEqual({ feedback: [], told: [] });
    expect(look([pair("a b", "conflict x")], [...gone.told]).feedback).toHaveLength(2);
  });

  it("is neither over nor new while one of them cannot be looked at", () => {
    const before = [told("a b", "x")];
    expect(look([], before, ["b"])).toEqual({ feedback: [], told: before });
    expect(look([pair("a b", "conflict x")], [], ["a"])).toEqual({ feedback: [], told: [] });
  });

  it("shows no more than can be read, and nothing that moves a cursor", () => {
    const many = pair("a b", `conflict ${Array.from({ length: 9 }, (_, i) => `f${i}`).join(" ")}`);
    const [{ errors } = { errors: [] }] = look([many]).feedback;
    expect(errors[0]).toContain("f4 (content) and 4 more");
    expect(errors).toHaveLength(4);
    const bad = pair("a b", "conflict x");
    const hunk = { line: 1, base: [], ours: ["\u001b[2J"], theirs: Array.from({ length: 99 }, () => "t") };
    const hostile = {
      ...bad,
      prediction: { ...bad.prediction, files: [{ path: "x\ny", kind: "content" as const, hunks: [hunk] }] },
    };
    const text = look([hostile]).feedback[0]?.errors.join("\n") ?? "";
    expect(text).not.toContain("\u001b");
    expect(text).toContain("base | (nothing)");
    expect(text).toContain("b | (91 more lines)");
    expect(text.split("\n")[0]).toContain("x ⏎ y");
  });
});

describe("an alarm about one file", () => {
  const open = (path: string, more: Partial<InFlight> = {}): InFlight => ({
    between: ["a" as AgentId, "b" as AgentId],
    path,
    since: 1 as Instant,
    decided: false,
    ...more,
  });

  it("is settled where what both have there merges, and both hear it once", () => {
    const { open: next, feedback } = settle([open("x"), open("y")], [pair("b a", "same-file x y")], NOW);
    expect(next.map(({ settled }) => settled)).toEqual([true, true]);
    expect(feedback.map(({ to, errors }) => `${to}: ${errors[0]}`)).toEqual([
      "a: [conflict-detector] in-flight conflict: what you and b have changed in x, y merges without a conflict as it is now; no one is asked about it",
      "b: [conflict-detector] in-flight conflict: what you and a have changed in x, y merges without a conflict as it is now; no one is asked about it",
    ]);
    const again = settle(next, [pair("a b", "same-file x y")], NOW);
    expect(again).toEqual({ open: next, feedback: [] });
  });

  it("stays where only one has changed the file, the other plans to, or nobody could look", () => {
    const alarms = [open("planned")];
    expect(settle(alarms, [pair("a b", "same-file other")], NOW)).toEqual({ open: alarms, feedback: [] });
    expect(settle(alarms, [], NOW)).toEqual({ open: alarms, feedback: [] });
    expect(settle(alarms, [pair("a B", "same-file planned")], NOW).feedback).toEqual([]);
  });

  it("comes back, from now on, when it does not merge any more", () => {
    const { open: next } = settle([open("x", { settled: true })], [pair("a b", "conflict x")], NOW);
    expect(next).toEqual([open("x", { settled: false, since: NOW })]);
  });

  it("that was decided is not decided again", () => {
    const alarms = [open("x", { decided: true })];
    expect(settle(alarms, [pair("a b", "same-file x")], NOW)).toEqual({ open: alarms, feedback: [] });
  });
});
