import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { example, HttpStage } from "./http-stage.ts";

let http: HttpStage;
beforeEach(async () => {
  http = await HttpStage.open();
});
afterEach(() => http.close());

const status = (text: string, extra: object = {}) => ({
  type: "agent.status",
  agent_id: "a",
  payload: { status: "working", message: text },
  ...extra,
});
const say = async (count: number) => {
  for (let i = 0; i < count; i++) await http.publish("a", status(String(i)));
};
const artifact = () => http.publish("b", { ...example("agent.artifact", "b"), payload: { status: "done" } });
const log = async (query = "") => {
  const { status: code, body } = await http.call("operator", "GET", `/log${query}`);
  return [code, (body.entries as { seq: number }[] | undefined)?.map(({ seq }) => seq) ?? body];
};

describe("a log that was compacted", () => {
  it("has a beginning, no holes, and the next seq as ever", async () => {
    await say(5);
    await http.keep(2);
    await say(1);
    expect(await log()).toEqual([200, [4, 5, 6]]);
    expect(await log("?since=3")).toEqual([200, [4, 5, 6]]);
    expect(await log("?since=2")).toEqual([410, expect.objectContaining({ kind: "log.gone", since: 3 })]);
    expect(await log("?since=0")).toEqual([
      410,
      expect.objectContaining({ error: expect.stringMatching(/no longer/) }),
    ]);
  });

  it("goes on after all of it is gone, and after a restart", async () => {
    await say(3);
    await http.keep(0);
    expect(await log()).toEqual([200, []]);
    await http.world.open();
    expect(http.context.journal).toMatchObject({ head: 3, compacted: 3, epoch: "epoch-1" });
    expect((await http.publish("a", status("next"))).body).toEqual({ seq: 4 });
  });

  it("keeps what somebody of the roster has still to read, and all after it", async () => {
    await artifact();
    await say(3);
    await http.keep(0);
    expect(await log()).toEqual([200, [1, 2, 3, 4]]);
    await http.inbox("a");
    await http.keep(0);
    expect(await log()).toEqual([200, []]);
  });

  it("has nothing missing for a reader that goes on from its own cursor, however old that is", async () => {
    await artifact();
    expect((await http.inbox("a")).body).toMatchObject({ last_seq: 1 });
    await say(6);
    await http.keep(2);
    expect([(await http.inbox("a", "a", "?since=1")).status, (await http.inbox("a")).status]).toEqual([200, 200]);
    const again = await http.inbox("a", "a", "?since=0");
    expect([again.status, again.body]).toEqual([410, expect.objectContaining({ since: 5 })]);
    expect((await http.inbox("operator", "stranger", "?since=4")).status).toBe(410);
    expect((await http.inbox("operator", "stranger", "?since=5")).status).toBe(200);
  });

  it("knows a key only as long as its message", async () => {
    const keyed = status("x", { key: "k" });
    expect([(await http.publish("a", keyed)).body, (await http.publish("a", keyed)).body]).toEqual([
      { seq: 1 },
      { seq: 1 },
    ]);
    await http.keep(0);
    expect((await http.publish("a", keyed)).body).toEqual({ seq: 2 });
  });
});

it("happens by itself, once a minute", async () => {
  await say(5);
  http.world.settings = { ...http.world.settings, retention: { messages: 1, days: 1_000 } };
  http.world.clock.pass(60_000);
  while (http.context.journal.compacted < 4) await new Promise((resolve) => setImmediate(resolve));
  expect(await log()).toEqual([200, [5]]);
});

it("says first that a key is taken, then that one is too fast", async () => {
  await http.close();
  http = await HttpStage.open({ perSecond: 1, burst: 1 });
  await http.publish("a", status("x", { key: "k" }));
  expect([
    (await http.publish("a", status("other", { key: "k" }))).status,
    (await http.publish("a", status("x", { key: "k" }))).status,
    (await http.publish("a", status("y"))).status,
  ]).toEqual([409, 429, 429]);
});
