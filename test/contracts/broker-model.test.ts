import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/adapters/sqlite/store.ts";
import { isOpen, questionId } from "../../src/core/messages/questions.ts";
import type { AgentId } from "../../src/core/text/ids.ts";
import { viewInbox } from "../../src/engine/views/views.ts";
import type { Store } from "../../src/ports/store.ts";
import { FakeDisk, FakeStore } from "../fakes/fake-store.ts";
import { type Called, openCalls, openHttp } from "../model/broker-under-test.ts";
import { AGENTS, Histories, type Operation } from "../model/histories.ts";
import { ReferenceBroker, type Said } from "../model/reference-broker.ts";
import { wholeLog } from "../whole-log.ts";

/**
 * Generated histories, played to the broker and to a small one that only has to be right. `OPERATIONS=100000 SEED=7` is
 * the long run.
 */
const OPERATIONS = Number(process.env.OPERATIONS ?? 1_500);
const SEED = Number(process.env.SEED ?? 1);
const WORKER = new URL("../../dist/sqlite-worker.mjs", import.meta.url);
/** What is in memory is compared after every operation; the log and inboxes after so many, and after every restart. */
const LOOK_EVERY = 250;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function sqlite(): () => Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "bm-model-"));
  folders.push(folder);
  return () => openSqliteStore({ path: join(folder, "journal.db"), worker: WORKER });
}

function memory(): () => Promise<Store> {
  const disk = new FakeDisk();
  return async () => new FakeStore(disk);
}

describe.each([
  ["its functions, over SQLite", openCalls, sqlite, OPERATIONS],
  ["real HTTP, over SQLite", openHttp, sqlite, Math.ceil(OPERATIONS / 3)],
  ["its functions, over the fake store", openCalls, memory, Math.min(OPERATIONS, 400)],
])("the broker by %s", (_, open, makeDisk, operations) => {
  it(`does what the reference broker does, ${operations} times`, { timeout: 60_000 + operations * 20 }, async () => {
    const disk = makeDisk();
    const histories = new Histories(SEED);
    const reference = new ReferenceBroker();
    const done: Record<string, number> = {};
    let broker = await open(await disk(), reference);
    const { epoch } = broker.context.journal;
    for (let i = 1; i <= operations; i++) {
      // Now and then it is quiet for a minute, so that what depends on time is met.
      reference.time += i % 50 === 0 ? 61_000 : 1;
      const operation = histories.next(reference.head);
      if (operation.do === "restart") {
        await broker.close();
        broker = await open(await disk(), reference);
        expect(broker.context.journal.epoch).toBe(epoch);
      } else {
        const [expected, actual] = [expectedOf(reference, operation), await actualOf(broker, operation)];
        expect([i, operation, actual]).toEqual([i, operation, expected]);
        count(done, `${operation.do} ${expected[0]}`);
      }
      compareBooks(broker, reference, i);
      if (operation.do === "restart" || i % LOOK_EVERY === 0) await compareLog(broker, reference, i);
      if (operation.do === "restart") count(done, "restart");
    }
    await compareLog(broker, reference, operations);
    await broker.close();
    console.log(`seed ${SEED}: ${JSON.stringify(done)}, head ${reference.head}, kept ${reference.entries.length}`);
    expect(done["publish 202"]).toBeGreaterThan(operations / 3);
  });
});

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

function expectedOf(reference: ReferenceBroker, operation: Exclude<Operation, { do: "restart" }>): Said {
  switch (operation.do) {
    case "publish":
      return reference.publish(operation.who, operation.bodies, operation.many);
    case "read":
      return reference.read(operation.who, operation.agent, operation.asks);
    case "log":
      return reference.log(operation.since, operation.limit);
    case "compact":
      reference.compact(operation.kept);
      return [200, reference.gone];
  }
}

async function actualOf(broker: Called, operation: Exclude<Operation, { do: "restart" }>): Promise<Said> {
  switch (operation.do) {
    case "publish":
      return broker.publish(operation.who, operation.many ? operation.bodies : operation.bodies[0]);
    case "read":
      return broker.read(operation.who, operation.agent, operation.asks);
    case "log":
      return broker.log(operation.since, operation.limit);
    case "compact":
      await broker.compact(operation.kept);
      return [200, broker.context.journal.compacted];
  }
}

/** What the broker keeps in memory, side by side. */
function compareBooks({ context }: Called, reference: ReferenceBroker, at: number): void {
  const { journal } = context;
  const rows = [...journal.roster.values()].map(({ agent, state, label, files, joined, lastSeen, since }) => [
    agent,
    { state, label, files, joined, seen: lastSeen, since },
  ]);
  const claims = [...journal.intents.values()].map(({ agent, claims: paths }) => [agent, paths]);
  const cursors = [...journal.cursors.values()];
  expect({
    at,
    head: journal.head,
    gone: journal.compacted,
    rows: Object.fromEntries(rows),
    claims: Object.fromEntries(claims),
    questions: [...journal.openQuestions.values()]
      .filter(isOpen)
      .map((question) => [questionId(question), question.agent, question.text]),
    delivered: cursors.map(({ agent, delivered, acted }) => [agent, delivered, acted]).sort(),
  }).toEqual({
    at,
    head: reference.head,
    gone: reference.gone,
    rows: Object.fromEntries(reference.rows),
    claims: Object.fromEntries(reference.claims),
    questions: reference.questions.map(({ number, agent, text }) => [`q${number}`, agent, text]),
    delivered: [...reference.delivered].map(([agent, seq]) => [agent, seq, reference.acted.get(agent) ?? 0]).sort(),
  });
}

/** The log and every inbox with its receipts. */
async function compareLog({ context }: Called, reference: ReferenceBroker, at: number): Promise<void> {
  const log = await wholeLog(context.store);
  expect([
    at,
    log.map(({ seq, sender, to, message, key, re }) => ({ seq, from: sender, to, message, key, re })),
  ]).toEqual([at, reference.entries]);
  for (const agent of AGENTS) {
    const inbox = await viewInbox(context, agent as AgentId);
    const receipts = inbox.map(({ seq, delivered, acted }) => [
      seq,
      acted ? "acted" : delivered ? "delivered" : "queued",
    ]);
    expect(receipts).toEqual(reference.receipts(agent).slice(-1_000));
  }
}
