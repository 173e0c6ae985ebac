import { afterEach, describe, expect, it } from "vitest";
import type { Claim, Region } from "../../src/core/claims/claim.ts";
import type { ConflictSettings } from "../../src/core/conflicts/detect.ts";
import type { Session } from "../../src/core/session/session.ts";
import { SESSION_LANE } from "../../src/core/session/session.ts";
import type { Instant } from "../../src/core/text/ids.ts";
import { HttpStage } from "./http-stage.ts";

/** The cases of reference/git-paw.md §10.3, over real HTTP; where spec 3 says otherwise, spec 3. */

const SETTINGS: ConflictSettings = { windowSeconds: 1, warnOnIntentOverlap: true, escalateOnViolation: true };

let http: HttpStage;
afterEach(() => http.close());

/** Two agents in a session with a supervisor, or without. */
async function open(settings: Partial<ConflictSettings> | null = {}): Promise<void> {
  http = await HttpStage.open();
  const { journal } = http.context;
  const session: Session = {
    name: "bm-x",
    project: "x",
    root: "/repo",
    base: "main" as Session["base"],
    placement: "child",
    arrangement: null,
    conflicts: settings === null ? null : { ...SETTINGS, ...settings },
    nudge: true,
    createdAt: 1 as Instant,
    after: 0,
    broker: true,
    allowed: [],
    owned: {},
    verify: false,
    land: { mode: "manual", strategy: "train", target: null },
    status: "active",
  };
  await journal.transact((transaction) => transaction.send(SESSION_LANE, { type: "begun", session }));
  for (const name of ["xx", "yy"]) await http.capability(name, "agent");
}

async function publish(agent: string, type: string, payload: object): Promise<void> {
  const { status, body } = await http.publish(agent, { type, agent_id: agent, payload });
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
}

const intends = (agent: string, ...files: Claim[]) =>
  publish(agent, "agent.intent", { files, summary: "work", valid_for_seconds: 900 });
const modifies = (agent: string, ...files: string[]) =>
  publish(agent, "agent.status", { status: "working", modified_files: files });

interface Wire {
  readonly type: string;
  readonly agent_id: string;
  readonly payload: { readonly from?: string; readonly errors?: string[]; readonly question?: string };
}

async function messages(agent: string, type: string): Promise<Wire[]> {
  const { body } = await http.call("operator", "GET", `/messages/${agent}`);
  return (body.messages as Wire[]).filter((each) => each.type === type);
}

const errors = async (agent: string): Promise<string[]> => {
  const found = await messages(agent, "agent.feedback");
  for (const { agent_id, payload } of found) expect([agent_id, payload.from]).toEqual([agent, "supervisor"]);
  return found.flatMap(({ payload }) => payload.errors ?? []);
};

/** What a person is asked, and what is in the supervisor's inbox of it. */
async function asked(): Promise<string[]> {
  const { body } = await http.call("operator", "GET", "/questions");
  const open = (body as unknown as { text: string }[]).map(({ text }) => text);
  const inbox = await messages("supervisor", "agent.question");
  expect(inbox.map(({ agent_id, payload }) => [agent_id, payload.question])).toEqual(
    open.map((text) => ["supervisor", text]),
  );
  return (body as unknown as { kind: string; text: string }[]).map(({ kind, text }) => `${kind}: ${text}`);
}

/** Time passes, and what follows from it is stored. */
async function pass(seconds: number): Promise<void> {
  http.world.clock.pass(seconds * 1000);
  await http.call("operator", "GET", "/snapshot");
}

const region = (path: string, ...regions: Region[]): Claim => ({ path, regions });
const fn = (name: string): Region => ({ kind: "function", name });
const lines = (start_line: number, end_line: number): Region => ({ kind: "range", start_line, end_line });
const TAG = "[conflict-detector]";

