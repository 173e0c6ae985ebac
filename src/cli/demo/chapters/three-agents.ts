import type { Chapter } from "../stage.ts";

export const threeAgents: Chapter = {
  title: "Three agents, three branches, three worktrees",
  async play(stage) {
    stage.say(
      "A small repository with a real test suite (one test is red), and three scripted agents: no model, no account.\n",
    );
    await stage.start("--branches", "feat/humidity,feat/report,fix/rounding", "--cli", "scripted");
    if (stage.inTmux) stage.say("(That tmux server is the demo's own. Attach from another terminal while it lasts.)\n");
    stage.say("They work in parallel. Two of them will need a person:");
    await stage.watch(
      ({ agents, needsYou }) =>
        needsYou.length === 2 && agents.some(({ id, state }) => id === "fix-rounding" && state === "done"),
    );
    await stage.show("questions");
  },
};
