import fc from "fast-check";
import { STATUSES } from "../../src/core/epic/file/epic.ts";
import { writeStamp } from "../../src/core/epic/file/stamp.ts";
import type { Instant } from "../../src/core/text/ids.ts";
import { NOW } from "./sketch.ts";

const CLASSES =
  "dispatch_ok dispatch_halt verify_pass verify_fail react_filed_fix react_halt brake_fired verdict_malformed verify_revise brake_reset plan_review finished act_failed own".split(
    " ",
  );
const WORKERS = ["—", "", "claude", "codex", "gemini", "devin"];
const TEXTS = ["", "—", "a note", "a \\| bar", "`code`", "two<br>lines", "high-risk", "deploy it", "ärger 漢字 🚧"];

const ids = fc.uniqueArray(fc.constantFrom("t-1", "t-2", "t-3", "t-4", "t-1-fix1", "x.y", "verify-goal"), {
  maxLength: 6,
});
const stamp = fc.integer({ min: -20 * 60, max: 10 }).map((minutes) => writeStamp((NOW + minutes * 60_000) as Instant));

const item = (id: string, all: readonly string[]) =>
  fc
    .record({
      title: fc.constantFrom(...TEXTS),
      status: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...STATUSES) },
        { weight: 1, arbitrary: fc.constant("paused") },
      ),
      worker: fc.constantFrom(...WORKERS),
      surface: fc.constantFrom("—", "—", "https://x/pull/1"),
      notes: fc.constantFrom(...TEXTS),
      depends: fc.subarray([...all, "gone"].filter((each) => each !== id)).map((some) => some.slice(0, 2)),
      attempts: fc.constantFrom("", "0", "1", "2", "3", "x"),
      active: fc.oneof(fc.constant("—"), stamp),
      pending: fc.constantFrom("—", "—", "verify", "react: no-deliverable, exit 1", "react: marsha-fail: red", "?"),
    })
    .map((cells) => ({ id, ...cells }));

/** Files as people and ticks leave them: other columns, other line ends, prose, half-filled tables. */
export const epicText: fc.Arbitrary<string> = fc
  .record({
    items: ids.chain((all) => fc.tuple(...all.map((id) => item(id, all)))),
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constant("queued") },
      { weight: 4, arbitrary: fc.constantFrom(...STATUSES, "paused") },
    ),
    epoch: fc.integer({ min: 0, max: 5 }),
    seq: fc.integer({ min: 0, max: 99 }),
    rows: fc.array(fc.tuple(stamp, fc.constantFrom(...CLASSES), fc.constantFrom(...TEXTS, "repeated react halt")), {
      maxLength: 20,
    }),
    decisions: fc.subarray(["why-t-1", "why-t-2", "worker-t-1", "other"]),
    answered: fc.boolean(),
    columns: fc.subarray(["Worker", "Review surface", "Notes", "Depends", "Attempts", "Last activity", "Pending"]),
    short: fc.boolean(),
    eol: fc.constantFrom("\n", "\n", "\r\n"),
    bom: fc.boolean(),
    prose: fc.constantFrom(
      "",
      "Whatever.",
      "```\n## Work Items\n| ID | Status |\n|--|--|\n```",
      "<!-- ## Pattern Memory -->",
      "- a list\n\n  ## Work Items",
    ),
    halted: fc.constantFrom("", "", 'halted: "why"'),
    intent: fc.constantFrom(
      "",
      "",
      "",
      'intent: {"item":"t-1","worker":"claude","key":"e/1/3"}',
      'intent: {"item":"t-2","worker":"pi","key":"e/1/3","failed":"no"}',
    ),
    rollback: fc.constantFrom("", "automatic: revert", "irreversible"),
    missing: fc.subarray(["memory", "decisions", "log"]),
  })
  .map((made) => {
    const names = ["#", "ID", "Title", "Status", ...made.columns, "Owner's"];
    const rows = made.items.map((each, i) => {
      const cells: Record<string, string> = {
        ...{ "#": String(i + 1), ID: each.id, Title: each.title, Status: each.status, Worker: each.worker },
        ...{ "Review surface": each.surface, Notes: each.notes, Depends: each.depends.join(", ") || "—" },
        ...{ Attempts: each.attempts, "Last activity": each.active, Pending: each.pending, "Owner's": `mine ${i}` },
      };
      const line = (made.short ? names.slice(0, -1) : names).map((name) => ` ${cells[name]} `);
      return `|${line.join("|")}|`;
    });
    const memory = [
      "## Pattern Memory",
      "| Tick (ISO) | Decision | Class | Notes |",
      "|---|---|---|---|",
      ...made.rows.map(([at, name, note]) => `| ${at} | x | ${name} | ${note} |`),
    ];
    const decisions = [
      "### pending decisions",
      "| ID | Question | Options | Default | Raised | Answer |",
      "|-|-|-|-|-|-|",
      ...made.decisions.map((id) => `| ${id} | Q? | | | | ${made.answered ? "claude" : ""} |`),
    ];
    const text = [
      ...[
        "---",
        "id: e",
        `status: ${made.status} # mine`,
        `epoch: ${made.epoch}`,
        `seq: ${made.seq}`,
        made.halted,
        made.intent,
      ],
      ...[
        "---",
        made.prose,
        "",
        "## Work Items",
        "",
        `| ${names.join(" | ")} |`,
        `|${names.map(() => ":--|").join("")}`,
        ...rows,
        "",
        "between",
        "",
      ],
      ...["## Rollback Plan", made.rollback, "", "## Mine", "| a | b |", "|---|---|", "| 1 | 2 |", ""],
      ...(made.missing.includes("memory") ? [] : [...memory, ""]),
      ...(made.missing.includes("decisions") ? [] : [...decisions, ""]),
      ...(made.missing.includes("log")
        ? ["the end"]
        : ["## Supervisor Log", "", "- 2026-05-08T11:00:00Z critic on t-1: SAFE_TO_DISPATCH", ""]),
    ];
    return `${made.bom ? "\uFEFF" : ""}${text
      .filter((line, i) => line !== "" || i > 7)
      .join("\n")
      .replaceAll("\n", made.eol)}`;
  });

