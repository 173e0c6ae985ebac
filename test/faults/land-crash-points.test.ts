import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LandingView } from "../../src/core/landing/view.ts";
import { GIT_ENV } from "../git-repository.ts";
import { LandingStage, namesOf, unit } from "../landing/ground.ts";
import { untilGone } from "../stage.ts";
import { EVERY, pointsOf, serveAndDie } from "./dying.ts";

let stage: LandingStage;
let rounds = 0;
const tips = new Map<string, string>();

beforeAll(async () => {
  stage = await LandingStage.make();
});
afterAll(() => stage.dispose());

/** Three branches on what main has now: the second contains the first, the third is red with it. */
function branches(): { names: string[]; landed: string[]; bounced: string[] } {
  const n = ++rounds;
  const [a, b, c] = [`round${n}/a`, `round${n}/b`, `round${n}/c`] as const;
  const is = `export const it = ${n};\n`;
  stage.branch(a, { ...unit(`a${n}`, is, "its.it > 0"), "src/title.mjs": `export const title = "${n}";\n` });
  stage.branch(b, unit(`b${n}`, is, "its.it > 0"), a);
  stage.branch(c, unit(`c${n}`, 'export * from "./title.mjs";\n', `its.title !== "${n}"`));
  for (const [name, tip] of stage.tips([a, b, c])) tips.set(name, tip);
  return { names: [a, b, c], landed: [a, b], bounced: [c] };
}

/** What a person has in their checkout meanwhile. */
const own = () => stage.repo.write(stage.root, "notes", `of round ${rounds}\n`);

/** The next supervisor finishes what was asked for; everything is as if nobody had died. */
async function finish({ landed, bounced }: ReturnType<typeof branches>): Promise<void> {
  const child = await serveAndDie(stage, 0, "before");
  const { out, err } = await stage.bm("land", "--watch", "--json");
  expect(err).toBe("");
  // It leaves when there is nothing left to do.
  await untilGone(child.pid ?? 0);
  const view = JSON.parse(out) as LandingView;
  expect([namesOf(view.landed), namesOf(view.bounced), view.waiting, view.skipped]).toEqual([landed, bounced, [], []]);
  for (const { point, tree } of view.landed) expect(stage.repo.git("rev-parse", `${point}^{tree}`)).toBe(tree);
  expect(stage.repo.git("status", "--short")).toBe("?? notes");
  expect(stage.repo.read(stage.root, "notes")).toBe(`of round ${rounds}\n`);
}

/** Of a landing of these three, whose base is known to be green. */
const EFFECTS = [
  "land.look",
  ...["branch.inspect", "branch.inspect", "branch.inspect"],
  "train.test",
  ...["branch.replay", "branch.replay", "branch.replay"],
  // All three, then two of them, then all three once more before one is sent back.
  ...["train.test", "gate.run", "train.test", "gate.run", "train.test", "gate.run"],
  "target.move",
];

const READS = ["land.look", "branch.inspect", "train.test"];

/** Asks for it, and waits until whoever was to do it is dead. */
async function landAndDie(round: ReturnType<typeof branches>, child: ChildProcess): Promise<void> {
  const died = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  const landing = stage.bm("land", ...round.names, "--yes");
  const [signal, { out, err }] = await Promise.all([died, landing]);
  expect([signal, out, err]).toEqual(["SIGKILL", expect.any(String), expect.any(String)]);
}

