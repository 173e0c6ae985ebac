import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/adapters/sqlite/store.ts";
import { freshCursor } from "../../src/core/messages/cursors.ts";
import type { Message, StoredMessage } from "../../src/core/messages/messages.ts";
import { answered, askedByMessage, askedForPermission, withdrawn } from "../../src/core/messages/questions.ts";
import { newcomer } from "../../src/core/messages/roster.ts";
import type { Change } from "../../src/core/record/changes.ts";
import type { AnyEffect, EffectId } from "../../src/core/record/effects.ts";
import { PAGE_BYTES } from "../../src/core/record/page.ts";
import { type AgentId, type Instant, type LaneKey, type RunId, SUPERVISOR } from "../../src/core/text/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { FakeDisk, FakeStore } from "../fakes/fake-store.ts";

const WORKER = new URL("../../dist/sqlite-worker.mjs", import.meta.url);
const A = "a" as AgentId;
const B = "b" as AgentId;
const NOW = 1_000 as Instant;

/** A place that stores can be opened on, one after the other. */
type Place = () => Promise<Store>;

const opened: Store[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close().catch(() => undefined);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function keep(store: Store): Store {
  opened.push(store);
  return store;
}

const PLACES: readonly (readonly [string, () => Place])[] = [
  [
    "fake",
    () => {
      const disk = new FakeDisk();
      return async () => keep(new FakeStore(disk));
    },
  ],
  [
    "SQLite",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "bm-store-"));
      folders.push(folder);
      return async () => keep(await openSqliteStore({ path: join(folder, "journal.db"), worker: WORKER }));
    },
  ],
];

const FEEDBACK = {
  type: "agent.feedback",
  agent_id: A,
  payload: { from: "supervisor", errors: ["x"] },
} as unknown as Message;
const STATUS = {
  type: "agent.status",
  agent_id: A,
  payload: { status: "working", modified_files: [], message: "日本語 \u2028 \u0000 end" },
} as Message;

function message(seq: number, over: Partial<StoredMessage> = {}): Change {
  return {
    row: "message",
    put: {
      seq,
      id: `e-${seq}`,
      at: (NOW + seq) as Instant,
      sender: A,
      to: [],
      message: STATUS,
      key: null,
      re: null,
      ...over,
    },
  };
}

const lane = (version: number, state: unknown = { n: version }): Change => ({
  row: "lane",
  put: { lane: "session/a" as LaneKey, version, state },
});
const effect = (id: number): Change => ({
  row: "effect",
  put: {
    id: id as EffectId,
    lane: "session/a" as LaneKey,
    at: NOW,
    effect: { type: "worktree.fill", path: "/w" } as AnyEffect,
  },
});
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

