import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answer, epicText, signals } from "../../../../test/epics/arbitrary.ts";
import { NOW, read } from "../../../../test/epics/sketch.ts";
import type { Instant } from "../../text/ids.ts";
import type { Epic, EpicState } from "../file/epic.ts";
import { renderEpic } from "../file/render.ts";
import type { Decided } from "./decided.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { parseSignals, type Signal } from "./signals.ts";
import { textsOf, tick } from "./tick.ts";

/** EPICS=10000 for the long run. */
const RUNS = { numRuns: Number(process.env.EPICS ?? 50), ...(process.env.EPICS === undefined && { seed: 1 }) };
const MOMENT = { now: NOW, policy: DEFAULT_POLICY };
const HALTED = ["review", "blocked", "ready_for_user_review", "done", "cancelled", "paused"];

const parsed = (list: readonly object[]): Signal[] => {
  const heard = parseSignals(list);
  if (typeof heard === "string") throw new Error(heard);
  return heard;
};

/** Everything a tick may do to a file, tried on generated ones. */
const ticks = (check: (epic: Epic, decided: Decided, body: string, text: string) => void): void =>
  fc.assert(
    fc.property(epicText, signals, fc.option(answer), (text, list, said) => {
      const epic = read(text);
      const decided = tick(epic, parsed(list), said === null ? null : { said }, MOMENT);
      check(epic, decided, textsOf(decided).body, text);
    }),
    RUNS,
  );

describe("for every epic", () => {
  it("a file that is only read is the same, byte for byte", () => {
    fc.assert(
      fc.property(epicText, (text) => void expect(renderEpic(read(text))).toBe(text)),
      RUNS,
    );
  });

  it("what was decided is what the next tick reads", () => {
    ticks((_, decided, body) => {
      const now = read(body);
      expect(bare(now)).toEqual(bare(decided.settled ?? decided.epic));
    });
  });

  it("everything that is not ours stays", () => {
    ticks((epic, decided, body, text) => {
      const kept = foreign(text);
      expect([decided.next, foreign(body).filter((line) => kept.includes(line))]).toEqual([decided.next, kept]);
      for (const i of epic.items.keys()) if (text.includes(`mine ${i}`)) expect(body).toContain(`mine ${i}`);
    });
  });

  it("a halted one is a fixpoint", () => {
    ticks((epic, decided, body, text) => {
      if (!HALTED.includes(epic.status)) return;
      expect([decided.next, decided.effects, body === text]).toEqual(["noop", [], true]);
    });
  });

  it("the same tick gives the same bytes", () => {
    fc.assert(
      fc.property(epicText, signals, answer, (text, list, said) => {
        const [one, two] = [1, 2].map(() => tick(read(text), parsed(list), said === null ? null : { said }, MOMENT));
        expect(one && textsOf(one)).toEqual(two && textsOf(two));
      }),
      RUNS,
    );
  });

  it("a tick has at most one question, one row and one effect of a kind", () => {
    ticks((epic, decided) => {
      const rows = decided.epic.memory.filter(({ row }) => row === null).length;
      const kinds = decided.effects.map(({ type }) => type);
      expect(rows).toBeLessThanOrEqual(1);
      expect(rows === 1).toBe(decided.row !== undefined);
      expect(new Set(kinds).size).toBe(kinds.length);
      expect(kinds.includes("dispatch") && kinds.includes("create")).toBe(false);
      if (rows === 1) expect(decided.epic.memory.length).toBeLessThanOrEqual(16);
      expect(decided.epic.seq - epic.seq).toBeLessThanOrEqual(1);
    });
  });

  it("nobody is queued or done by an answer, and the epic never is", () => {
    fc.assert(
      fc.property(epicText, answer, (text, said) => {
        const epic = read(text);
        const { epic: after } = tick(epic, [], { said }, MOMENT);
        const was = new Map(epic.items.map(({ id, status }) => [id, status]));
        for (const { id, status } of after.items)
          if (status === "queued" || status === "done") expect([id, was.get(id)]).toEqual([id, status]);
        if (after.status !== epic.status)
          expect(["review", "blocked", "ready_for_user_review"]).toContain(after.status);
      }),
      RUNS,
    );
  });

  it("a dispatch is of an approved item, to the worker it is for, and saved as an intent first", () => {
    ticks((epic, decided, body) => {
      const [sent] = decided.effects.filter((effect) => effect.type === "dispatch");
      if (sent === undefined) return;
      expect(decided.epic.intent).toMatchObject({ key: sent.key, item: sent.item, worker: sent.worker });
      expect(read(body).intent).toBe(null);
      if (epic.intent !== null) return;
      const item = epic.items.find(({ id }) => id === sent.item);
      expect(["queued", "in_progress"]).toContain(epic.status);
      expect(["queued", "ready", "in_progress"]).toContain(item?.status);
      expect([...DEFAULT_POLICY.workers.keys()]).toContain(sent.worker);
    });
  });

  it("any text as an answer is a row at most: it never throws, and what is not understood does nothing", () => {
    fc.assert(
      fc.property(epicText, fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.json()), (text, said) => {
        const decided = tick(read(text), [], { said }, MOMENT);
        const asked = tick(read(text), [], null, MOMENT).request !== undefined;
        if (asked) expect([decided.row?.class, decided.effects]).toEqual(["verdict_malformed", []]);
        read(textsOf(decided).body);
      }),
      RUNS,
    );
  });

  it("a halt has its row, its reason and its one notice", () => {
    ticks((epic, decided) => {
      if (decided.epic.status === epic.status || decided.next === "noop") return;
      expect(decided.row).toBeDefined();
      expect(decided.epic.halted !== "" || decided.row?.class === "plan_review").toBe(true);
      expect(decided.effects.filter(({ type }) => type === "notify").length).toBe(1);
    });
  });

  it("rows stay in order when the clock does not", () => {
    fc.assert(
      fc.property(epicText, answer, fc.integer({ min: -50, max: 50 }), (text, said, hours) => {
        const now = (NOW + hours * 3_600_000) as Instant;
        const decided = tick(read(text), [], { said }, { ...MOMENT, now });
        const added = decided.epic.memory.at(-1);
        if (added?.row === null) expect(Math.max(...decided.epic.memory.map(({ at }) => at ?? 0))).toBe(added.at);
      }),
      RUNS,
    );
  });
});

/** What a file says, without where it says it. */
function bare({ items, memory, decisions, log, briefs, ...head }: EpicState & Partial<Epic>) {
  const plain = (rows: readonly { readonly row: number | null }[]) => rows.map(({ row: _, ...rest }) => rest);
  const { origin: _, ...kept } = head;
  const fields = items.map((item) => ({ ...item, number: "" }));
  return {
    ...kept,
    items: plain(fields),
    memory: plain(memory),
    decisions: plain(decisions),
    log,
    briefs: [...briefs.keys()],
  };
}

/** Lines of sections and prose that no tick has any business with. */
const foreign = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) =>
      /^(## Mine|\| 1 \| 2 \||between|the end|Whatever\.|```|<!--|- a list|## Rollback Plan|id: e)/.test(line),
    );
