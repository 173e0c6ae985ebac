import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createCommandWorkers } from "../../src/adapters/epic/command-workers.ts";
import { createNotices } from "../../src/adapters/epic/notices.ts";
import { createRoleCommands } from "../../src/adapters/epic/role-commands.ts";
import { createSentOnce } from "../../src/adapters/epic/sent-once.ts";
import { createSessionWorkers } from "../../src/adapters/epic/session-workers.ts";
import { createIsAhead } from "../../src/adapters/git/is-ahead.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import { systemFiles } from "../../src/adapters/system/files.ts";
import { createSessionClient } from "../../src/cli/supervisor/session-client.ts";
import { findRepository } from "../../src/cli/wire/find-repository.ts";
import type { Environment } from "../../src/core/clis/environment.ts";
import type { RoleRequest } from "../../src/core/epic/decide/decided.ts";
import type { Worker } from "../../src/core/epic/decide/workers.ts";
import type { Instant } from "../../src/core/text/ids.ts";
import type { Dispatcher, Notifier, Roles } from "../../src/ports/epic.ts";
import { draw, read } from "../epics/sketch.ts";
import { FakeDispatcher, FakeNotifier, FakeRoles } from "../fakes/fake-epic-workers.ts";
import { BIN, eventually, Stage } from "../stage.ts";

const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "bm-hands-"));
  folders.push(path);
  return path;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
});

const find = async (program: string) => (program === "sh" ? "/bin/sh" : null);
const command = createCommand("banksman.test.hands");
const env = { PATH: process.env.PATH ?? "" };
const linesOf = (path: string): string[] => {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
};

const SAID = ' {"verdict":"PASS"}\n\n';

function fakeRoles(): Roles {
  const roles = new FakeRoles();
  roles.answers.set("planner", { said: SAID });
  roles.answers.set("verifier", { failed: "exit code 3" });
  return roles;
}

function commandRoles(): Roles {
  const role = (script: string) => ({ command: ["sh", "-c", script], cli: null, timeoutSeconds: 20 });
  const roles = new Map([
    ["planner", role(`printf '%s' '${SAID}'`)],
    ["verifier", role("exit 3")],
  ]);
  return createRoleCommands(command, {
    root: folder(),
    files: systemFiles,
    env,
    roles,
    askCli: async () => ({ person: true }),
  });
}

describe.each<readonly [string, () => Roles]>([
  ["fake", fakeRoles],
  ["commands", commandRoles],
])("Roles (%s)", (_, make) => {
  const epic = read(draw({ items: "a queued" }));
  const ask = (role: string) => make().ask({ role, brief: {}, item: "a" } as unknown as RoleRequest, epic);

  it("gives the answer as it was given", async () => {
    expect(await ask("planner")).toEqual({ said: SAID });
  });
  it("leaves to a person what nobody plays", async () => {
    expect(await ask("critic")).toEqual({ person: true });
  });
  it("says why there is none", async () => {
    expect(await ask("verifier")).toEqual({ failed: expect.stringContaining("exit code 3") });
  });
});

interface Hands {
  readonly dispatcher: Dispatcher;
  readonly worker: string;
  /** The keys that reached a worker. */
  sent(): Promise<readonly string[]>;
  /** Where what the first dispatch came to is reviewed. */
  readonly surface: string;
}

async function fakeHands(known: boolean): Promise<Hands> {
  const dispatcher = new FakeDispatcher();
  dispatcher.ends.set("a", { code: 0, pr: "https://x/pull/a" });
  dispatcher.fails = known ? null : "hand has no command";
  if (!known) dispatcher.missing.add("hand");
  const sent = async () => dispatcher.sent.map(({ key }) => key);
  return { dispatcher, worker: "hand", surface: "https://x/pull/a", sent };
}

async function commandHands(known: boolean): Promise<Hands> {
  const [home, log] = [folder(), join(folder(), "sent")];
  const script = `echo "$1" >> '${log}'; echo "pr: https://x/pull/$2"`;
  const hand: Worker = {
    ...{ name: "hand", capabilities: [], capacity: 2, mode: "command" },
    command: ["sh", "-c", script, "sh", "{key}", "{item}"],
  };
  const workers = new Map(known ? [["hand", hand] as const] : []);
  const runner = [process.execPath, BIN, "epic", "work"];
  const isGone = () => false;
  const isAhead = async () => false;
  const commands = createCommandWorkers({
    folder: home,
    root: folder(),
    env,
    workers,
    runner,
    isGone,
    isAhead,
    find,
  });
  const dispatcher = createSentOnce(home, commands);
  return { dispatcher, worker: "hand", surface: "https://x/pull/a", sent: async () => linesOf(log) };
}

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

