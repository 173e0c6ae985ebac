import { afterEach, beforeEach, expect, it } from "vitest";
import type { VerificationView } from "../../src/core/gates/view.ts";
import { LandingStage, namesOf, SUITE, unit } from "../landing/ground.ts";

let stage: LandingStage;
beforeEach(async () => {
  stage = await LandingStage.make("", SUITE, "npm test --silent");
});
afterEach(() => stage.dispose());

const TEST = "test/format.test.mjs";
const broken = { "src/format.mjs": "export const format = () => 0;\n" };
const test = SUITE[TEST] ?? "";

/** Each is green by its own gates, and none of it was made to work. */
const CHEATS: readonly [branch: string, files: Readonly<Record<string, string | null>>, finding: RegExp][] = [
  [
    "cheat/script",
    { ...broken, "package.json": '{ "type": "module", "scripts": { "test": "true" } }\n' },
    /changes what its own gates run \(scripts\.test\)/,
  ],
  ["cheat/delete", { ...broken, [TEST]: null }, /deletes 1 test/],
  ["cheat/skip", { ...broken, [TEST]: test.replace("test(", "test.skip(") }, /switches off 1 test/],
  [
    "cheat/empty",
    { ...broken, [TEST]: test.replace(/assert\.ok\(.*\)\)/, "{})") },
    /leaves no assertion|removes \d assertion/,
  ],
  ["cheat/runner", { ...broken, "test/all.mjs": "" }, /changes what its own gates run/],
  [
    "cheat/gate",
    {
      ...broken,
      [TEST]: null,
      "test/else.test.mjs": test.replace("format works", "else").replace("its.format", "1 || its.format"),
      ".banksman/config.toml": '[supervisor]\ntest_command = "true"\n',
    },
    /changes what its own gates run/,
  ],
];

it("nothing that changes what decides over it lands by itself; a person accepts it, or does not", async () => {
  for (const [branch, files] of CHEATS) stage.branch(branch, files);
  stage.branch("feat/honest", unit("more", "export const more = 1;\n", "its.more === 1"));
  const before = stage.repo.git("rev-parse", "main");
  const names = CHEATS.map(([branch]) => branch);
  const verified = JSON.parse((await stage.bm("verify", ...names, "--json")).out) as VerificationView[];
  for (const [i, [branch, , finding]] of CHEATS.entries()) {
    const { ref, verdict, findings = [] } = verified[i] ?? {};
    expect([ref, verdict]).toEqual([branch, "waiting"]);
    expect([branch, findings.map(({ message }) => message).join("; ")]).toEqual([
      branch,
      expect.stringMatching(finding),
    ]);
  }
  const { landed, waiting, bounced, skipped } = await stage.land(...names, "feat/honest");
  expect([namesOf(landed), namesOf(waiting).sort(), bounced, skipped]).toEqual([
    ["feat/honest"],
    [...names].sort(),
    [],
    [],
  ]);
  for (const [branch, , finding] of CHEATS) {
    const its = waiting.find((each) => each.branch === branch);
    expect([branch, its?.because]).toEqual([branch, expect.stringMatching(finding)]);
    expect(its?.findings.every(({ kind }) => kind === "cheat")).toBe(true);
  }
  expect(stage.repo.git("rev-list", "--count", `${before}..main`)).toBe("1");
  const asked = await stage.json<{ id: string; text: string }[]>("questions");
  const questions = asked.filter(({ text }) => text.includes("cannot land by itself"));
  expect(questions.length).toBe(names.length);
  const about = (branch: string) => questions.find(({ text }) => text.startsWith(branch))?.id ?? "";
  await stage.ok("answer", about("cheat/skip"), "refuse");
  await stage.ok("answer", about("cheat/delete"), "accept");
  const view = JSON.parse((await stage.bm("land", "--watch", "--json")).out);
  expect([namesOf(view.bounced), namesOf(view.landed)]).toEqual([
    ["cheat/skip"],
    expect.arrayContaining(["cheat/delete"]),
  ]);
  expect(stage.repo.git("ls-tree", "-r", "--name-only", "main")).not.toContain(TEST);
});

it("what was accepted of one branch is not accepted of another, nor of what the branch becomes", async () => {
  const script = (line: string) => ({ "package.json": `{ "type": "module", "scripts": { "test": "${line}" } }\n` });
  stage.branch("feat/quiet", script("node --no-warnings test/all.mjs"));
  expect(namesOf((await stage.land("feat/quiet")).waiting)).toEqual(["feat/quiet"]);
  const [question] = await stage.json<{ id: string }[]>("questions");
  await stage.ok("answer", question?.id ?? "", "accept");
  const { landed } = JSON.parse((await stage.bm("land", "--watch", "--json")).out);
  expect(namesOf(landed)).toEqual(["feat/quiet"]);

  // The counts of a suite that does not run are missing, so it says them itself.
  const nothing = script("echo '# tests 1'; echo '# pass 1'");
  stage.branch("feat/other", { ...broken, ...nothing });
  stage.branch("feat/quiet", { ...broken, ...nothing }, "feat/quiet");
  const again = await stage.land("feat/other", "feat/quiet");
  expect([namesOf(again.landed), namesOf(again.waiting).sort()]).toEqual([[], ["feat/other", "feat/quiet"]]);
});

it("fewer tests of one branch do not hide behind those that another adds", async () => {
  stage.branch("feat/more", {
    ...unit("one", "export const one = 1;\n", "its.one === 1"),
    ...unit("two", "export const two = 2;\n", "its.two === 2"),
  });
  stage.branch("feat/none", { [TEST]: test.replace("test(", "for (const _ of []) test(") });
  expect(await stage.verify("feat/none")).toMatchObject({
    verdict: "waiting",
    findings: [{ message: expect.stringMatching(/the base runs 1/) }],
  });
  const { landed, waiting } = await stage.land("feat/more", "feat/none");
  expect([namesOf(landed), namesOf(waiting)]).toEqual([["feat/more"], ["feat/none"]]);
});
