import { afterEach, expect, it } from "vitest";
import type { VerificationView } from "../../src/core/gates/view.ts";
import { type Files, LandingStage } from "../landing/ground.ts";

let stage: LandingStage;
afterEach(() => stage.dispose());

/** A suite that only has an exit code: nobody counts its tests. */
const MORE = `import { test } from "node:test";
test("a", () => {});
test("b", () => {});
`;
const SUITE: Files = {
  "test/pair.test.mjs": MORE,
  "package.json": '{ "type": "module", "scripts": { "test": "node run.mjs" } }\n',
  "run.mjs": `import { readdirSync } from "node:fs";
for (const name of readdirSync("test")) await import("./test/" + name);
`,
  "test/node.test.mjs": 'import assert from "node:assert";\nassert.ok(process.version);\n',
  "test/format.test.mjs": `import assert from "node:assert/strict";
import { format } from "../src/format.mjs";
assert.equal(format("a"), "<a>");
assert.equal(format("b"), "<b>");
`,
  "src/format.mjs": 'export const format = (text) => "<" + text + ">";\n',
};
const broken = { "src/format.mjs": "export const format = () => 0;\n" };
const SHELL = "script-shell=/bin/true\n";
/** Git takes the files of a branch in the order of their names: these come before all others. */
const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`.a/${i}`, `${i}\n`]));
const long = (i: number) => `docs/test/${`${"d".repeat(200)}/`.repeat(7)}${i}.js`;

type Branch = Readonly<Record<string, string | null | { readonly link: string }>>;

const CHEATS: readonly [name: string, files: Branch, finding: RegExp][] = [
  ["many", { ...many, "package.json": '{ "scripts": { "test": "true" } }\n' }, /gates run \(scripts\.test/],
  ["link", { ".npmrc": { link: "other" }, other: SHELL }, /^\.npmrc .*gates run/],
  ["no-text", { ".npmrc": `${SHELL};\0\n` }, /^\.npmrc .*gates run/],
  [
    "renamed",
    { "test/format.test.mjs": null, "docs/format.txt": SUITE["test/format.test.mjs"] ?? "" },
    /^test\/format\.test\.mjs .*(removes|leaves no|deletes)/,
  ],
  [
    "replaced",
    {
      "test/format.test.mjs": null,
      "test/else.test.mjs": 'import assert from "node:assert/strict";\nassert.ok(1);\nassert.ok(2);\nassert.ok(3);\n',
    },
    /^test\/format\.test\.mjs .*deletes/,
  ],
  [
    "comment",
    { "test/format.test.mjs": `/*\n${SUITE["test/format.test.mjs"]}*/\n` },
    /^test\/format\.test\.mjs .*(leaves no|removes)/,
  ],
  [
    "stand-ins",
    {
      "src/format.mjs": SUITE["src/format.mjs"] ?? "",
      "test/more.test.mjs": MORE.replace('b"', 'c"'),
      "test/pair.test.mjs": MORE.split("\n").slice(0, 2).join("\n"),
    },
    /^test\/pair\.test\.mjs .*removes 1 test/,
  ],
  [
    "end",
    { "test/format.test.mjs": SUITE["test/format.test.mjs"]?.replace("assert.equal", "process.exit(0);\n$&") ?? "" },
    /^test\/format\.test\.mjs .*ends this file of tests early/,
  ],
  ["runner", { "run.mjs": "" }, /^run\.mjs .*gates run/],
  ["large", { ".npmrc": `${SHELL}${";".repeat(600_000)}\n` }, /^\.npmrc .*gates run/],
];

function branch(name: string, files: Branch): void {
  const texts = Object.entries(files).filter((each): each is [string, string | null] => !isLink(each[1]));
  stage.branch(name, { ...broken, ...Object.fromEntries(texts) });
  for (const [path, link] of Object.entries(files)) if (isLink(link)) stage.link(name, path, link.link);
}

const isLink = (file: Branch[string]): file is { readonly link: string } => typeof file === "object" && file !== null;

it("finds what is hidden: among many files, behind a link, in what is no text", async () => {
  stage = await LandingStage.make("", SUITE, "npm test --silent");
  for (const [name, files] of CHEATS) branch(name, files);
  const names = CHEATS.map(([name]) => name);
  const views = JSON.parse((await stage.bm("verify", ...names, "--json")).out) as VerificationView[];
  for (const [i, [name, , finding]] of CHEATS.entries()) {
    const { verdict, findings = [] } = views[i] ?? {};
    const told = findings.map(({ file, message }) => `${file} ${message}`).join("\n");
    expect([name, verdict, told]).toEqual([name, "waiting", expect.stringMatching(new RegExp(finding, "m"))]);
  }
});

it("lets tests move to other files", async () => {
  stage = await LandingStage.make("", SUITE, "npm test --silent");
  const [head = "", more = "", ...tests] = (SUITE["test/format.test.mjs"] ?? "").trimEnd().split("\n");
  stage.branch("split", {
    "test/format.test.mjs": null,
    "test/a.test.mjs": `${head}\n${more}\n${tests[0]}\n`,
    "test/b.test.mjs": `${head}\n${more}\n${tests[1]}\nassert.notEqual(format("c"), "c");\n`,
  });
  expect(await stage.verify("split")).toMatchObject({ verdict: "pass", findings: [] });
});

it("looks at a branch with more names than a program takes as arguments", async () => {
  stage = await LandingStage.make("", SUITE, "npm test --silent");
  stage.branch("long", Object.fromEntries(Array.from({ length: 1_600 }, (_, i) => [long(i), `${i}\n`])));
  expect((await stage.verify("long")).verdict).toBe("pass");
});
