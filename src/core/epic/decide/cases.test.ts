import { describe, expect, it } from "vitest";
import { draw, type Given, given, NOW, read, type Seen } from "../../../../test/epics/sketch.ts";
import type { Instant } from "../../text/ids.ts";
import { readCell, writeCell } from "../file/cells.ts";
import { parseEpic } from "../file/parse.ts";
import { DEFAULT_POLICY, HOUR } from "./policy.ts";
import { pickEpic } from "./portfolio.ts";
import { textsOf, tick } from "./tick.ts";

const dispatch = '{"action":"dispatch","task_id":"a","worker":"claude","project":"p"}';
const PASS = '{"verdict":"PASS"}';
const fail = '{"verdict":"FAIL","reason":"tests red"}';
const revise = '{"verdict":"REVISE","reason":"needs credentials it does not have"}';
const fix = (body = "Find the cause and mend it.") =>
  JSON.stringify({ action: "file_fix_task", parent: "a", title: "Mend the token store", body });
const haltAs = (status: string) => JSON.stringify({ action: "halt", status, reason: "R" });
const ask = (item: string, question = "Which vendor?") =>
  JSON.stringify({ action: "ask", task_id: item, question, options: ["acme", "other"], default: "acme" });
const children = (count: number, more = {}) =>
  JSON.stringify({
    action: "decompose",
    items: Array.from({ length: count }, (_, i) => ({
      id: `c${i + 1}`,
      title: `Child ${i + 1}`,
      estimate_hours: 2,
      ...more,
    })),
  });
const exit = (code: number, pr?: string) => [{ item: "a", kind: "exit", code, ...(pr && { pr }) }];
const PR = "https://x/pull/1";
const out = "a in_progress claude";
const failed = `${out} pending=react:marsha-fail:\u00a0tests\u00a0red`;
const ago = (hours: number, minutes = 0) => `active=-${hours * 60 + minutes}`;
const MALFORMED = { class: "verdict_malformed", effects: [] };

/**
 * The reference's acceptance cases, over spec 7 where that differs: given, answer or signals, expected. Items are
 * written `id status worker key=value`, rows of the memory by their class. 49 and 54 need a store: test/journeys/epic.test.ts.
 */