/** Agents of a session that is up already; another agent is in it. */
async function sessionHands(known: boolean): Promise<Hands> {
  const stage = new Stage();
  stages.push(stage);
  await stage.start("other");
  const repository = findRepository(stage.root, stage.env);
  if (repository === null) throw new Error("no repository");
  const env = stage.env as Environment;
  const agents = createSessionWorkers(createSessionClient(repository, env), {
    isAhead: createIsAhead(command, repository, env),
    whyNot: async (cli) => (cli === "scripted" ? null : { kind: "cli.unknown", cli, known: [], near: null }),
  });
  const dispatcher = createSentOnce(folder(), agents);
  const sent = async () =>
    (await stage.status()).agents
      .flatMap(({ branch }) => /^epic\/e\/a\.(\d+)\.(\d+)$/.exec(branch ?? "") ?? [])
      .flatMap((_, i, all) => (i % 3 === 0 ? [`e/${all[i + 1]}/${all[i + 2]}`] : []));
  return { dispatcher, worker: known ? "scripted" : "nobody-at-all", surface: "branch epic/e/a.1.1", sent };
}

describe.each<readonly [string, (known: boolean) => Promise<Hands>]>([
  ["fake", fakeHands],
  ["commands", commandHands],
  ["session", sessionHands],
])("Dispatcher (%s)", (_, make) => {
  const order = { type: "dispatch", item: "a", title: "A", project: "" } as const;
  const out = read(draw({ items: "a in_progress hand; b in_progress hand", status: "in_progress" }));

  it("sends once per key however often it is asked, and hears how it ended", async () => {
    const { dispatcher, sent, worker, surface } = await make(true);
    const send = (key: string) => dispatcher.dispatch({ ...order, worker, key }, out, "/e.md");
    expect(await dispatcher.observe(out)).toEqual([]);
    expect(await Promise.all([send("e/1/1"), send("e/1/1"), send("e/1/1")])).toEqual([null, null, null]);
    const ended = { item: "a", kind: "exit", code: 0, pr: surface };
    await eventually(async () => (await dispatcher.observe(out)).some(({ kind }) => kind === "exit"));
    expect(await dispatcher.observe(out)).toEqual([ended]);
    expect([await send("e/1/1"), await send("e/1/2")]).toEqual([null, null]);
    await eventually(async () => (await sent()).length === 2);
    expect([...(await sent())].sort()).toEqual(["e/1/1", "e/1/2"]);
  });

  it("says nothing of items that nobody is out for", async () => {
    const { dispatcher, worker } = await make(true);
    await dispatcher.dispatch({ ...order, worker, key: "e/1/1" }, out, "/e.md");
    await eventually(async () => (await dispatcher.observe(out)).some(({ kind }) => kind === "exit"));
    expect(await dispatcher.observe(read(draw({ items: "a ready_for_user_review hand; b queued" })))).toEqual([]);
  });

  it("refuses a key that another item has had, and a key behind what was sent, and then nobody was sent", async () => {
    const { dispatcher, sent, worker } = await make(true);
    const send = (item: string, key: string) => dispatcher.dispatch({ ...order, item, worker, key }, out, "/e.md");
    expect(await send("a", "e/1/4")).toBeNull();
    await eventually(async () => (await sent()).length === 1);
    expect(await send("b", "e/1/4")).toMatch(/^e\/1\/4 was sent before, for a: /);
    expect(await send("a", "e/1/2")).toMatch(/^a was sent by e\/1\/4, of which this file does not know: /);
    expect(await send("b", "e/2/3")).toMatch(/^a was sent by e\/1\/4/);
    expect([await send("a", "e/1/4"), await sent()]).toEqual([null, ["e/1/4"]]);
  });

  it("knows beforehand who cannot be sent, and why", async () => {
    const { dispatcher, worker } = await make(true);
    expect(await dispatcher.unable([worker])).toEqual(new Map());
    const { dispatcher: other, worker: missing } = await make(false);
    expect([...(await other.unable([missing]))]).toEqual([[missing, expect.stringMatching(/^\S+ \S+/)]]);
  });

  it("says why it cannot, and then nobody was sent", async () => {
    const { dispatcher, sent, worker } = await make(false);
    const why = await dispatcher.dispatch({ ...order, worker, key: "e/1/1" }, out, "/e.md");
    expect(why).toContain(worker);
    expect([await dispatcher.observe(out), await sent()]).toEqual([[], []]);
  });
});

