import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kindNamed } from "../../src/core/clis/kinds.ts";
import { Ground, type RunOptions } from "./drive.ts";
import { chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

/** How it may end: by its own word, or by our limits, since most go on trying for minutes, or wait for ever. */
const FAULTS = [
  ["401", /^(error|timeout)$/],
  ["400", /^(error|timeout)$/],
  ["429", /^(error|timeout)$/],
  ["500", /^(error|timeout)$/],
  ["drop", /^(error|timeout)$/],
  ["hang", /^timeout$/],
  ["midhang", /^(error|timeout)$/],
] as const;

const SHORT = { idleSeconds: 15, workSeconds: 30 };

for (const cli of chosenClis().filter((name) => name !== "codex-acp")) {
  const channel = kindNamed(cli)?.channels.find(({ program }) => program === undefined || isInstalled("codex-acp"));
  describe.skipIf(!isInstalled(cli) || channel === undefined)(`${cli}, when its model fails`, () => {
    /** Most of the time nothing happens: several at once, each with a home of its own. */
    const meeting = async (prompt: string, limits: RunOptions) => {
      const ground = new Ground(cli, channel?.name ?? "json", model.url);
      const { exit } = await (await ground.run(prompt, limits)).finish();
      expect(await ground.dispose()).toBe(0);
      return exit.end;
    };

    it.concurrent.each(FAULTS)("with %s: it ends, says how, and leaves nothing running", async (fault, how) => {
      const end = await meeting(`Do [[${fault}]].`, SHORT);
      expect([end?.how, end?.message]).toEqual([expect.stringMatching(how), expect.stringMatching(/./)]);
    });

    it.concurrent("with 429 once: it tries again, and does its work", async () => {
      expect(await meeting("Do [[429once]] [[text after all]].", {})).toMatchObject({ how: "ok" });
    });
  });
}
