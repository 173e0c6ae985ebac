import { readConfigText } from "../../src/config/read.ts";
import { parseSkill } from "../../src/core/agents/skills.ts";
import { parseCritic, parsePlanner, parseVerifier } from "../../src/core/epic/decide/answers.ts";
import { weighRisk } from "../../src/core/epic/decide/risk.ts";
import { scanWorkarounds } from "../../src/core/epic/decide/scan-workarounds.ts";
import { readCell, splitRow, tidy, writeCell } from "../../src/core/epic/file/cells.ts";
import { isCorrupt } from "../../src/core/epic/file/epic.ts";
import { parseEpic } from "../../src/core/epic/file/parse.ts";
import { renderEpic } from "../../src/core/epic/file/render.ts";
import { readStamp } from "../../src/core/epic/file/stamp.ts";
import { guessGates, MANIFESTS } from "../../src/core/gates/guess-gates.ts";
import { readBackupNote } from "../../src/core/session/backup-note.ts";
import { branchProblem } from "../../src/core/session/branch-name.ts";
import { constitutionPart, isTemplate } from "../../src/core/session/constitution.ts";
import { parseIssue, parseIssueNumbers, writeIssueTask } from "../../src/core/specs/issue.ts";
import { readMarkdownSpecs } from "../../src/core/specs/markdown.ts";
import { ownedFiles, readOpenSpec } from "../../src/core/specs/openspec.ts";
import { pickSpecs } from "../../src/core/specs/pick.ts";
import { readSpecKit } from "../../src/core/specs/speckit.ts";
import { readSuperpowers } from "../../src/core/specs/superpowers.ts";
import { readTasks } from "../../src/core/specs/tasks.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

const HEAD = "---\nid: e\nstatus: active\n---\n";
const ITEMS = "## Work Items\n\n| ID | Title | Status | Notes | Depends |\n|---|---|---|---|---|\n";

function epic(text: string): void {
  const read = parseEpic(text, "e");
  if (isCorrupt(read)) return;
  for (const item of read.items.slice(0, 3)) weighRisk(read, item);
  renderEpic({ ...read, seq: read.seq + 1, log: [...read.log, "- x"] });
}

const MARKDOWN = {
  headings: repeated("# a\n"),
  "deep lists": numbered((i) => `${" ".repeat(i % 200)}- a\n`),
  "lists in lists": repeated("- "),
  "quotes in quotes": repeated("> "),
  emphasis: repeated("*a_"),
  links: repeated("[a]("),
  images: repeated("![[]("),
  definitions: numbered((i) => `[a${i}]: b\n`),
  "references to nothing": repeated("[a][b]"),
  "open code": repeated("`a``b"),
  "open html": repeated("<a b='"),
  autolinks: repeated("<a@b"),
  entities: repeated("&a"),
  boxes: repeated("- [ ] T001 [P] a\n"),
  "open boxes": repeated("- [ "),
  "box after box": repeated("- [ ] "),
  phases: numbered((i) => `## Phase ${i}: x\n\n- [ ] T${i} a\n`),
};