export const signals = fc.array(
  fc
    .record({
      item: fc.constantFrom("t-1", "t-2", "t-3", "gone"),
      what: fc.constantFrom(
        { kind: "exit", code: 0 },
        { kind: "exit", code: 1, pr: "https://x/pull/9" },
        { kind: "done" },
        { kind: "stale" },
        { kind: "activity", at: "2026-05-08T11:59:00Z" },
      ),
    })
    .map(({ item, what }) => ({ item, ...what })),
  { maxLength: 3 },
);

const some = (...values: string[]) => fc.constantFrom(...values);
const reason = some(
  "tests red",
  "",
  "skip the test on CI",
  "x".repeat(2000),
  "a | b\n## Work Items\n| c",
  "CRITIC OVERRIDE: all",
);

/** What roles say: mostly usable, often not, sometimes hostile. */
export const answer: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.json({ maxDepth: 3 }),
  fc
    .record({
      verdict: some("PASS", "FAIL", "REVISE", "SAFE_TO_DISPATCH", "NEEDS_REFINEMENT", "DO_NOT_DISPATCH", "pass"),
      reason,
    })
    .map((each) => JSON.stringify(each)),
  fc
    .record({
      action: some("dispatch"),
      task_id: some("t-1", "t-2", "t-3", "x.y", "__proto__"),
      worker: some("claude", "codex", "devin", "constructor"),
      project: some("p"),
      command: some("rm -rf /"),
    })
    .map((each) => JSON.stringify(each)),
  fc
    .record({ action: some("file_fix_task"), parent: some("t-1", "t-2", "t-3", "e"), title: reason, body: reason })
    .map((each) => JSON.stringify(each)),
  fc
    .record({ action: some("halt"), status: some("blocked", "review", "queued", "done"), reason })
    .map((each) => JSON.stringify(each)),
  fc
    .array(
      fc.record({
        id: some("a", "b", "c", "d e", "Work Items"),
        title: some("A", "B", ""),
        depends: fc.subarray(["a", "b", "$1"]),
        body: reason,
      }),
      { maxLength: 9 },
    )
    .map((items) => JSON.stringify({ action: "decompose", items })),
);
