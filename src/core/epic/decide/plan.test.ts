import { expect, it } from "vitest";
import { draw, NOW, read } from "../../../../test/epics/sketch.ts";
import { stamped } from "../file/memory.ts";
import { planTick } from "./plan.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { writeTask } from "./task.ts";
import { withUnable } from "./workers.ts";

it("offers the planner nobody who has his hands full", () => {
  const workers = new Map([...DEFAULT_POLICY.workers].map(([name, worker]) => [name, { ...worker, capacity: 1 }]));
  const epic = read(draw({ items: "a in_progress claude active=0; b queued", status: "in_progress" }));
  const { request } = planTick(epic, NOW, [], { ...DEFAULT_POLICY, workers });
  expect(request?.brief).toMatchObject({ role: "preflight", workers: ["codex", "gemini", "opencode", "pi"] });
});

it("tells the planner what each worker can do", () => {
  const [claude, codex] = [...DEFAULT_POLICY.workers.values()];
  const workers = new Map(
    [claude, codex].flatMap((each) => (each ? [[each.name, { ...each, capabilities: ["docs"] }]] : [])),
  );
  const { request } = planTick(read(draw({ items: "a queued" })), NOW, [], { ...DEFAULT_POLICY, workers });
  expect(request?.brief).toMatchObject({
    workers: ["claude", "codex"],
    capabilities: { claude: ["docs"], codex: ["docs"] },
  });
});

it("offers nobody who cannot be sent from here, and says what is missing where nobody can", () => {
  const { workers } = DEFAULT_POLICY;
  const without = (...names: string[]) => withUnable(workers, new Map(names.map((name) => [name, "is not installed"])));
  const plan = (items: string, ...names: string[]) =>
    planTick(read(draw({ items })), NOW, [], { ...DEFAULT_POLICY, workers: without(...names) });
  expect(plan("a queued", "claude", "pi").request?.brief).toMatchObject({ workers: ["codex", "gemini", "opencode"] });
  expect(plan("a queued pi", "pi")).toMatchObject({
    next: "halt",
    row: { class: "dispatch_halt", notes: expect.stringContaining("a asks for pi (pi is not installed)") },
  });
  expect(plan("a queued", ...workers.keys()).row?.notes).toMatch(
    /asks for anybody \(claude is not installed; codex is not installed; .*, and the registry has nobody/,
  );
});

it("comes to an end with a file as long as files may be", () => {
  const rows = Array.from({ length: 120_000 }, (_, i) => `|a${i}|queued|`);
  const epic = read(
    ["---", "id: e", "status: queued", "---", "## Work Items", "|ID|Status|", "|-|-|", ...rows].join("\n"),
  );
  expect(planTick(epic, NOW, [], DEFAULT_POLICY)).toMatchObject({ next: "ask", request: { role: "planner" } });
  const memory = Array.from({ length: 300_000 }, () => ({ at: NOW, decision: "", class: "x", notes: "", row: null }));
  expect(stamped(memory, NOW)).toBe(NOW + 1);
});

it("tells the verifier where what failed before was mended, and the worker what it mends", () => {
  const epic = read(
    draw({ items: "a in_progress surface=p1 pending=verify; a-fix1 ready_for_user_review surface=p2" }),
  );
  const { request } = planTick(epic, NOW, [], DEFAULT_POLICY);
  expect(request?.brief).toMatchObject({ item: "a", pr: "p1", fixes: ["p2"] });
  const [, fix] = epic.items;
  expect(fix && writeTask(epic, fix)).toMatch(/^It mends a \(Item a\), whose work is here: p1\./m);
});