describe("kill -9 at the effects of a landing", () => {
  it("has all of them", async () => {
    // The base is tested once, by the first landing.
    await stage.land(...branches().names);
    const round = branches();
    own();
    const trace = join(stage.repo.folder, "trace");
    await serveAndDie(stage, 0, "before", trace);
    const view = await stage.land(...round.names);
    expect([namesOf(view.landed), namesOf(view.bounced)]).toEqual([round.landed, round.bounced]);
    expect(readFileSync(trace, "utf8").trim().split("\n")).toEqual(EFFECTS);
  });

  // The simulation is cut at every one of them; here at those that touch git or run a gate.
  const points = pointsOf(EFFECTS).filter(
    ([at, moment]) => EVERY || !READS.includes(EFFECTS[at - 1] ?? "") || (at === 1 && moment === "after"),
  );
  it.each(points)("effect %i, %s it is done", async (at, moment) => {
    const round = branches();
    own();
    await landAndDie(round, await serveAndDie(stage, at, moment));
    await finish(round);
  });

  it.each(
    [
      [7, 2],
      [15, 1],
      [10, 1],
    ].slice(EVERY ? 0 : 1, EVERY ? 3 : 2),
  )("effect %i, and once more at effect %i of the next life", async (at, next) => {
    const round = branches();
    own();
    await landAndDie(round, await serveAndDie(stage, at, "after"));
    const child = await serveAndDie(stage, next, "before");
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once("exit", resolve));
    await finish(round);
  });
});

/** Eight branches; the last is red with the first. */
function manyBranches(): ReturnType<typeof branches> {
  const n = ++rounds;
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"].map((each) => `round${n}/${each}`);
  const is = `export const it = ${n};\n`;
  const own = names.slice(0, -1);
  const poison = { "src/title.mjs": `export const title = "${n}";\n` };
  for (const [i, name] of own.entries())
    stage.branch(name, { ...unit(`${"abcdefg"[i]}${n}`, is, "its.it > 0"), ...(i === 0 && poison) });
  const [last] = names.slice(-1) as [string];
  stage.branch(last, unit(`h${n}`, 'export * from "./title.mjs";\n', `its.title !== "${n}"`));
  for (const [name, tip] of stage.tips(names)) tips.set(name, tip);
  return { names, landed: own, bounced: [last] };
}

describe.skipIf(!EVERY)("kill -9 at the effects of a longer landing", () => {
  it(
    "before and after each of them",
    async () => {
      const first = manyBranches();
      own();
      const trace = join(stage.repo.folder, "long-trace");
      await serveAndDie(stage, 0, "before", trace);
      await stage.land(...first.names);
      const points = pointsOf(readFileSync(trace, "utf8").trim().split("\n"));
      expect(points.length).toBeGreaterThan(50);
      for (const [at, moment] of points) {
        const round = manyBranches();
        own();
        await landAndDie(round, await serveAndDie(stage, at, moment));
        await finish(round);
      }
    },
    30 * 60_000,
  );
});

describe("kill -9 while git is at work for a landing", () => {
  const bin = () => join(stage.repo.folder, "bin");

  /** A git that takes whoever called it along, once, at the call that has these words. */
  function deadlyGit(words: string, moment: string): void {
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8", env: GIT_ENV }).trim();
    const once = join(bin(), `once-${rounds}`);
    const die = `: > ${once}; ${moment === "after" ? `${real} "$@"; ` : ""}kill -9 $PPID; exit 1`;
    mkdirSync(bin(), { recursive: true });
    writeFileSync(
      join(bin(), "git"),
      `#!/bin/sh\ncase "$*" in *"${words}"*) [ -e ${once} ] || { ${die}; } ;; esac\nexec ${real} "$@"\n`,
      { mode: 0o755 },
    );
  }

  const moments: readonly [words: string, moment: string, always: boolean][] = [
    ["really-refresh", "before", false],
    ["diff-index --cached", "before", false],
    ["pack-objects", "after", true],
    ["read-tree -m -u", "before", true],
    ["read-tree -m -u", "after", true],
    ["-m banksman: land", "before", true],
    ["-m banksman: land", "after", true],
  ];
  it.each(moments.filter(([, , always]) => EVERY || always))("`%s`, %s it", async (words, moment) => {
    const round = branches();
    own();
    deadlyGit(words, moment);
    const { env } = stage;
    stage.env = { ...env, PATH: `${bin()}:${env.PATH}` };
    const child = await serveAndDie(stage, 0, "before");
    stage.env = env;
    await landAndDie(round, child);
    await finish(round);
  });
});

it("everything holds of all that has landed: each value of main is green, none was lost, nothing is left", () => {
  expect(stage.points().length).toBeGreaterThan(rounds);
  expect(stage.broken(tips)).toEqual([]);
});
