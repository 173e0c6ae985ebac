import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kindNamed } from "../../src/core/clis/kinds.ts";
import { Ground } from "./drive.ts";
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

const SHORT = { idleSeconds: 10, workSeconds: 15 };

for (const cli of chosenClis().filter((name) => name !== "codex-acp")) {
  const channel = kindNamed(cli)?.channels.find(({ program }) => program === undefined || isInstalled("codex-acp"));
  describe.skipIf(!isInstalled(cli) || channel === undefined)(`${cli}, when its model fails`, () => {
    let ground: Ground;
    beforeAll(() => {
      ground = new Ground(cli, channel?.name ?? "json", model.url);
    });
    afterAll(() => ground.dispose());

    it.each(FAULTS)("with %s: it ends, says how, and leaves nothing running", async (fault, how) => {
      const { exit } = await (await ground.run(`Do [[${fault}]].`, SHORT)).finish();
      expect([exit.end?.how, exit.end?.message]).toEqual([expect.stringMatching(how), expect.stringMatching(/./)]);
      expect(await ground.leftovers()).toBe(0);
    });

    it("with 429 once: it tries again, and does its work", async () => {
      const { exit } = await (await ground.run("Do [[429once]] [[text after all]].")).finish();
      expect(exit.end).toMatchObject({ how: "ok" });
      expect(await ground.leftovers()).toBe(0);
    });
  });
}
