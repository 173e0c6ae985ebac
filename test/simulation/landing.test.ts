import { describe, expect, it } from "vitest";
import { LAND_LANE } from "../../src/core/landing/reduce-landing.ts";
import type { Branch, Commit } from "../../src/core/text/ids.ts";
import { landingActions } from "../../src/modes/landing/actions.ts";
import type { CommandOrder, CommandResult } from "../../src/ports/command.ts";
import { FakeCommand } from "../fakes/fake-command.ts";
import { treeName } from "../fakes/fake-history.ts";
import { dying } from "./dying.ts";
import { SimulatedWorld } from "./world.ts";

/** Plays the tests of a tree: red where files say so, alone or together, and printed as node:test prints it. */
class Gates extends FakeCommand {
  readonly tested: string[] = [];

  constructor(private readonly world: () => SimulatedWorld) {
    super();
  }

  override async run(order: CommandOrder): Promise<CommandResult> {
    const [, slot] = /^\/state\/scratch\/(\d+)\/work$/.exec(order.cwd) ?? [];
    if (slot === undefined) return super.run(order);
    const { tracked } = this.world().slots.of(Number(slot));
    const red = isRed(tracked);
    this.tested.push(treeName(tracked));
    const tests = Object.keys(tracked).length;
    const failed = red ? 1 : 0;
    const text = `TAP version 13\n${red ? "not ok 1 - works\n" : ""}# tests ${tests}\n# pass ${tests - failed}\n# fail ${failed}\n`;
    order.onOutput?.(Buffer.from(text));
    return { code: failed, timedOut: false, stdout: Buffer.from(""), stderr: "" };
  }
}

/** A file `x` with the text `red`, or one that says with whom it does not get on. */
const isRed = (tree: Readonly<Record<string, string>>): boolean =>
  Object.values(tree).some((text) => text === "red" || (text.startsWith("not with ") && text.slice(9) in tree));

const NAMES = ["feat/a", "feat/b", "feat/c", "feat/d", "feat/e"];

/** Five branches: c is red together with b, d conflicts with a. */
function repository(): SimulatedWorld {
  const world: SimulatedWorld = new SimulatedWorld();
  (world as { command: FakeCommand }).command = new Gates(() => world);
  world.gates = { ...world.gates, plan: { ...world.gates.plan, commands: [{ gate: "test", command: "gate" }] } };
  const { repository: repo } = world;
  const base = repo.heads.get("main" as Branch) as Commit;
  const branch = (name: string, files: Record<string, string>) =>
    repo.heads.set(name as Branch, repo.commit({ ...repo.tree(base), ...files }, [base]));
  branch("feat/a", { shared: "a", a: "1" });
  branch("feat/b", { b: "1" });
  branch("feat/c", { c: "not with b" });
  branch("feat/d", { shared: "d", d: "1" });
  branch("feat/e", { e: "1" });
  return world;
}

/** Of the landing below: looked at, inspected, put together, tested by gates, moved. */
const EFFECTS = 35;

const landingOf = (world: SimulatedWorld) => world.supervisor?.context.journal.state(LAND_LANE);

async function land(world: SimulatedWorld, ...branches: string[]): Promise<void> {
  const context = world.supervisor?.context;
  if (context === undefined) throw new Error("nobody is there");
  await landingActions(context).land(
    { type: "land", branches, dryRun: false },
    { role: "operator", agent: "x" as never },
  );
}

const over = async (world: SimulatedWorld): Promise<void> =>
  world.supervisor?.context.journal.until(() => landingOf(world)?.since === null && landingOf(world)?.began !== null);

/** M1 to M6, after whatever happened. */
function checkInvariants(world: SimulatedWorld, tips: ReadonlyMap<string, Commit>): void {
  const { repository: repo, target } = world;
  const tested = new Set((world.command as Gates).tested);
  const main = repo.heads.get("main" as Branch) as Commit;
  for (const { from, to } of target.moves) {
    // Every landing point was tested, as that tree, and is on top of the one before.
    expect(tested.has(treeName(repo.tree(to)))).toBe(true);
    expect(isRed(repo.tree(to))).toBe(false);
    expect(repo.reachable(to, []).includes(from)).toBe(true);
  }
  for (const commit of repo.reachable(main, [])) expect(repo.commits.get(commit)?.parents.length).toBeLessThan(2);
  // The checkout has what the branch has, and no agent's commit is lost.
  expect(repo.changed(repo.root)).toEqual([]);
  for (const [name, tip] of tips) expect(repo.heads.get(name as Branch)).toBe(tip);
}

const ends = (world: SimulatedWorld) =>
  Object.fromEntries((landingOf(world)?.queue ?? []).map(({ branch, state }) => [branch, state]));

const EXPECTED = {
  "feat/a": "landed",
  "feat/b": "landed",
  "feat/c": "bounced",
  "feat/d": "bounced",
  "feat/e": "landed",
};

it("lands three of five, and sends back the one that conflicts and the one that is red with another", async () => {
  const world = repository();
  const tips = new Map(NAMES.map((name) => [name, world.repository.heads.get(name as Branch) as Commit]));
  await world.open();
  await land(world, ...NAMES);
  await over(world);
  expect(ends(world)).toEqual(EXPECTED);
  checkInvariants(world, tips);
  expect(world.performed.length).toBe(EFFECTS);
  expect(world.target.held.size).toBe(0);
  const main = world.repository.tree(world.repository.heads.get("main" as Branch) as Commit);
  expect(Object.keys(main).sort()).toEqual(["README", "a", "b", "e", "shared"]);
});

describe("killed at every effect of a landing", () => {
  const points = Array.from({ length: EFFECTS }, (_, i) => i + 1).flatMap((n) =>
    (["before", "after"] as const).map((moment) => [n, moment] as const),
  );
  it.each(points)("effect %i, %s it: the restart finishes it, and everything holds", async (n, moment) => {
    const world = repository();
    const tips = new Map(NAMES.map((name) => [name, world.repository.heads.get(name as Branch) as Commit]));
    const death = new Promise<void>((resolve) => {
      void world.open(dying(world, n, moment, resolve)).then(async () => {
        await land(world, ...NAMES);
        await over(world);
        resolve();
      });
    });
    await death;
    checkInvariants(world, tips);
    const supervisor = await world.open();
    await supervisor.reconcile(false);
    await over(world);
    expect(ends(world)).toEqual(EXPECTED);
    checkInvariants(world, tips);
  });

  it.each(points.filter((_, i) => i % 3 === 0))(
    "effect %i, %s it, and the recovery killed as well",
    async (n, moment) => {
      for (const again of [1, 2, 3, 5, 8]) {
        const world = repository();
        const tips = new Map(NAMES.map((name) => [name, world.repository.heads.get(name as Branch) as Commit]));
        const until = (at: number, begin: () => Promise<void>) =>
          new Promise<void>((resolve) => {
            void world.open(dying(world, at, moment, resolve)).then(async (supervisor) => {
              await supervisor.reconcile(false);
              await begin();
              await over(world);
              resolve();
            });
          });
        await until(n, () => land(world, ...NAMES));
        await until(again, async () => undefined);
        checkInvariants(world, tips);
        const supervisor = await world.open();
        await supervisor.reconcile(false);
        await over(world);
        expect([n, again, ends(world)]).toEqual([n, again, EXPECTED]);
        checkInvariants(world, tips);
      }
    },
  );
});
