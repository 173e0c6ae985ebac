import { describe, expect, it } from "vitest";
import { lineOf, readConfigText } from "./read.ts";

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
