import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failed } from "../../core/failure/failed.ts";
import { type Command, OK } from "../command.ts";
import { answers } from "../demo/chapters/answers.ts";
import { collideOnPaper } from "../demo/chapters/collide-on-paper.ts";
import { sixItems } from "../demo/chapters/epic.ts";
import { killAndRecover } from "../demo/chapters/kill-and-recover.ts";
import { landTheWork } from "../demo/chapters/land-the-work.ts";
import { nothingIsLost } from "../demo/chapters/nothing-is-lost.ts";
import { threeAgents } from "../demo/chapters/three-agents.ts";
import { whatTheyDid } from "../demo/chapters/what-they-did.ts";
import { hasTmux } from "../demo/has-tmux.ts";
import { layOut } from "../demo/project.ts";
import { type Chapter, DemoStage } from "../demo/stage.ts";
import { requireGit } from "../repository.ts";

const SESSION: readonly Chapter[] = [
  threeAgents,
  killAndRecover,
  answers,
  collideOnPaper,
  whatTheyDid,
  nothingIsLost,
  landTheWork,
];
const DEMOS: Readonly<Record<string, readonly Chapter[]>> = { session: SESSION, epic: [sixItems] };

export const command: Command = {
  name: "demo",
  summary: "See banksman work in a temporary folder; needs no model and no account",
  args: [{ name: "[what]", help: "session (the default) or epic." }],
  options: [{ flags: "--clean", help: "Remove the temporary folder at the end." }],
  examples: [
    {
      run: "banksman demo",
      does: "shows scripted agents, a crash, a question, a conflict, a removal and a landing; keeps its folder for you to look at",
    },
    { run: "banksman demo --clean", does: "the same, and removes its folder" },
    { run: "banksman demo epic", does: "shows an epic of six items, with one failure and its fix, by scripted agents" },
  ],
  ownSignals: true,
  async run({ args: [what = "session"], options }, io) {
    const chapters = Object.hasOwn(DEMOS, what) ? DEMOS[what] : undefined;
    if (chapters === undefined)
      throw new Failed({
        kind: "usage",
        message: `There is no demo ${JSON.stringify(what)}.`,
        hint: "There are: session, epic.",
      });
    await requireGit({ ...io, cwd: "/" });
    const begun = performance.now();
    const stage = new DemoStage(io, await hasTmux(io));
    let leaving = false;
    const leave = () => {
      leaving = true;
      io.err("\nLeaving; nothing is left of it.\n");
      void end(stage, true).finally(() => process.exit(2));
    };
    process.once("SIGINT", leave);
    process.once("SIGTERM", leave);
    try {
      await layOut(stage);
      for (const [i, chapter] of chapters.entries()) {
        stage.heading(`${i + 1}. ${chapter.title}`);
        await chapter.play(stage);
      }
    } catch (error) {
      // The stage is being taken down under the chapter that was playing: what it says of that is nobody's concern.
      if (leaving) await new Promise(() => undefined);
      throw error;
    } finally {
      if (!leaving) await end(stage, options.clean === true);
    }
    stage.heading(`Done in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    if (options.clean) stage.say("Nothing is left of it.");
    else stage.say(what === "epic" ? AROUND_EPIC(stage.folder) : AROUND(stage.folder));
    return OK;
  },
};

const SETTLE_MS = 1_000;

const AROUND = (folder: string) => `Look around:   cd ${folder}/greenhouse
               ../bm status · ../bm log --effects · ../bm inbox feat-report · git log --oneline --all
               less .banksman/logs/*/*.log
Go on:         ../bm start
Clean up:      ../bm purge --force; cd; rm -rf ${folder}
Next:          banksman start --branches feat/a,feat/b --cli <your CLI>   (docs/quick-start.md)`;

const AROUND_EPIC = (folder: string) => `Look around:   cd ${folder}/greenhouse
               less .banksman/epics/greenhouse.md · ../bm epic log greenhouse · git log --oneline --all
Clean up:      ../bm purge --force; cd; rm -rf ${folder}
Next:          banksman epic new <id> --title "…"   (docs/guides/epic.md)`;

/** No process is left, whatever happened. */
async function end(stage: DemoStage, clean: boolean): Promise<void> {
  // Twice: Ctrl-C may have come while a supervisor was starting, which is up a moment later.
  for (const ms of [0, clean ? SETTLE_MS : 0]) {
    await sleep(ms);
    await stage.banksman("stop", "--force").catch(() => undefined);
    await stage.banksman("serve", "--stop").catch(() => undefined);
  }
  if (stage.inTmux) await stage.program("tmux", ["-S", stage.socket, "kill-server"], "/").catch(() => undefined);
  if (clean) rmSync(stage.folder, { recursive: true, force: true });
}