describe.each(PLACES)("Store (%s)", (_, makePlace) => {
  it("begins empty, with an epoch", async () => {
    const books = await (await makePlace()()).load();
    expect(books).toMatchObject({
      head: 0,
      lastQuestion: 0,
      lastEffect: 0,
      roster: [],
      intents: [],
      questions: [],
      cursors: [],
      tokens: [],
      lanes: [],
      unsettled: [],
      waking: [],
    });
    expect(books.epoch).not.toBe("");
  });

  it("has what was committed after it is opened again, and the same epoch", async () => {
    const place = makePlace();
    const store = await place();
    const intent = {
      agent: A,
      claims: ["x", { path: "y", regions: [{ kind: "function" as const, name: "f" }] }],
      summary: "s",
      expiresAt: NOW,
    };
    const token = { digest: "d", run: "r" as RunId, agent: A, role: "agent" as const };
    await store.commit([
      message(1),
      { row: "roster", put: newcomer(A, NOW, 0) },
      { row: "intent", put: intent },
      { row: "question", put: askedByMessage(1, A, "why?", NOW) },
      { row: "cursor", put: { ...freshCursor(A), delivered: 3, deliveredAt: NOW } },
      { row: "token", put: token },
      lane(1, { deep: [null, "ü", 1.5, false] }),
      effect(1),
      { row: "setting", put: { key: "port", value: "4321" } },
    ]);
    const { epoch } = await store.load();
    await store.close();
    const books = await (await place()).load();
    expect(books).toMatchObject({
      epoch,
      head: 1,
      lastQuestion: 1,
      lastEffect: 1,
      roster: [newcomer(A, NOW, 0)],
      intents: [intent],
      questions: [askedByMessage(1, A, "why?", NOW)],
      cursors: [{ agent: A, delivered: 3, deliveredAt: NOW, told: 0, acted: 0, actedAt: null }],
      tokens: [token],
      lanes: [{ lane: "session/a", version: 1, state: { deep: [null, "ü", 1.5, false] } }],
      unsettled: [{ id: 1, lane: "session/a", at: NOW }],
    });
    expect(books.settings).toContainEqual({ key: "port", value: "4321" });
    expect((await (await place()).log(0, 9))[0]).toEqual((message(1) as { put: StoredMessage }).put);
  });

  it("stores all of a commit or nothing", async () => {
    const store = await makePlace()();
    expect(await kindOf(store.commit([{ row: "roster", put: newcomer(A, NOW, 0) }, lane(7)]))).toBe("store.moved");
    expect((await store.load()).roster).toEqual([]);
  });

  it("refuses a message that does not follow the head, whatever arrives together", async () => {
    const store = await makePlace()();
    const results = await Promise.all([
      kindOf(store.commit([message(1)])),
      kindOf(store.commit([message(3)])),
      kindOf(store.commit([message(2)])),
      kindOf(store.commit([message(2)])),
    ]);
    expect(results).toEqual(["ok", "store.moved", "ok", "store.moved"]);
    expect((await store.load()).head).toBe(2);
  });

  it("refuses a lane that does not follow its version: two supervisors cannot both write", async () => {
    const place = makePlace();
    const [one, two] = [await place(), await place()];
    await one.commit([lane(1)]);
    expect(await kindOf(two.commit([lane(1)]))).toBe("store.moved");
    await one.commit([lane(2)]);
    expect(await kindOf(two.commit([lane(3)]))).toBe("ok");
  });

  it("begins a lane anew after it was dropped", async () => {
    const store = await makePlace()();
    await store.commit([lane(1)]);
    await store.commit([{ row: "lane", drop: "session/a" as LaneKey }]);
    expect((await store.load()).lanes).toEqual([]);
    expect(await kindOf(store.commit([lane(1)]))).toBe("ok");
  });

  it("refuses a second message under one sender's key", async () => {
    const store = await makePlace()();
    await store.commit([message(1, { key: "k" })]);
    expect(await kindOf(store.commit([message(2, { key: "k" })]))).toBe("store.moved");
    expect(await kindOf(store.commit([message(2, { key: "k", sender: B })]))).toBe("ok");
    expect((await store.byKey(A, "k"))?.seq).toBe(1);
    expect(await store.byKey(A, "other")).toBe(null);
  });

  it("answers reads in the order they were asked", async () => {
    const store = await makePlace()();
    const commits = Array.from({ length: 20 }, (_each, i) => store.commit([message(i + 1)]));
    const between = store.log(0, 99);
    const later = store.commit([message(21)]);
    expect((await between).length).toBe(20);
    await Promise.all([...commits, later]);
    expect((await store.log(0, 99)).map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_each, i) => i + 1));
  });

  it("knows an inbox: sent to one, to everyone by others, since one joined", async () => {
    const store = await makePlace()();
    const everyone = ["*" as AgentId];
    await store.commit([
      message(1, { to: everyone, sender: B }),
      message(2, { to: [A] }),
      message(3, { to: everyone, sender: A }),
      message(4, { to: [A, B] }),
      message(5),
      message(6, { to: everyone, sender: B }),
    ]);
    const inbox = async (reader: AgentId, after: number, joined: number, limit = 99) =>
      (await store.inbox({ reader, after, joined, limit })).map(({ seq }) => seq);
    expect(await inbox(A, 0, 0)).toEqual([1, 2, 4, 6]);
    expect(await inbox(B, 0, 0)).toEqual([3, 4]);
    expect(await inbox(A, 0, 3)).toEqual([2, 4, 6]);
    expect(await inbox(A, 4, 0)).toEqual([6]);
    expect(await inbox(A, 0, 0, 2)).toEqual([1, 2]);
    expect(await inbox("nobody" as AgentId, 0, 0)).toEqual([1, 3, 6]);
    expect(
      await store.inboxCounts([
        { reader: A, joined: 0, delivered: 2, acted: 0 },
        { reader: B, joined: 0, delivered: 9, acted: 9 },
      ]),
    ).toEqual([
      { reader: A, undelivered: 2, unacted: 2 },
      { reader: B, undelivered: 0, unacted: 0 },
    ]);
  });

  it("loads what should wake whom, beyond what they have seen", async () => {
    const store = await makePlace()();
    await store.commit([
      message(1, { to: [A], message: FEEDBACK }),
      message(2, { to: [A], message: STATUS }),
      message(3, { to: [B], message: FEEDBACK }),
    ]);
    expect((await store.load()).waking).toEqual(
      expect.arrayContaining([
        { agent: A, seq: 1 },
        { agent: B, seq: 3 },
      ]),
    );
    await store.commit([{ row: "cursor", put: { ...freshCursor(A), delivered: 1 } }]);
    expect((await store.load()).waking).toEqual([{ agent: B, seq: 3 }]);
  });

  it("loads what wakes a supervisor, and only a supervisor", async () => {
    const store = await makePlace()();
    const blocked: Message = { type: "agent.blocked", agent_id: A, payload: { needs: "x", from: B } };
    await store.commit([message(1, { to: [B, SUPERVISOR], message: blocked })]);
    expect((await store.load()).waking).toEqual([{ agent: SUPERVISOR, seq: 1 }]);
  });

  it("loads questions that are open, or answered and not handed over", async () => {
    const store = await makePlace()();
    const permission = askedForPermission(2, A, "r" as RunId, { request: "q", text: "t", command: null }, NOW);
    await store.commit([
      { row: "question", put: answered(askedByMessage(1, A, "x", NOW), "y", B, NOW) },
      { row: "question", put: answered(permission, "allow", B, NOW) },
      { row: "question", put: withdrawn(askedByMessage(3, A, "z", NOW), NOW) },
      { row: "question", put: askedByMessage(4, A, "z", NOW) },
    ]);
    const books = await store.load();
    expect(books.questions.map(({ number }) => number)).toEqual([2, 4]);
    expect(books.lastQuestion).toBe(4);
  });

  it("keeps questions that are closed", async () => {
    const store = await makePlace()();
    const closed = answered(askedByMessage(1, A, "x", NOW), "y", B, NOW);
    await store.commit([{ row: "question", put: closed }]);
    expect([await store.question(1), await store.question(2)]).toEqual([closed, null]);
  });

  it("keeps every effect and how it went", async () => {
    const store = await makePlace()();
    await store.commit([effect(1), effect(2)]);
    await store.commit([{ row: "effect", settle: 1 as EffectId, outcome: { ok: true, warnings: ["w"] }, at: NOW }]);
    expect((await store.load()).unsettled.map(({ id }) => id)).toEqual([2]);
    expect(await store.effects(0, 9)).toMatchObject([
      { id: 1, settledAt: NOW, outcome: { ok: true, warnings: ["w"] } },
      { id: 2, settledAt: null, outcome: null },
    ]);
    expect(await kindOf(store.commit([effect(2)]))).toBe("store.moved");
  });

  it("gives lists in pages that hold so many bytes, and always one more", async () => {
    const store = await makePlace()();
    const long = (seq: number, length: number) =>
      message(seq, {
        to: [A],
        message: {
          type: "agent.status",
          agent_id: B,
          payload: { status: "é".repeat(length), modified_files: [], message: null },
        },
      });
    await store.commit([long(1, PAGE_BYTES / 4), long(2, PAGE_BYTES / 5), long(3, PAGE_BYTES), long(4, 1), long(5, 1)]);
    const log = async (after: number, limit = 99) => (await store.log(after, limit)).map(({ seq }) => seq);
    expect([await log(0), await log(2), await log(3), await log(0, 1), await log(5)]).toEqual([
      [1, 2],
      [3],
      [4, 5],
      [1],
      [],
    ]);
    const inbox = async (after: number) =>
      (await store.inbox({ reader: A, after, joined: 0, limit: 99 })).map(({ seq }) => seq);
    expect([await inbox(0), await inbox(2), await inbox(3)]).toEqual([[1, 2], [3], [4, 5]]);
    await store.commit([effect(1), effect(2), effect(3)]);
    const outcome = { ok: true, warnings: ["w".repeat(PAGE_BYTES)] } as const;
    await store.commit([{ row: "effect", settle: 2 as EffectId, outcome, at: NOW }]);
    const effects = async (after: number) => (await store.effects(after, 99)).map(({ id }) => id);
    expect([await effects(0), await effects(1), await effects(2)]).toEqual([[1], [2], [3]]);
  });

  it("takes back a token by its run, and rows by their name", async () => {
    const store = await makePlace()();
    const token = (digest: string, run: string): Change => ({
      row: "token",
      put: { digest, run: run as RunId, agent: A, role: "agent" },
    });
    await store.commit([
      token("d1", "r1"),
      token("d2", "r2"),
      { row: "roster", put: newcomer(A, NOW, 0) },
      { row: "cursor", put: freshCursor(A) },
    ]);
    await store.commit([
      { row: "token", drop: "r1" as RunId },
      { row: "roster", drop: A },
      { row: "cursor", drop: A },
      { row: "intent", drop: A },
    ]);
    const { tokens, roster, cursors } = await store.load();
    expect([tokens.map(({ digest }) => digest), roster, cursors]).toEqual([["d2"], [], []]);
  });

  describe("what is settled", () => {
    const settle = (id: number): Change => ({ row: "effect", settle: id as EffectId, outcome: { ok: true }, at: NOW });
    const ask = (number: number) =>
      askedForPermission(number, A, "r" as RunId, { request: String(number), text: "t", command: null }, NOW);
    const kept = async (store: Store) => {
      const effects = (await store.effects(0, 99)).map(({ id }) => id);
      const questions = await Promise.all([1, 2, 3, 4].map((number) => store.question(number)));
      return [effects, questions.flatMap((each) => each?.number ?? [])];
    };

    it("goes by number or by age, in steps; what is open stays, and the newest of each", async () => {
      const store = await makePlace()();
      await store.commit([effect(1), effect(2), effect(3), effect(4), settle(1), settle(3), settle(4)]);
      const closed = [1, 3, 4].map((number): Change => ({ row: "question", put: withdrawn(ask(number), NOW) }));
      await store.commit([...closed, { row: "question", put: ask(2) }]);
      const none = { effect: 0, question: 0, before: 0 as Instant };
      expect(await store.dropSettled(none, 9)).toBe(0);
      const all = { ...none, effect: 9, question: 9 };
      expect([await store.dropSettled(all, 1), await kept(store)]).toEqual([
        2,
        [
          [2, 3, 4],
          [2, 3, 4],
        ],
      ]);
      expect(await store.dropSettled({ ...none, before: (NOW + 1) as Instant }, 9)).toBe(1);
      expect([await store.dropSettled(all, 9), await store.dropSettled(all, 9)]).toEqual([1, 0]);
      expect(await kept(store)).toEqual([
        [2, 4],
        [2, 4],
      ]);
      expect(await store.load()).toMatchObject({ lastEffect: 4, lastQuestion: 4, unsettled: [{ id: 2 }] });
    });
  });

  describe("compaction", () => {
    const everything = (upTo: number) => ({ upTo, past: upTo, before: 0 as Instant });
    const seqs = async (store: Store) => (await store.log(0, 99)).map(({ seq }) => seq);
    const five = [
      message(1, { to: [A, B], key: "k" }),
      message(2, { to: ["*" as AgentId], sender: B }),
      message(3),
      message(4, { to: [A] }),
      message(5),
    ];

    it("takes out a beginning, in steps, and says how far it came", async () => {
      const store = await makePlace()();
      await store.commit(five);
      expect(await store.compact(everything(4), 3)).toBe(3);
      expect([await seqs(store), (await store.load()).compacted]).toEqual([[4, 5], 3]);
      expect(await store.compact(everything(4), 3)).toBe(4);
      expect(await store.compact(everything(4), 3)).toBe(4);
      const inbox = await store.inbox({ reader: A, after: 0, joined: 0, limit: 9 });
      expect([await seqs(store), inbox]).toEqual([[5], []]);
    });

    it("goes by count or by age, and never beyond where it may", async () => {
      const store = await makePlace()();
      await store.commit(five);
      expect(await store.compact({ upTo: 5, past: 0, before: (NOW + 3) as Instant }, 9)).toBe(2);
      expect(await store.compact({ upTo: 3, past: 5, before: 0 as Instant }, 9)).toBe(3);
      expect(await store.compact({ upTo: 5, past: 0, before: 0 as Instant }, 9)).toBe(3);
      expect(await seqs(store)).toEqual([4, 5]);
    });

    it("leaves head and epoch as they are, also when nothing is left, and after opening again", async () => {
      const place = makePlace();
      const store = await place();
      await store.commit(five);
      const { epoch } = await store.load();
      expect(await store.compact(everything(5), 9)).toBe(5);
      expect(await kindOf(store.commit([message(1)]))).toBe("store.moved");
      await store.close();
      const again = await place();
      expect(await again.load()).toMatchObject({ epoch, head: 5, compacted: 5 });
      expect([await kindOf(again.commit([message(7)])), await kindOf(again.commit([message(6)]))]).toEqual([
        "store.moved",
        "ok",
      ]);
      expect([await seqs(again), (await again.load()).head]).toEqual([[6], 6]);
    });

    it("forgets a key with its message", async () => {
      const store = await makePlace()();
      await store.commit(five);
      await store.compact(everything(1), 9);
      expect(await store.byKey(A, "k")).toBe(null);
      expect(await kindOf(store.commit([message(6, { key: "k" })]))).toBe("ok");
    });

    it("has nothing to wake anybody with once it is gone, and counts what is left", async () => {
      const store = await makePlace()();
      await store.commit([
        message(1, { to: [A], message: FEEDBACK }),
        message(2, { to: [A] }),
        message(3, { to: [A] }),
      ]);
      await store.compact(everything(2), 9);
      expect((await store.load()).waking).toEqual([]);
      expect(await store.inboxCounts([{ reader: A, joined: 0, delivered: 0, acted: 0 }])).toEqual([
        { reader: A, undelivered: 1, unacted: 0 },
      ]);
    });
  });

  it("answers nothing once it is closed", async () => {
    const store = await makePlace()();
    await store.close();
    expect(await kindOf(store.load())).toBe("store.broken");
  });
});

it("SQLite: the file is small again after most of it went, and what stayed is there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bm-store-"));
  folders.push(folder);
  const path = join(folder, "journal.db");
  const store = await openSqliteStore({ path, worker: WORKER });
  const long = { ...FEEDBACK, payload: { from: "supervisor", errors: ["x".repeat(100_000)] } } as unknown as Message;
  for (let seq = 1; seq <= 50; seq++) await store.commit([message(seq, { message: long })]);
  await store.compact({ upTo: 49, past: 49, before: 0 as Instant }, 99);
  await store.close();
  const log = existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
  expect([statSync(path).size < 1024 * 1024, log]).toEqual([true, 0]);
  const again = keep(await openSqliteStore({ path, worker: WORKER }));
  expect([(await again.log(0, 9)).map(({ seq }) => seq), (await again.load()).compacted]).toEqual([[50], 49]);
});