describe("forward", () => {
  it("names only what both plan, to both, and asks nobody", async () => {
    await open();
    await intends("xx", "a.rs", "b.rs");
    await intends("yy", "b.rs", "c.rs");
    expect(await errors("xx")).toEqual([`${TAG} forward conflict: yy also declares intent over b.rs`]);
    expect(await errors("yy")).toEqual([`${TAG} forward conflict: xx also declares intent over b.rs`]);
    await pass(999);
    expect(await asked()).toEqual([]);
  });

  it("is silent where it is switched off, and plans count all the same", async () => {
    await open({ warnOnIntentOverlap: false });
    await intends("xx", "a.rs");
    await intends("yy", "a.rs");
    expect([await errors("xx"), await errors("yy")]).toEqual([[], []]);
    await modifies("yy", "a.rs");
    expect(await errors("xx")).toEqual([
      `${TAG} in-flight conflict: file a.rs is being modified by yy, and you plan to`,
    ]);
  });

  it("knows functions apart, names a shared one, and takes a plain path for the whole file", async () => {
    await open();
    await intends("xx", region("a.rs", fn("one")));
    await intends("yy", region("a.rs", fn("two")));
    expect(await errors("xx")).toEqual([]);
    await intends("yy", region("a.rs", fn("one")));
    expect((await errors("xx")).at(-1)).toMatch(/a\.rs \(regions: .*one.*\)$/);
    await intends("yy", "a.rs");
    expect((await errors("xx")).at(-1)).toBe(`${TAG} forward conflict: yy also declares intent over a.rs`);
  });

  it("warns of a function against lines, with a hint; of equal names of different kinds, too", async () => {
    await open();
    await intends("xx", region("a.rs", fn("foo")), region("b.rs", fn("foo")));
    await intends("yy", region("a.rs", lines(1, 9)), region("b.rs", { kind: "block", anchor: "foo" }));
    expect(await errors("xx")).toHaveLength(1);
    expect((await errors("xx"))[0]).toMatch(/a\.rs .*b\.rs .*cannot be compared/);
  });

  it.each([
    ["validate_token()", "Validate Token", true],
    ["validate_token", "fn validate_token", true],
    ["foo_bar", "foobar", false],
  ])("takes %s and %s for the same: %s", async (one, other, same) => {
    await open();
    await intends("xx", region("a.rs", fn(one)));
    await intends("yy", region("a.rs", fn(other)));
    expect((await errors("xx")).length).toBe(same ? 1 : 0);
  });

  it("sees a folder over a file, one spelling of a path, and refuses paths that lead out", async () => {
    await open();
    await intends("xx", "src/");
    await intends("yy", "./src//a.rs");
    expect(await errors("xx")).toHaveLength(1);
    for (const path of ["/etc/passwd", "../x", "a/../../x"])
      expect(
        (await http.publish("xx", { type: "agent.intent", payload: { files: [path], summary: "s" } })).status,
      ).toBe(400);
  });

  it("ends with a retraction, a commit of the path, or its time", async () => {
    await open();
    await intends("xx", "a.rs", "b.rs");
    await publish("xx", "agent.artifact", { status: "committed", modified_files: ["a.rs"] });
    await intends("yy", "a.rs");
    expect(await errors("yy")).toEqual([]);
    await publish("xx", "agent.retract", {});
    await intends("yy", "b.rs");
    expect(await errors("yy")).toEqual([]);
    await publish("xx", "agent.intent", { files: ["c.rs"], summary: "s", valid_for_seconds: 5 });
    await pass(6);
    await intends("yy", "c.rs");
    expect(await errors("yy")).toEqual([]);
  });
});

