import { rmSync } from "node:fs";
import { type Command, ERROR, OK } from "../command.ts";
import { hasTmux } from "../demo/has-tmux.ts";
import { DemoStage } from "../demo/stage.ts";
import { requireGit } from "../repository.ts";

export const command: Command = {
  name: "selftest",
  summary: "Test this installation: run a whole session in a temporary repository and a private tmux server",
  examples: [
    { run: "banksman selftest", does: "takes a few seconds; leaves nothing behind" },
    { run: "banksman selftest && echo fine", does: "the exit code is 1 if something does not work" },
  ],
  async run(_, io) {
    await requireGit({ ...io, cwd: "/" });
    const stage = new DemoStage(io, await hasTmux(io));
    let worked = true;
    const step = async (what: string, work: () => Promise<unknown>) => {
      if (!worked) return;
      const problem = await work().then(
        () => null,
        (error: Error) => error.message,
      );
      worked = problem === null;
      io.out(`${worked ? "ok  " : "fail"}  ${what}\n${problem === null ? "" : `${problem}\n`}`);
    };
    try {
      await step("a repository with one commit", async () => {
        stage.write("README", "selftest\n");
        await stage.git("init", "-q", "-b", "main");
        await stage.git("add", "README");
        await stage.git("commit", "-q", "-m", "first");
      });
      const mode = stage.inTmux ? [] : ["--headless"];
      stage.script("one", [
        { do: "write", path: "a", text: "a\n" },
        { do: "commit", message: "a" },
        { do: "wait" },
        { do: "artifact" },
      ]);
      await step(`two agents ${stage.inTmux ? "in tmux" : "headless"}`, () =>
        stage.banksman("start", ...mode, "--branches", "one,two", "--cli", "scripted"),
      );
      await step("one is done", () => until(stage, (states) => states.two === "done"));
      await step("the other hears what it is told", async () => {
        await stage.banksman("tell", "one", "go on");
        await until(stage, (states) => states.one === "done");
      });
      await step("stop, and no process is left", () => stage.banksman("stop", "--force"));
      await step("purge, with everything saved", () => stage.banksman("purge", "--force"));
      await step("restore", () => stage.banksman("restore", "one"));
    } finally {
      await stage.banksman("serve", "--stop").catch(() => undefined);
      rmSync(stage.folder, { recursive: true, force: true });
    }
    return worked ? OK : ERROR;
  },
};

const PATIENCE_MS = 60_000;

async function until(stage: DemoStage, so: (states: Record<string, string>) => boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const { agents } = await stage.snapshot();
    const states = Object.fromEntries(agents.map(({ id, state }) => [id, state]));
    if (so(states)) return;
    if (Date.now() > end) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${JSON.stringify(states)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