// biome-ignore format: a table is read by its lines
const CASES: readonly (readonly [string, Given, Partial<Seen>])[] = [
  ["1 dispatch: saved as intent first", { items: "a queued", answer: dispatch }, { class: "dispatch_ok", a: "in_progress", effects: ["dispatch a claude e/1/1"], intent: true, status: "queued" }],
  ["2 a dispatch without task_id", { items: "a queued", answer: '{"action":"dispatch"}' }, { ...MALFORMED, a: "queued" }],
  ["3 prose", { items: "a queued", answer: "I would dispatch a." }, { ...MALFORMED, a: "queued" }],
  ["3 nothing", { items: "a queued", answer: "" }, { ...MALFORMED, a: "queued" }],
  ["3 a list", { items: "a queued", answer: `[${dispatch}]` }, { ...MALFORMED, a: "queued" }],
  ["3 two actions", { items: "a queued", answer: dispatch + haltAs("review") }, { ...MALFORMED, a: "queued" }],
  ["3 two actions in one object", { items: "a queued", answer: dispatch.replace("{", '{"action":"halt",') }, { ...MALFORMED, a: "queued" }],
  ["4 an unknown worker", { items: "a queued", answer: dispatch.replace("claude", "devin") }, { ...MALFORMED, a: "queued" }],
  ["5 another worker than asked for", { items: "a queued codex", answer: dispatch }, { ...MALFORMED, a: "queued", notes: "substitution: a is codex's, and nobody said that claude may have it" }],
  ["5 unless a person said so", { items: "a queued codex", decisions: "worker-a=claude", answer: dispatch }, { class: "dispatch_ok", a: "in_progress" }],
  ["6 another project", { items: "a queued", project: "q", answer: dispatch }, { ...MALFORMED, a: "queued" }],
  ["7 a dependency is not done", { items: "a queued depends=b; b queued", answer: dispatch }, { ...MALFORMED, a: "queued depends b" }],
  ["8 preflight halts", { items: "a queued", answer: haltAs("blocked") }, { class: "dispatch_halt", notes: "R", status: "blocked", effects: ["notify e: blocked, R. Next: a (Item a)."] }],
  ["9 preflight halts as done", { items: "a queued", answer: haltAs("done") }, { ...MALFORMED, status: "queued" }],
  ["10 three verify_fail in eight rows", { items: "a queued", rows: "verify_fail verify_pass verify_fail verify_fail" }, { next: "halt", class: "brake_fired", notes: "recurring: verify_fail", status: "review", asks: null }],
  ["11 the third is row nine", { items: "a queued", rows: `verify_fail ${"dispatch_ok ".repeat(6)}verify_fail verify_fail` }, { next: "ask", asks: "planner preflight" }],
  ["12 three dispatch_ok", { items: "a queued", rows: "dispatch_ok dispatch_ok dispatch_ok" }, { next: "ask" }],
  ["13 two classes recur", { items: "a queued", rows: "verify_fail verify_fail verify_fail dispatch_halt dispatch_halt dispatch_halt" }, { next: "halt", notes: "recurring: dispatch_halt" }],
  ["14 two silent for 4 h 01", { items: `${out} ${ago(4, 1)}; b in_progress claude ${ago(4, 1)}` }, { next: "halt", notes: "stalled workers", status: "review" }],
  ["15 two silent for exactly 4 h", { items: `${out} ${ago(4)}; b in_progress claude ${ago(4)}` }, { next: "noop", same: true }],
  ["16 one silent for 5 h", { items: `${out} ${ago(5)}` }, { next: "noop", same: true }],
  ["16 one silent for 5 h, 12 h allowed", { items: `${out} ${ago(5)}`, policy: { singleStallMs: 12 * HOUR } }, { next: "noop" }],
  ["17 one of two silent ones is back", { items: `${out} ${ago(5)}; b in_progress claude ${ago(5)}`, signals: exit(0, PR) }, { next: "ask", asks: "verifier" }],
  ["18 two react_halt", { items: "a queued", rows: "react_halt brake_reset react_halt" }, { next: "halt", notes: "repeated react halt", status: "review" }],
  ["18 counted anew after it fired", { items: "a queued", rows: "react_halt react_halt brake_fired:repeated\u00a0react\u00a0halt brake_reset react_halt" }, { next: "ask" }],
  ["19 a halted epic", { items: "a queued", status: "review", rows: "verify_fail verify_fail verify_fail brake_fired", signals: exit(0, PR) }, { next: "noop", same: true }],
  ["20 a person queues it again", { items: "a queued attempts=3", rows: "verify_fail verify_fail verify_fail brake_fired" }, { next: "applied", class: "brake_reset", epoch: 2, effects: [], asks: null }],
  ["20 and it goes on", { items: "a queued", epoch: 2, rows: "verify_fail verify_fail verify_fail brake_fired brake_reset" }, { next: "ask", asks: "planner preflight" }],
  ["21 three new ones", { items: "a queued", epoch: 2, rows: "verify_fail brake_fired brake_reset verify_fail verify_fail verify_fail" }, { next: "halt", notes: "recurring: verify_fail" }],
  ["22 sixteen rows and one more", { items: "a queued", rows: "dispatch_ok ".repeat(16), answer: dispatch }, { class: "dispatch_ok", rows: 16 }],
  ["23 back with a pull request, PASS", { items: out, signals: exit(0, PR), answer: PASS }, { class: "verify_pass", a: `ready_for_user_review ${PR}` }],
  ["24 FAIL: the planner is asked next time", { items: out, signals: exit(0, PR), answer: fail }, { class: "verify_fail", a: `in_progress ${PR} react: marsha-fail: tests red`, effects: [] }],
  ["25 and files a fix", { items: failed, answer: fix() }, { class: "react_filed_fix", added: "a-fix1 ready", a: "in_progress verify depends a-fix1", effects: ["create a-fix1 e/1/1"] }],
  ["26 or halts", { items: failed, answer: haltAs("review") }, { class: "react_halt", status: "review" }],
  ["27 or sends it again", { items: `${failed} attempts=1`, answer: dispatch }, { class: "dispatch_ok", a: "in_progress", attempts: 2, effects: ["dispatch a claude e/1/1"] }],
  ["28 REVISE", { items: out, signals: exit(0, PR), answer: revise }, { class: "verify_revise", added: "a-verify1 ready depends a", effects: ["create a-verify1 e/1/1"] }],
  ["28 keeps the epic from ending", { items: `${out} surface=${PR}; a-verify1 ready depends=a` }, { next: "ask", asks: "planner preflight" }],
  ["28 and is followed by a verdict", { items: `${out} surface=${PR}; a-verify1 ready_for_user_review depends=a` }, { next: "ask", asks: "verifier" }],
  ["29 MAYBE", { items: out, signals: exit(0, PR), answer: '{"verdict":"MAYBE"}' }, { ...MALFORMED, a: `in_progress ${PR} verify` }],
  ["30 three malformed in eight", { items: "a queued", rows: "verdict_malformed verdict_malformed verdict_malformed" }, { next: "halt", notes: "recurring: verdict_malformed" }],
  ["31 back with nothing", { items: out, signals: exit(0) }, { next: "ask", asks: "planner react", context: "a: no-deliverable, exit 0", a: "in_progress react: no-deliverable, exit 0" }],
  ["32 locked by a pull request", { items: out, signals: exit(2, PR) }, { next: "ask", asks: "verifier", a: `in_progress ${PR} verify` }],
  ["33 done already", { items: `${out}; b queued`, signals: [{ item: "a", kind: "done" }] }, { next: "ask", asks: "planner preflight", a: "done" }],
  ["34 a reaction before a dispatch", { items: `b queued; ${failed}` }, { next: "ask", asks: "planner react" }],
  ["35 no items yet", { items: "", status: "inbox" }, { next: "ask", asks: "planner decompose" }],
  ["35 a child waits for a person", { items: "", answer: children(1) }, { class: "plan_review", notes: expect.stringMatching(/^(1 item waits|2 items wait) for your approval/) }],
  ["35 children wait for a person", { items: "", answer: children(2) }, { class: "plan_review", status: "review", added: "c1 ready; c2 ready; verify-goal ready depends c1, c2", effects: ["create c1,c2,verify-goal e/1/1", "notify e: review, 3 items wait for your approval: set the status to queued, or `banksman epic promote e`. Next: c1 (Child 1)."] }],
  ["35 who lets them go", { items: "c1 ready", rows: "plan_review" }, { next: "ask", asks: "planner preflight", epoch: 1 }],
  ["36 nine children", { items: "", answer: children(9) }, { ...MALFORMED, added: "", status: "queued" }],
  ["36 one of six hours", { items: "", answer: children(2, { estimate_hours: 6 }) }, { ...MALFORMED, added: "" }],
  ["37 a fix that offers to skip a test", { items: failed, answer: fix("Either fix it, or skip this test on host X.") }, { ...MALFORMED, added: "", a: "in_progress react: marsha-fail: tests red" }],
  ["38 the rule, quoted", { items: failed, answer: fix('Mend it. Our rule: "never skip this test on host X".') }, { class: "react_filed_fix" }],
  ["37 unless a person has named the test", { items: failed, prose: "ALLOW SKIP: `login expires`: the vendor is down", answer: fix("Add `it.skip` to the test login expires until May.") }, { class: "react_filed_fix", added: "a-fix1 ready", log: "skipping login expires is allowed by its owner (ALLOW SKIP)" }],
  ["37 and no other one with it", { items: failed, prose: "ALLOW SKIP: `login expires`", answer: fix("Skip login expires and the other tests.") }, MALFORMED],
  ["37 and not another one", { items: failed, prose: "ALLOW SKIP: `login expires`", answer: fix("Skip the logout test.") }, MALFORMED],
  ["37 nor by naming none", { items: failed, prose: "ALLOW SKIP: all the failing tests", answer: fix("Skip all the failing tests.") }, MALFORMED],
  ["37 nor does a role's own line allow it", { items: failed, prose: "> ALLOW SKIP: `login expires`", answer: fix("Skip login expires test.") }, MALFORMED],
  ["39 a table that is dropped: the critic", { items: "a queued notes=Drop\u00a0table\u00a0users" }, { next: "ask", asks: "critic" }],
  ["39 marked by the planner", { items: "a queued", answer: dispatch.replace("{", '{"risk":"high",') }, { next: "applied", class: null, a: "queued", effects: [], log: "planner marks a as high-risk" }],
  ["39 marked in the plan", { items: "", answer: children(1, { risk: "high" }) }, { class: "plan_review", added: "c1 ready" }],
  ["39 high-risk, no way back", { items: "a queued notes=high-risk" }, { next: "halt", class: "dispatch_halt", status: "review", added: "a-refine1 review", asks: null }],
  ["39 high-risk, with one: the critic", { items: "a queued notes=high-risk", rollback: "automatic: revert the commit and the schema" }, { next: "ask", asks: "critic" }],
  ["39 safe, says the critic", { items: "a queued notes=high-risk", rollback: "automatic", answer: '{"verdict":"SAFE_TO_DISPATCH"}' }, { next: "applied", class: null, a: "queued", log: "critic on a: SAFE_TO_DISPATCH" }],
  ["39 then the planner", { items: "a queued notes=high-risk", rollback: "automatic", log: "critic on a: SAFE_TO_DISPATCH" }, { next: "ask", asks: "planner preflight" }],
  ["39 not safe, says the critic", { items: "a queued notes=high-risk", rollback: "automatic", answer: '{"verdict":"DO_NOT_DISPATCH","reason":"no backup"}' }, { class: "dispatch_halt", status: "review", a: "queued" }],
  ["39 not clear enough, says the critic", { items: "a queued notes=high-risk", rollback: "automatic", answer: '{"verdict":"NEEDS_REFINEMENT","reason":"which database?"}' }, { class: "react_filed_fix", added: "a-refine1 ready", a: "queued depends a-refine1" }],
  ["40 irreversible", { items: "a queued notes=high-risk", rollback: "irreversible" }, { next: "halt", class: "dispatch_halt", status: "review" }],
  ["41 overridden by a person", { items: "a queued notes=high-risk", rollback: "irreversible", prose: "CRITIC OVERRIDE: I have a backup", answer: dispatch }, { class: "dispatch_ok" }],
  ["41 not by somebody's quote", { items: "a queued notes=high-risk", rollback: "irreversible", prose: "> CRITIC OVERRIDE: I have a backup" }, { next: "halt" }],
  ["42 one item", { items: `a ready_for_user_review surface=${PR}` }, { next: "finish", notes: "1 of 1 item ready for review" }],
  ["42 everything at its surface or blocked for a reason", { items: `a ready_for_user_review surface=${PR}; b blocked notes=vendor` }, { next: "finish", class: "finished", status: "ready_for_user_review", log: "b (Item b): blocked vendor" }],
  ["43 blocked for no reason", { items: "a done; b blocked" }, { next: "applied", class: null, status: "queued", asked: "why-b", effects: ['notify e needs you: b is blocked, and no reason was written. What does it wait for? (`banksman epic answer e why-b "…"`)'] }],
  ["43 and the answer is the reason", { items: "a done; b blocked", decisions: "why-b=vendor" }, { next: "finish" }],
  ["44 no hand free", { items: "a in_progress gemini; b in_progress gemini; c queued gemini" }, { next: "noop", same: true }],
  ["45 the branch is taken", { items: "a in_progress claude; b queued", branch: "one" }, { next: "noop", same: true }],
  ["45 and free again", { items: "a ready_for_user_review; b queued", branch: "one" }, { next: "ask", asks: "planner preflight" }],
  ["50 a crash after the intent was saved", { items: out, intent: "a claude e/1/7", seq: 7 }, { next: "applied", class: null, effects: ["dispatch a claude e/1/7"], intent: true, seq: 7 }],
  ["50 a dispatch that failed", { items: `${out} attempts=1`, intent: "a claude e/1/7 no such program" }, { class: "act_failed", attempts: 1, a: "in_progress react: dispatch failed: no such program", effects: [] }],
  ["51 put back by stale-check", { items: `${out} attempts=1`, signals: [{ item: "a", kind: "stale" }, { item: "a", kind: "stale" }] }, { next: "ask", a: "queued", attempts: 1 }],
  ["52 a decision that was asked", { items: "b blocked", decisions: "why-b=" }, { next: "noop", same: true }],
  ["53 a clock that went back", { items: "a queued", rows: "dispatch_ok", clock: -5, answer: dispatch }, { class: "dispatch_ok", ordered: true }],
  ["52 the planner asks a person", { items: "a queued; b queued", answer: ask("a") }, { next: "applied", class: null, asked: "ask-a-1", a: "queued", effects: ['notify e needs you: Which vendor? (`banksman epic answer e ask-a-1 "…"`)'] }],
  ["52 what it is about waits, the rest does not", { items: "a queued; b queued", decisions: "ask-a-1=", answer: dispatch }, { ...MALFORMED, a: "queued" }],
  ["52 nothing else is left", { items: "a queued", decisions: "ask-a-1=" }, { next: "noop", same: true }],
  ["52 answered, it goes on", { items: "a queued", decisions: "ask-a-1=acme", answer: dispatch }, { class: "dispatch_ok" }],
  ["52 about the epic: all of it waits", { items: "a queued; b queued", decisions: "ask-e-1=" }, { next: "noop", same: true }],
  ["52 before there are items", { items: "", status: "inbox", decisions: "ask-e-1=" }, { next: "noop", same: true }],
  ["52 in a reaction", { items: failed, answer: ask("a") }, { asked: "ask-a-1", a: "in_progress react: marsha-fail: tests red" }],
  ["52 and is not asked again meanwhile", { items: failed, decisions: "ask-a-1=" }, { next: "noop", same: true }],
  ["52 not without end", { items: "a queued", decisions: "ask-a-1=x; ask-a-2=y; ask-a-3=z", answer: ask("a") }, { ...MALFORMED, notes: "a has had 3 questions already" }],
  ["52 not about what is not there", { items: "a queued", answer: ask("z") }, MALFORMED],
  ["52 not whether to skip a test", { items: "a queued", answer: ask("a", "Shall we skip the test?") }, MALFORMED],
  ["a check that does not move, explained", { items: `${out} surface=${PR}; a-verify1 blocked`, decisions: "why-a=leave it" }, { next: "applied", asked: "why-a-verify1" }],
  ["both explained: that is its end", { items: `${out} surface=${PR}; a-verify1 blocked`, decisions: "why-a=leave it; why-a-verify1=no key" }, { next: "finish", status: "ready_for_user_review" }],
  ["a fourth fix for the epic while three are open", { items: "a queued; e-fix1 ready; e-fix2 ready; e-fix1-fix1 queued", answer: fix().replace('"a"', '"e"') }, { ...MALFORMED, notes: "e waits for 3 items already" }],
  ["a fourth fix for an item while three are open", { items: "a queued depends=a-fix1; a-fix1 ready; a-fix2 ready; a-fix3 ready", answer: fix() }, { ...MALFORMED, notes: "a waits for 3 items already" }],
  ["39 a fix of a high-risk item is one, whatever it is called", { items: "a in_progress surface=x pending=verify; a-fix1 ready", prose: "### a\nDeploys it.", answer: dispatch.replace('"a"', '"a-fix1"') }, { asks: null, class: "verdict_malformed" }],
  ["50 an intent for an item that a person cancelled meanwhile", { items: "a cancelled; b done", intent: "a claude e/1/3" }, { next: "applied", effects: [], a: "cancelled" }],
  ["50 an intent for an item that is gone", { items: "b queued", intent: "a claude e/1/3" }, { next: "applied", effects: [] }],
  ["50 an intent in an epic that nobody approved", { items: "a in_progress claude", intent: "a claude e/1/3", status: "ready" }, { next: "halt", class: "plan_review", effects: [expect.stringMatching(/^notify/)] }],
];

