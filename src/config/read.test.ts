import { describe, expect, it } from "vitest";
import { lineOf, readConfigText } from "./read.ts";
import { SCHEMA } from "./schema.ts";

const read = (text: string) => readConfigText("c.toml", text);
const problems = (text: string) => read(text).problems.map(({ line, message }) => `${line}: ${message}`);

it("reads what is there", () => {
  const { values, problems: none } = read(
    'default_cli = "x"\n[clis.x]\ncommand = ["a", "b"]\n[worktree]\nplacement = "sibling"\nport_base = 4000\n',
  );
  expect(none).toEqual([]);
  expect(Object.fromEntries(values)).toEqual({
    default_cli: "x",
    "clis.x.command": ["a", "b"],
    "worktree.placement": "sibling",
    "worktree.port_base": 4000,
  });
});

it("reports every problem at once, each with its line", () => {
  expect(
    problems(`defualt_cli = "x"
[worktree]
placement = "uncle"

# a comment
copy = "not a list"
[clis.x]
comand = "y"
[broker]
port = 80
[nonsense]
a = 1
`),
  ).toEqual([
    "1: defualt_cli is not a setting; did you mean default_cli?",
    "3: worktree.placement must be one of child, sibling",
    "6: worktree.copy must be a list of texts",
    "8: clis.x.comand is not a setting; did you mean clis.x.command?",
    "10: broker.port must be a whole number from 1024 to 65535",
    "12: nonsense.a is not a setting",
  ]);
});

it("says where TOML itself is broken", () => {
  expect(problems('a = "x"\nb = \n')[0]).toMatch(/^2: /);
});

it("takes settings of parts that are not built yet, and tells them apart", () => {
  const { values, later, problems: none } = read("[supervisor.stall]\nwindow_seconds = 5\n[pipeline]\nx = 1\n");
  expect([none, values.size, [...later.keys()]]).toEqual([[], 0, ["supervisor.stall.window_seconds", "pipeline.x"]]);
});

it.each([
  [
    "[broker.watcher]\nttl = 5",
    "broker.watcher.ttl is not a setting; did you mean broker.watcher.republish_working_ttl_seconds?",
  ],
  ["[broker]\nx = 5", "broker.x is not a setting"],
  [
    '[roles.watcher]\ncli = "claude"',
    "roles.watcher.cli is not a setting; below [roles] there are planner, verifier, critic, pauli, marsha, reviewer",
  ],
  ["[supervisor]\nenabeld = true", "supervisor.enabeld is not a setting; did you mean supervisor.enabled?"],
  ["[supervisor]\ntest_comand = 'x'", "supervisor.test_comand is not a setting; did you mean supervisor.test_command?"],
  [
    "[supervisor.conflict]\nwindow_secs = 5",
    "supervisor.conflict.window_secs is not a setting; did you mean supervisor.conflict.window_seconds?",
  ],
  ["[budget]\nfoo = 1", "budget.foo is not a setting"],
  ["[governance]\nconstituton = 'x'", "governance.constituton is not a setting; did you mean governance.constitution?"],
  ["[logging]\nenable = true", "logging.enable is not a setting; did you mean logging.enabled?"],
  ["[supervisor]\ndefault_cli = 'x'", "supervisor.default_cli is not a setting; did you mean default_cli?"],
])("refuses an unknown key inside of a section: %j", (text, problem) => {
  expect(problems(text)).toEqual([`2: ${problem}`]);
});

it("has an unknown key for a problem in every section that has settings", () => {
  const sections = new Set(SCHEMA.map(({ key }) => key.replace("*", "x").split(".").slice(0, -1).join(".")));
  for (const section of sections) {
    const header = section === "" ? "" : `[${section}]\n`;
    expect(read(`${header}qqqqq = 1\n`).problems.length, section).toBe(1);
  }
});

it("refuses names that would not survive in paths and commands", () => {
  expect(problems('[clis."../x"]\ncommand = "y"\n')[0]).toMatch(/cannot name a CLI/);
});

it.each([
  ["a = 1\n[t]\nb = 2\n", "t.b", 3],
  ["[t]\nb.c = 2\n", "t.b.c", 2],
  ["[t.b]\nc = 2\n", "t.b.c", 2],
  ["[t]\nb = { c = 2 }\n", "t.b.c", 2],
  ['[t."b"]\n"c" = 2\n', "t.b.c", 2],
  ["[t]\n", "t.b", 1],
  ["", "t.b", null],
])("finds the line of a key in %j", (source, key, line) => expect(lineOf(source, key)).toBe(line));

describe("hostile files", () => {
  it("have as many problems shown as anybody reads", () => {
    const found = problems(Array.from({ length: 5_000 }, (_, i) => `unknown_${i} = 1\n`).join(""));
    expect([found.length, found[0], found.at(-1)]).toEqual([
      21,
      "1: unknown_0 is not a setting",
      "null: there are 4980 more problems",
    ]);
  });
  it("may nest as deeply as they like", () => {
    expect(problems(`${"a.".repeat(5_000)}a = 1\n`)).toEqual([
      "null: a.a.a.a.a.a.a.a has tables in each other deeper than any setting",
    ]);
  });
  it("are not read at all beyond a size", () => {
    expect(problems(`# ${"x".repeat(300_000)}`)).toEqual(["null: it is larger than 256 KB"]);
  });
  it.each([
    "\u0000",
    "[".repeat(10_000),
    "a = ".repeat(1000),
    "[__proto__]\nx = 1",
    "constructor = 1",
    "x = 99999999999999999999",
  ])("%j are problems, never crashes", (text) => {
    expect(read(text).problems.length).toBeGreaterThan(0);
  });
});

it.each([
  ["dotted keys", `${"a.".repeat(5_000)}a = 1\n`],
  ["a header", `[${"a.".repeat(5_000)}a]\nx = 1\n`],
  ["inline tables", `x = ${"{a = ".repeat(5_000)}1${"}".repeat(5_000)}\n`],
  ["lists", `mouse = ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`],
])("has a word for tables in each other without end: %s", (_, text) => {
  expect(problems(text)).toEqual([expect.stringMatching(/deeper than any setting|excessively nested|must be/)]);
});