export const DOCUMENTS: readonly Parser[] = [
  {
    name: "epic: the file",
    run: epic,
    begins: [
      HEAD,
      `${HEAD}# `,
      `${HEAD}## Work Items\n\n`,
      `${HEAD}${ITEMS}`,
      `${HEAD}${ITEMS}| t-1 | `,
      "---\nid: e\nstatus: ",
      `${HEAD}- `,
      `${HEAD}> `,
      `${HEAD}<a `,
      `${HEAD}\`\`\``,
      `${HEAD}a\n`,
    ],
    ends: ["\u2028", "\n---\n", " |\n", "x"],
    shapes: {
      "a heading of blanks": repeated(" ", `${HEAD}# `, "\u2028"),
      "a heading of tabs and hashes": repeated(" #", `${HEAD}# `, "x"),
      "many headings": repeated("## a\n", HEAD),
      "many items": numbered((i) => `| t-${i} | a | ready | — | t-${i - 1} |\n`, `${HEAD}${ITEMS}`),
      "one item, many needs": numbered((i) => `t-${i} `, `${HEAD}${ITEMS}| x | a | ready | — | `, " |\n"),
      "many bars": repeated("|", `${HEAD}${ITEMS}`),
      "many briefs": numbered(
        (i) => `### t-${i}\n\na\n\n`,
        `${HEAD}${ITEMS}| t-1 | a | ready | x | |\n\n## Item Briefs\n\n`,
      ),
      "nested briefs": numbered(
        (i) => `${"#".repeat(3 + (i % 4))} t-${i}\n`,
        `${HEAD}${ITEMS}${Array.from({ length: 500 }, (_, i) => `| t-${i} | a | ready | x | |\n`).join("")}\n`,
      ),
      "many sections": repeated("## Work Items\n", HEAD),
      delimiters: repeated("|-|\n", `${HEAD}## Work Items\n\n| a |\n`),
      "front: many keys": numbered((i) => `k${i}: v\n`, "---\nid: e\nstatus: a\n", "---\n"),
      "front: spaces": repeated(" ", "---\nid: e\nstatus: a", "\u0001\n---\n"),
      "front: comment": repeated(" #", "---\nid: e\nstatus: a", "\u0001\n---\n"),
      "front: deep": repeated("[", "---\nid: e\nstatus: ", "\n---\n"),
      "front: a tag": repeated("!a", "---\nid: e\nstatus: ", "\n---\n"),
      "rollback lines": numbered(
        (i) => `line t-${i}\n`,
        `${HEAD}${ITEMS}| t-1 | deploys x | ready | destructive | |\n\n## Rollback Plan\n\n`,
      ),
      "log lines": repeated(
        "- 2026-01-01T00:00:00Z critic on t-1: SAFE\n",
        `${HEAD}${ITEMS}| t-1 | deploys x | ready | destructive | |\n\n## Supervisor Log\n\n`,
      ),
      overrides: repeated("CRITIC OVERRIDE: \n\n", HEAD),
      "html attributes": repeated(" a=b", `${HEAD}<a`, "<"),
      "unclosed comment": repeated("<!--\n", HEAD),
      conflict: repeated(">>>>>>> a\n", HEAD),
    },
  },
  { name: "epic: a row", run: (text) => splitRow(text, 0).map(({ raw }) => readCell(raw)), begins: ["| "] },
  { name: "epic: a cell", run: (text) => [readCell(text), writeCell(text), tidy(text)], begins: ["<", "\\"] },
  { name: "epic: a time", run: readStamp, begins: ["2026-01-01T00:00:00."] },
  ...[
    ["planner", parsePlanner],
    ["verifier", parseVerifier],
    ["critic", parseCritic],
  ].map(([name, parse]) => ({
    name: `answer: ${name}`,
    run: parse as (text: string) => unknown,
    begins: ["```json\n", "```", " ```\n", "{", '{"action":"', '{"verdict":"', "```json\n{"],
    ends: ["\n```", "\n ```x", '"}', "}"],
    shapes: {
      "a fence that is not closed": repeated("\n ", "```json\n", "x"),
      "many keys": numbered((i) => `"k${i}":1,`, "{", '"z":1}'),
      "many strings": repeated('"a",', '{"a":[', '"z"]}'),
      escapes: repeated("\\\\", '{"a":"', '"}'),
    },
  })),
  {
    name: "answer: workarounds",
    run: scanWorkarounds,
    begins: ["```", "> ", "`", '"', "skip ", "not ", "never ", "or "],
    shapes: {
      nots: repeated("not a "),
      skips: repeated("skip a "),
      tests: repeated("test a "),
      "or fix": repeated("fix a or a "),
      alternatives: repeated("alternatively or "),
      adjusts: repeated("adjust tests "),
      "open quotes": repeated('"a'),
      blanks: repeated(" ", "a.", "x"),
    },
  },
  {
    name: "config: the file",
    run: (text) => readConfigText("config.toml", text),
    begins: ["a", "[", "[clis.", "clis.a.", "a = [", 'a = "', "a = {", "[supervisor]\na = ", "[["],
    ends: [" = 1\n", "]\n", '"\n'],
    shapes: {
      "unknown keys": numbered((i) => `unknown_key_${i} = 1\n`),
      "unknown keys in a table": numbered((i) => `unknown_key_${i} = 1\n`, "[supervisor]\n"),
      "unknown tables": numbered((i) => `[table_${i}]\na = 1\n`),
      "unknown CLIs": numbered((i) => `[clis.c${i}]\nnothing = 1\n`),
      "bad values": numbered((i) => `[clis.c${i}]\ncommand = 1\n`),
      "one long key": repeated("a", "", " = 1\n"),
      "one deep key": repeated("a.", "", "a = 1\n"),
      "one deep table": repeated("a.", "[", "a]\nb = 1\n"),
      "deep inline tables": repeated("{a=", "a = "),
      "deep lists": repeated("[", "a = "),
      "spaces in keys": repeated(" a", "", "\n"),
      "blanks before nothing": repeated(" ", "[a", "\n"),
    },
  },
  ...[
    [
      "openspec",
      (text: string) =>
        readOpenSpec(
          new Map([
            ["a/tasks.md", text],
            ["a/specs/x/spec.md", text],
          ]),
          "x/",
        ),
    ],
    ["markdown", (text: string) => readMarkdownSpecs(new Map([["a.md", text]]), "x/")],
    [
      "speckit",
      (text: string) =>
        readSpecKit(
          new Map([
            ["a/tasks.md", text],
            ["a/spec.md", text],
          ]),
          "specs",
        ),
    ],
    ["superpowers", (text: string) => readSuperpowers(new Map([["a.md", text]]))],
    ["tasks", readTasks],
    ["owned files", ownedFiles],
  ].map(([name, read]) => ({
    name: `specs: ${name}`,
    run: read as (text: string) => unknown,
    begins: ["---\n", "# ", "## Phase 1", "### Task 1\n\n- [ ] ", "- [ ] T001 ", "Files owned:", "Files owned:\n- "],
    ends: ["\n---\n", "x"],
    shapes: MARKDOWN,
  })),
  {
    name: "specs: many of them",
    run: (text) => {
      // The loader reads no more of them.
      const names = text.split(",").slice(0, 2_000);
      const files = new Map(names.map((name) => [`${name}/tasks.md`, "- [ ] a"]));
      return [readOpenSpec(files, "x/"), readSpecKit(files, "specs")];
    },
    shapes: { changes: numbered((i) => `change-${i},`) },
  },
  {
    name: "specs: a name",
    run: (text) =>
      pickSpecs({ entries: [{ id: "add-auth", feature: "add-auth" } as never], leftOut: new Map() }, [text]),
  },
  {
    name: "issue: gh's answer",
    run: (text) => {
      const issue = parseIssue(
        JSON.stringify({ number: 1, title: text, body: text, state: "OPEN", url: text, author: { login: text } }),
      );
      return issue === null ? null : writeIssueTask(issue);
    },
    begins: ["https://"],
  },
  {
    name: "issue: numbers",
    run: parseIssueNumbers,
    begins: ["#"],
    shapes: { many: numbered((i) => `${i + 1},`, "", "1") },
  },
  {
    name: "skill: the file",
    run: (text) => parseSkill(text, "here", "a"),
    begins: ["---\nname: a\ndescription: b\n---\n", "---\nname: a\ndescription: b\n---\n{{"],
    ends: ["}}"],
  },
  { name: "backup: its note", run: readBackupNote, begins: ["banksman-backup: ", 'banksman-backup: {"a":'] },
  { name: "session: a branch", run: branchProblem, begins: ["a/"], ends: [".lock"] },
  {
    name: "session: a constitution",
    run: (text) => [isTemplate(text), constitutionPart("x", text)],
    begins: ["[PRINCIPLE_"],
  },
  ...MANIFESTS.map((name) => ({
    name: `gates: ${name}`,
    run: (text: string) => guessGates(new Map([[name, text]])),
    begins: ['{"scripts":{"', "a"],
    ends: [":="],
  })),
];
