import type { Chapter, DemoStage } from "../stage.ts";

const FIVE = ["feat/humidity", "feat/report", "fix/rounding", "feat/alerts", "feat/units"];

export const landTheWork: Chapter = {
  title: "The work lands, and main is never red",
  async play(stage) {
    stage.say("The project's own tests decide. Its config names the command; you allow it once:\n");
    await stage.show("trust", "--yes");
    await stage.show("land", "--plan", ...FIVE);
    stage.say("main has a red test, so each branch is tried alone until one mends it; then the others go together:\n");
    await stage.show("land", ...FIVE, "--yes");
    stage.say("Two more agents. Each is right by itself: one renames a function, the other begins to use it.\n");
    await stage.show("add", "ref/sensor", "feat/alarm", "--cli", "scripted");
    await stage.watch(({ combinations }) => combinations.length > 0);
    stage.say("Nobody has merged anything yet. banksman has tested their work together, and told both:\n");
    await stage.show("inbox", "feat-alarm");
    await stage.watch(({ agents }) => ["ref-sensor", "feat-alarm"].every((id) => isDone(agents, id)));
    stage.say(
      "If they go on all the same, the train finds it: one lands, the other comes back with the failing test.\n",
    );
    await tried(stage, "land", "ref/sensor", "feat/alarm", "--yes");
    stage.say(
      `  main: ${(await stage.git("log", "--oneline", "main")).trim().split("\n").length} commits, tests green`,
    );
    await stage.program(process.execPath, ["--test", "test/"], stage.root);
  },
};

const isDone = (agents: readonly { readonly id: string; readonly state: string }[], id: string): boolean =>
  agents.some((agent) => agent.id === id && !["starting", "working"].includes(agent.state));

/** Its exit code says that not everything has landed, which is what this is to show. */
async function tried(stage: DemoStage, ...args: string[]): Promise<void> {
  await stage.show(...args).catch((error: Error) => stage.say(error.message.split("\n").slice(1).join("\n")));
}