describe("the reference's cases", () => {
  it.each(CASES)("%s", (_, asked, expected) => {
    const seen = given(asked);
    expect(Object.fromEntries(Object.keys(expected).map((key) => [key, seen[key as keyof Seen]]))).toEqual(expected);
  });

  it("46 a cell with a bar, a line end and a backtick is read as it was written", () => {
    for (const text of ["a | b", "a\nb", "`a|b`", "\\", "a\\|b", "<br>", "&lt;br>", "&amp;#92;|", "—x—", "\\\n|"])
      expect(readCell(writeCell(text))).toBe(text);
  });

  it("47 what is not ours stays: sections, columns, line ends, alignment, samples in fences", () => {
    const text = FOREIGN.replaceAll("\n", "\r\n");
    const decided = tick(read(text), [], { said: dispatch }, { now: NOW, policy: DEFAULT_POLICY });
    const expected = text
      .replace("status: queued", "status: queued\r\nseq: 1")
      .replace("| Mine |", "| Mine | Worker | Attempts | Last activity |")
      .replace("|:--:|", "|:--:| --- | --- | --- |")
      .replace("| queued | a note |", "| in_progress | a note | claude | 1 | 2026-05-08T12:00:00Z |")
      .replace("| done | — |", "| done | — | — | 0 | — |")
      .replace(
        "|---|---|---|---|\r\n",
        "|---|---|---|---|\r\n| 2026-05-08T12:00:00Z | dispatch a to claude | dispatch_ok | attempt 1 |\r\n",
      );
    expect(textsOf(decided).body.split("\r\n")).toEqual(expected.split("\r\n"));
  });

  it("48 two sections of one name are refused", () => {
    expect(parseEpic(`${draw({ items: "a queued" })}\n## Work Items\n`)).toEqual({
      corrupt: "it has two sections called Work Items",
    });
  });

  it("55 of three epics one moves per tick, each in its turn", () => {
    const epics = new Map(
      ["x", "y", "z"].map((id) => [id, draw({ items: "a queued; b queued" }).replace("id: e", `id: ${id}`)]),
    );
    const turns: string[] = [];
    for (let i = 0; i < 6; i++) {
      const now = (NOW + i * 60_000) as Instant;
      const all = [...epics].map(([id, text]) => ({ id, epic: read(text) }));
      const picked = pickEpic(all, now, DEFAULT_POLICY);
      if (picked === null) break;
      turns.push(picked.id);
      const answer = dispatch.replace('"a"', i < 3 ? '"a"' : '"b"');
      epics.set(picked.id, textsOf(tick(picked.epic, [], { said: answer }, { now, policy: DEFAULT_POLICY })).body);
    }
    expect(turns).toEqual(["x", "y", "z", "x", "y", "z"]);
    expect(
      pickEpic(
        [...epics.values()].map((text) => ({ epic: read(text) })),
        NOW,
        DEFAULT_POLICY,
      ),
    ).toBe(null);
  });
});

const FOREIGN = `---
id: e
status: queued
---
Prose | with a bar.

## Work Items

The owner says:

| ID | Status   | Mine |
|:--|---|:--:|
| a | queued | a note |
| b | done | — |

\`\`\`
## Work Items
| ID | Status |
|---|---|
| s | queued |
\`\`\`

## My own section
| x |
|---|

## Pattern Memory
| Tick (ISO) | Decision | Class | Notes |
|---|---|---|---|
`;