describe("a runner that is gone", () => {
  const out = read(draw({ items: "a in_progress hand", status: "in_progress" }));
  const long = new Date(Date.now() - 120_000);

  /** An order that was taken, as its folder shows it. */
  function taken(files: Readonly<Record<string, string>>) {
    const home = folder();
    const place = join(home, out.id, "a@1.1");
    mkdirSync(place, { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(place, name), text);
      utimesSync(join(place, name), long, long);
    }
    const isGone = (by: string) => by === "dead:1";
    const places = {
      folder: home,
      root: folder(),
      env,
      workers: new Map(),
      runner: [],
      isGone,
      isAhead: async () => false,
      find,
    };
    return createCommandWorkers(places).observe(out);
  }

  it("has ended as it noted, and without a note as if killed", async () => {
    const order = { "order.json": "{}" };
    const dead = { ...order, "taken.json": '{"by":"dead:1"}' };
    expect(await taken(dead)).toMatchObject([{ kind: "exit", code: 137 }]);
    expect(await taken({ ...dead, "exit.json": '{"code":0,"pr":"https://x"}' })).toMatchObject([
      { kind: "exit", code: 0, pr: "https://x" },
    ]);
    expect(await taken({ ...order, "taken.json": '{"by":"alive:1"}' })).toEqual([]);
    // Killed over its very first words, or before them.
    expect(await taken({ ...order, "taken.json": "" })).toMatchObject([{ kind: "exit", code: 137 }]);
    expect(await taken(order)).toMatchObject([{ kind: "exit", code: 127 }]);
  });
});

it("takes no worker of an epic that had the name before for its own", async () => {
  const { dispatcher, sent } = await commandHands(true);
  const order = { type: "dispatch", item: "a", worker: "hand", title: "A", project: "", key: "e/1/1" } as const;
  const sentOn = (day: number) => {
    const epic = read(draw({ items: "a in_progress hand", status: "in_progress" }));
    const at = Date.UTC(2026, 4, day) as Instant;
    const row = { at, decision: "dispatch a to hand", class: "dispatch_ok", notes: "", row: null };
    return { ...epic, memory: [row] };
  };
  expect(await dispatcher.dispatch(order, sentOn(1), "/e.md")).toBeNull();
  await eventually(async () => (await dispatcher.observe(sentOn(1))).some(({ kind }) => kind === "exit"));
  expect(await dispatcher.dispatch(order, sentOn(2), "/e.md")).toMatch(/e\/1\/1 was sent before/);
  expect([await dispatcher.observe(sentOn(2)), await sent()]).toEqual([[], ["e/1/1"]]);
  expect(await dispatcher.dispatch({ ...order, key: "e/1/3" }, sentOn(2), "/e.md")).toMatch(/does not know/);
  // One that has dropped rows may have forgotten that dispatch.
  expect(await dispatcher.dispatch({ ...order, key: "e/1/9" }, { ...sentOn(2), seq: 9 }, "/e.md")).toBeNull();
  await eventually(async () => (await dispatcher.observe(sentOn(2))).some(({ kind }) => kind === "exit"));
});

interface Told {
  readonly notifier: Notifier;
  told(): readonly string[];
}

describe.each<readonly [string, () => Told]>([
  [
    "fake",
    () => {
      const notifier = new FakeNotifier();
      return { notifier, told: () => [...notifier.told.values()] };
    },
  ],
  [
    "command",
    () => {
      const log = join(folder(), "told");
      const argv = ["sh", "-c", `echo "$1" >> '${log}'`, "sh"];
      return { notifier: createNotices(command, { folder: folder(), argv, env }), told: () => linesOf(log) };
    },
  ],
])("Notifier (%s)", (_, make) => {
  it("tells once per key", async () => {
    const { notifier, told } = make();
    for (const key of ["e/1/1", "e/1/1", "e/1/2"]) await notifier.notify(key, `about ${key}`);
    await Promise.all([notifier.notify("e/1/3", "last"), notifier.notify("e/1/3", "last")]);
    expect(told()).toEqual(["about e/1/1", "about e/1/2", "last"]);
  });
});

it("a notice that cannot be given is nobody's failure", async () => {
  const notifier = createNotices(command, { folder: folder(), argv: ["/nowhere/at/all"], env });
  await expect(notifier.notify("e/1/1", "text")).resolves.toBeUndefined();
});
