import { expect, it } from "vitest";
import { assignmentsOf, sessionOf } from "../../src/core/session/read-session.ts";
import type { AgentId } from "../../src/core/text/ids.ts";
import { SimulatedWorld } from "./world.ts";

it("raises what agents were at already when their session is started again with a supervisor", async () => {
  const world = new SimulatedWorld();
  world.agents.programs.set("worker", (stage) => {
    const { cwd, env } = stage.order;
    Object.assign(world.repository.filesOf(cwd), { shared: "x", [`owned/${env.BANKSMAN_AGENT}`]: "x" });
    stage.emit({ type: "session", id: "talks" });
  });
  const supervisor = await world.open();
  const { journal } = supervisor.context;
  await supervisor.reconcile(true);
  const start = (supervisor: boolean | null, ...branches: string[]) =>
    world.act({
      type: "start",
      branches,
      cli: null,
      briefs: { all: null, each: {}, folder: null },
      clis: {},
      owned: { "spec/other": ["owned/"] },
      rebase: false,
      arrangement: null,
      supervisor,
      again: false,
      dryRun: false,
    });
  await start(null, "a", "b");
  const untilSeen = (agent: string) =>
    journal.until(() => journal.entry(agent as AgentId)?.files.includes("shared") === true);
  await journal.until(() => assignmentsOf(journal).every(({ live }) => live !== null));
  // Whatever is under way goes on until nothing more happens by itself; then everybody is looked at again.
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
  world.clock.pass(30_000);
  await Promise.all(["a", "b"].map(untilSeen));
  const warnings = () =>
    world.disk.tables.messages.flatMap(({ message }) =>
      message.type === "agent.feedback" ? message.payload.errors : [],
    );
  expect(warnings()).toEqual([]);

  await world.act({ type: "stop", agents: [] });
  await start(true);
  expect(sessionOf(journal)?.conflicts).not.toBe(null);
  expect(warnings()).toEqual(
    expect.arrayContaining([
      "[conflict-detector] in-flight conflict: file shared is being modified by both you and b",
      "[conflict-detector] ownership violation: you edited owned/a, which belongs to the spec spec/other, and no agent works on that here",
    ]),
  );
});
