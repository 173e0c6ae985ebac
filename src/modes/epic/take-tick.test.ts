import { beforeEach, describe, expect, it } from "vitest";
import { draw, type Given, NOW, read } from "../../../test/epics/sketch.ts";
import { FakeEpicStore } from "../../../test/fakes/fake-epic-store.ts";
import { FakeDispatcher, FakeNotifier, FakeRoles } from "../../../test/fakes/fake-epic-workers.ts";
import { DEFAULT_POLICY } from "../../core/epic/decide/policy.ts";
import type { EpicPorts } from "../../ports/epic.ts";
import { takeTick } from "./take-tick.ts";

const PLACE = "/epics/e.md";
const DISPATCH = '{"action":"dispatch","task_id":"a","worker":"claude"}';

let store: FakeEpicStore;
let roles: FakeRoles;
let dispatcher: FakeDispatcher;
let notifier: FakeNotifier;
beforeEach(() => {
  [store, roles, dispatcher, notifier] = [
    new FakeEpicStore(),
    new FakeRoles(),
    new FakeDispatcher(),
    new FakeNotifier(),
  ];
  roles.answers.set("planner", { said: DISPATCH });
});

const ports = (): EpicPorts => ({
  ...{ store, roles, dispatcher, notifier },
  now: () => NOW,
  isGone: (by) => by === "dead:1",
});
const tick = (more = {}) =>
  takeTick(ports(), {
    place: PLACE,
    called: "e",
    policy: { ...DEFAULT_POLICY, by: "me:1" },
    signals: [],
    verdict: null,
    dryRun: false,
    ...more,
  });
const lay = (sketch: Given, change = (text: string) => text) => store.texts.set(PLACE, change(draw(sketch)));
const epic = () => read(store.texts.get(PLACE) ?? "");

