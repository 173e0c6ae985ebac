import { setTimeout as sleep } from "node:timers/promises";
import { lives } from "../../supervisor/state-files.ts";
import type { Chapter } from "../stage.ts";

export const killAndRecover: Chapter = {
  title: "kill -9, and on it goes",
  async play(stage) {
    const { supervisor } = await stage.snapshot();
    const pid = supervisor?.pid ?? 0;
    stage.say(`Now the background process dies in the middle of it: kill -9 ${pid}`);
    process.kill(pid, "SIGKILL");
    while (lives(pid)) await sleep(20);
    await stage.show("status");
    stage.say("Everything it had acknowledged is in its journal; starting is recovering:\n");
    await stage.start();
    if (stage.inTmux)
      stage.say("The agents in tmux never stopped: the new background process has taken them up again.");
    await stage.watch(({ needsYou }) => needsYou.length === 2);
  },
};
