import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TempRepository } from "../git-repository.ts";
import { chosenClis, isInstalled } from "./pinned.ts";
import { runCli } from "./run-cli.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const clis = chosenClis().filter((cli) => cli !== "codex-acp");

describe("a bare CLI does what the scripted model says", () => {
  for (const cli of clis) {
    it.skipIf(!isInstalled(cli))(`${cli} commits`, async () => {
      const repo = new TempRepository();
      try {
        const ran = await runCli(cli, "Please [[commit note.txt :: by itself]]", repo.root, model.url);
        expect([ran, repo.git("log", "-1", "--format=%s")]).toEqual([{ ...ran, code: 0 }, "Add note.txt"]);
        expect(repo.git("show", "HEAD:note.txt")).toBe("by itself");
      } finally {
        repo.dispose();
      }
    });
  }
});