describe("in flight", () => {
  it("is told to both at once, and asked about after the window", async () => {
    await open();
    await modifies("xx", "a.rs");
    await modifies("yy", "a.rs");
    expect(await errors("xx")).toEqual([`${TAG} in-flight conflict: file a.rs is being modified by both you and yy`]);
    expect(await errors("yy")).toEqual([`${TAG} in-flight conflict: file a.rs is being modified by both you and xx`]);
    expect(await asked()).toEqual([]);
    await pass(1);
    expect(await asked()).toEqual([
      `conflict: ${TAG} in-flight conflict: xx and yy have both been at a.rs for 1 s, and neither has given way: who should go on?`,
    ]);
    await pass(99);
    expect(await asked()).toHaveLength(1);
  });

  it("counts an artifact's files", async () => {
    await open();
    await modifies("xx", "a.rs");
    await publish("yy", "agent.artifact", { status: "done", modified_files: ["a.rs"] });
    expect(await errors("xx")).toEqual([`${TAG} in-flight conflict: file a.rs is being modified by both you and yy`]);
    expect(await errors("yy")).toEqual([`${TAG} in-flight conflict: file a.rs is being modified by both you and xx`]);
    await pass(99);
    expect(await asked()).toEqual([]);
  });

  it("is not ended by a heartbeat without files", async () => {
    await open();
    await modifies("xx", "a.rs");
    await modifies("yy", "a.rs");
    await publish("xx", "agent.status", { status: "working", modified_files: [] });
    await pass(1);
    expect(await asked()).toHaveLength(1);
  });

  it("takes its question back when one side has committed", async () => {
    await open();
    await modifies("xx", "a.rs", "b.rs");
    await modifies("yy", "a.rs", "b.rs");
    await pass(1);
    const questions = async () => (await http.call("operator", "GET", "/questions")).body as unknown as unknown[];
    expect(await questions()).toHaveLength(1);
    await publish("yy", "agent.artifact", { status: "committed", modified_files: ["a.rs"] });
    expect(await questions()).toHaveLength(1);
    await publish("yy", "agent.artifact", { status: "committed", modified_files: ["b.rs"] });
    expect(await questions()).toEqual([]);
  });

  it("ends its timer when one side has committed", async () => {
    await open();
    await modifies("xx", "a.rs");
    await modifies("yy", "a.rs");
    await publish("yy", "agent.artifact", { status: "committed", modified_files: ["a.rs"] });
    await pass(99);
    expect(await asked()).toEqual([]);
  });

  it("with regions that are apart is one piece of information, and no question", async () => {
    await open();
    await intends("xx", region("a.rs", lines(1, 10)));
    await intends("yy", region("a.rs", lines(20, 30)));
    await modifies("xx", "a.rs");
    await modifies("yy", "a.rs");
    await pass(1);
    expect(await asked()).toEqual([]);
    expect((await errors("xx")).at(-1)).toContain("shared file, additive");
    expect((await errors("yy")).at(-1)).toContain("shared file, additive");
  });
});

describe("ownership", () => {
  it("is told to the one who edits what the other plans, and asked about", async () => {
    await open();
    await intends("xx", "a.rs");
    await intends("yy", "b.rs");
    await modifies("yy", "a.rs");
    expect(await errors("yy")).toEqual([
      `${TAG} ownership violation: you edited a.rs but agent xx declared intent over it`,
      `${TAG} in-flight conflict: file a.rs is being modified by you, and xx plans to`,
    ]);
    expect(await errors("xx")).toEqual([
      `${TAG} in-flight conflict: file a.rs is being modified by yy, and you plan to`,
    ]);
    expect(await asked()).toEqual([
      `conflict: ${TAG} ownership violation: yy edited a.rs, which is xx's: is that meant?`,
    ]);
  });

  it("is not asked about where that is switched off", async () => {
    await open({ escalateOnViolation: false });
    await intends("xx", "a.rs");
    await intends("yy", "b.rs");
    await modifies("yy", "a.rs");
    expect((await errors("yy"))[0]).toContain("ownership violation");
    expect(await asked()).toEqual([]);
  });

  it("warns again when the fault is made again", async () => {
    await open({ escalateOnViolation: false });
    await intends("xx", "a.rs");
    await modifies("yy", "a.rs");
    await modifies("yy", "b.rs");
    await modifies("yy", "a.rs");
    expect((await errors("yy")).filter((error) => error.includes("ownership"))).toHaveLength(2);
  });
});

it("says nothing at all in a session without a supervisor, and still records plans", async () => {
  await open(null);
  await intends("xx", "a.rs");
  await intends("yy", "a.rs");
  await modifies("xx", "a.rs");
  await modifies("yy", "a.rs");
  await pass(99);
  expect([await errors("xx"), await errors("yy"), await asked()]).toEqual([[], [], []]);
  const { body } = await http.call("operator", "GET", "/conflicts");
  expect(body.forward).toMatchObject([{ between: ["xx", "yy"], paths: ["a.rs"] }]);
});
