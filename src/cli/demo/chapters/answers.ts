import type { Chapter } from "../stage.ts";

export const answers: Chapter = {
  title: "Answering what needs a person",
  async play(stage) {
    const { needsYou } = await stage.snapshot();
    for (const { id, kind } of needsYou) await stage.show("answer", id, kind === "approval" ? "allow" : "Celsius");
    await stage.watch(({ agents }) => agents.every(({ state }) => state === "done" || state === "failed"));
    await stage.show("status");
  },
};
