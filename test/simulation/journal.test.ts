import { describe, expect, it } from "vitest";
import { type Envelope, parseMessage } from "../../src/core/messages/parse-message.ts";
import type { AgentId, LaneKey } from "../../src/core/text/ids.ts";
import { Journal } from "../../src/engine/journal/journal.ts";
import { publish } from "../../src/engine/messages/publish.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeDisk, FakeStore } from "../fakes/fake-store.ts";

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "ok",
    (error: { failure?: { kind: string } }) => error.failure?.kind,
  );

async function stage() {
  const disk = new FakeDisk();
  const store = new FakeStore(disk);
  const journal = await Journal.open(store);
  const context = { journal, clock: new FakeClock(), wake: () => {} };
  const say = (agent: string, text = "x") =>
    publish(context, [
      parseMessage(
        { type: "agent.status", agent_id: agent, payload: { status: "working", message: text } },
        null,
      ) as Envelope,
    ]);
  return { disk, store, journal, say };
}

describe("a store that fails", () => {
  it("costs exactly what was not acknowledged; seqs stay without gaps", async () => {
    const { disk, store, say } = await stage();
    expect(await say("a")).toEqual([1]);
    disk.failures.push({ kind: "store.full" });
    // Three at once: the first fails, the two decided on top of it must not be stored as if it had not.
    const results = await Promise.all([
      kindOf(say("a", "lost")),
      kindOf(say("b", "moved")),
      kindOf(say("c", "moved too")),
    ]);
    expect(results).toEqual(["store.full", "store.moved", "store.moved"]);
    expect(await say("d")).toEqual([2]);
    expect((await store.log(0, 9)).map(({ seq, sender }) => [seq, sender])).toEqual([
      [1, "a"],
      [2, "d"],
    ]);
  });

  it("leaves memory as the disk has it", async () => {
    const { disk, journal, say } = await stage();
    disk.failures.push({ kind: "store.broken", detail: "EIO" });
    await kindOf(say("ghost"));
    await say("real");
    expect([...journal.roster.keys()]).toEqual(["real"]);
    expect(journal.head).toBe(1);
  });

  it("is tried again as long as it fails", async () => {
    const { disk, say } = await stage();
    for (let i = 0; i < 5; i++) {
      disk.failures.push({ kind: "store.full" });
      expect(await kindOf(say("a"))).toBe("store.full");
    }
    expect(await say("a")).toEqual([1]);
  });
});

it("does not keep what a decision put before it threw", async () => {
  const { journal, store } = await stage();
  const rules = { initial: null, read: (stored: unknown) => stored, reduce: () => ({ half: true }) };
  const lane = { key: "session" as LaneKey, rules };
  await kindOf(
    journal.transact((transaction) => {
      transaction.send(lane, "half");
      throw new Error("changed my mind");
    }),
  );
  await journal.transact(({ put }) => put({ row: "setting", put: { key: "k", value: "v" } }));
  expect([journal.state(lane), (await store.load()).lanes]).toEqual([null, []]);
});

it("tells listeners only what is stored", async () => {
  const { disk, journal, say } = await stage();
  const heard: number[] = [];
  journal.onStored((changes) => heard.push(changes.length));
  disk.failures.push({ kind: "store.full" });
  await kindOf(say("a"));
  await say("a");
  expect(heard.length).toBe(1);
  expect(journal.entry("a" as AgentId)?.state).toBe("working");
});