describe("a tick", () => {
  it("holds the file while a role thinks, and leaves neither lease nor intent behind", async () => {
    lay({ items: "a queued" });
    expect(await tick()).toMatchObject({ next: "applied", row: { class: "dispatch_ok" } });
    expect([epic().lease, epic().intent, dispatcher.sent.length, store.saves]).toEqual([null, null, 1, 3]);
  });

  it("offers the planner only workers who can be sent, and writes nothing of others", async () => {
    lay({ items: "a queued" });
    dispatcher.missing.add("claude");
    const verdict = { verdict: DISPATCH };
    await expect(tick(verdict)).rejects.toMatchObject({
      failure: { message: expect.stringMatching(/claude is not installed/) },
    });
    expect([store.texts.get(PLACE), dispatcher.asked]).toEqual([draw({ items: "a queued" }), []]);
    await tick();
    expect(roles.asked[0]?.brief).toMatchObject({ workers: ["codex", "gemini", "opencode", "pi"] });
    expect([epic().memory.at(-1)?.class, dispatcher.asked]).toEqual(["verdict_malformed", []]);
    // What an answer would lead to is another question.
    expect(await tick({ ...verdict, dryRun: true })).toMatchObject({ row: { class: "dispatch_ok" } });
  });

  it("refuses an answer that is none from whoever hands it in, and counts nothing", async () => {
    lay({ items: "a queued" });
    for (const verdict of ["no", '{"action":"dispatch","task_id":"a","worker":"devin"}'])
      await expect(tick({ verdict })).rejects.toMatchObject({
        failure: { kind: "usage", message: expect.stringMatching(/^This is no answer for the planner: /) },
      });
    expect([store.texts.get(PLACE), store.saves]).toEqual([draw({ items: "a queued" }), 0]);
    expect(await tick({ verdict: "no", dryRun: true })).toMatchObject({ row: { class: "verdict_malformed" } });
    roles.answers.set("planner", { said: "no" });
    expect(await tick()).toMatchObject({ row: { class: "verdict_malformed" } });
  });

  it("49: is not saved, and sends nobody, when somebody changed the file meanwhile", async () => {
    const theirs = draw({ items: "a cancelled" });
    for (const verdict of [DISPATCH, null]) {
      lay({ items: "a queued" });
      store.before = () => store.texts.set(PLACE, theirs);
      expect(await tick({ verdict })).toMatchObject({ next: "noop", effects: [] });
    }
    expect([store.texts.get(PLACE), dispatcher.asked, notifier.told.size]).toEqual([theirs, [], 0]);
  });

  it("gives an answer up when a person edits while a role thinks, and takes its lease back", async () => {
    lay({ items: "a queued" });
    roles.meanwhile = () => {
      const text = store.texts.get(PLACE) ?? "";
      store.texts.set(PLACE, text.replace("| a | Item a | queued", "| a | Item a | cancelled"));
    };
    expect(await tick()).toMatchObject({ next: "noop" });
    expect(store.texts.get(PLACE)).toBe(draw({ items: "a cancelled" }));
    expect(dispatcher.asked).toEqual([]);
  });

  it("54: says that the store cannot be reached, which is not the same as nothing to do", async () => {
    lay({ items: "a queued" });
    store.unreachable = true;
    await expect(tick()).rejects.toMatchObject({ failure: { kind: "file.failed" } });
  });

  it("waits for the lease of somebody who lives, and not of somebody who is gone", async () => {
    const leased = (by: string) => (text: string) =>
      text.replace("seq: 0\n", `seq: 0\nlease: {"by":"${by}","until":"2030-01-01T00:00:00Z"}\n`);
    lay({ items: "a queued" }, leased("other:2"));
    expect(await tick()).toMatchObject({ next: "noop", why: "other:2 is working on it" });
    lay({ items: "a queued" }, leased("dead:1"));
    expect(await tick()).toMatchObject({ next: "applied" });
    lay({ items: "a queued" }, (text) => leased("other:2")(text).replace("2030", "2020"));
    expect(await tick()).toMatchObject({ next: "applied" });
  });

  it("keeps an answer when another host has bounded its lease meanwhile", async () => {
    lay({ items: "a queued" });
    roles.meanwhile = () => {
      const text = store.texts.get(PLACE) ?? "";
      store.texts.set(PLACE, text.replace(/"until":"[^"]+"/, '"until":"2026-05-08T12:01:00Z"'));
    };
    expect(await tick()).toMatchObject({ next: "applied", row: { class: "dispatch_ok" } });
    expect([epic().lease, dispatcher.sent.length]).toEqual([null, 1]);
  });

  it("writes down until when a lease dated years ahead holds here", async () => {
    lay({ items: "a queued" }, (text) =>
      text.replace("seq: 0\n", 'seq: 0\nlease: {"by":"other:2","until":"2036-01-01T00:00:00Z"}\n'),
    );
    expect(await tick()).toMatchObject({ next: "noop", why: "other:2 is working on it" });
    expect(epic().lease).toEqual({ by: "other:2", until: NOW + 20 * 60_000 });
  });

  it("notes that a dispatch failed, and the next one makes a row of it", async () => {
    lay({ items: "a queued" });
    dispatcher.fails = "no such program";
    await tick();
    expect(epic().intent).toMatchObject({ item: "a", failed: "no such program" });
    expect(await tick()).toMatchObject({ row: { class: "act_failed", notes: "no such program" } });
    expect(epic()).toMatchObject({ intent: null, items: [{ pending: { for: "react" } }] });
    expect(dispatcher.asked.length).toBe(1);
  });

  it("puts a role nobody plays to a person, and keeps what it has heard", async () => {
    lay({ items: "a in_progress claude" });
    roles.answers.clear();
    const signals = [{ item: "a", kind: "exit" as const, code: 0, pr: "https://x/pull/1" }];
    expect(await tick({ signals })).toMatchObject({ next: "ask", role: "verifier" });
    expect(epic()).toMatchObject({
      lease: null,
      seq: 0,
      items: [{ surface: "https://x/pull/1", pending: { for: "verify" } }],
    });
  });

  it("takes a role that could not answer for a malformed answer, and says why", async () => {
    lay({ items: "a queued" });
    roles.answers.set("planner", { failed: "no answer in 600 s" });
    expect(await tick()).toMatchObject({
      row: { class: "verdict_malformed", notes: "no answer in 600 s" },
      effects: [{ kind: "save" }],
    });
  });
});
