import type { Chapter } from "../stage.ts";

export const collideOnPaper: Chapter = {
  title: "Two agents collide, on paper first",
  async play(stage) {
    stage.say(
      "Two more agents, and both want src/temperature.js. They hear of each other before either has touched it:\n",
    );
    await stage.show("add", "feat/alerts", "feat/units", "--cli", "scripted");
    await stage.watch(({ conflicts }) => conflicts.some(({ kind }) => kind === "forward"));
    await stage.show("inbox", "feat-alerts");
    stage.say(
      "They go ahead, in the same line. Nothing is committed; it is seen as it lands on disk, and merged in memory:\n",
    );
    await stage.watch(({ conflicts }) => conflicts.some(({ kind }) => kind === "predicted"));
    await stage.show("conflicts");
    stage.say("Both have these lines in their inboxes. A word from a person, and one of them takes its change back:\n");
    await stage.show("tell", "feat-units", "Leave src/temperature.js to feat-alerts; put yours into src/units.js.");
    await stage.watch(({ conflicts }) => conflicts.length === 0);
    await stage.show("conflicts");
    await stage.banksman("tell", "feat-alerts", "It is yours alone now: commit it.");
    await stage.watch(({ agents }) =>
      agents.filter(({ branch }) => branch !== null).every(({ state }) => state === "done" || state === "failed"),
    );
  },
};
