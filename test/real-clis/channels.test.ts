import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kindNamed } from "../../src/core/clis/kinds.ts";
import { Ground } from "./drive.ts";
import { chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";
import { type CELLS, printTable, type Row } from "./table.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const rows: Row[] = [];
afterAll(() => printTable(rows));

for (const cli of chosenClis().filter((name) => name !== "codex-acp")) {
  for (const channel of kindNamed(cli)?.channels ?? []) {
    const there = isInstalled(cli) && (channel.program !== "codex-acp" || isInstalled("codex-acp"));
    const row: Row = { cli, channel: channel.name, cells: new Map() };
    rows.push(row);
    describe.skipIf(!there)(`${cli} over ${channel.name}`, () => {
      let ground: Ground;
      beforeAll(() => {
        ground = new Ground(cli, channel.name, model.url);
      });
      afterAll(async () => {
        if (there) expect(await ground.dispose()).toBe(0);
      });
      /** Codex runs in its sandbox what it may there, and asks for what a model wants to run outside it. */
      const asking = cli === "codex" && channel.name === "acp" ? "escalate" : "bash";
      /** Codex commits in its own sandbox, which has to let it; the others are allowed everything. */
      const approval = cli === "codex" && channel.name === "json" ? "manual" : "full-auto";
      const file = (name: string) => existsSync(join(ground.repo.root, name));
      /** What a CLI cannot do is said in the table, with the reason, and the test sees that it is so. */
      const cell = (name: (typeof CELLS)[number], work: () => Promise<string | undefined>) =>
        it(name, async () => {
          row.cells.set(name, "✘");
          row.cells.set(name, (await work()) ?? "✔");
        });

      cell("writes and commits", async () => {
        const { exit, session } = await (await ground.run("Do [[commit note.txt :: by hand]].", { approval })).finish();
        expect(exit).toMatchObject({ end: { how: "ok" } });
        expect(session).not.toBe(null);
        expect(ground.repo.git("show", "HEAD:note.txt")).toBe("by hand");
      });

      cell("permission allowed", async () => {
        const { exit, asked } = await (await ground.run(`Do [[${asking} touch allowed.txt]].`)).finish(true);
        if (ONE_SHOT.has(channel.name)) return cannotAsk(asked.length, file("allowed.txt"), cli);
        expect(exit).toMatchObject({ end: { how: "ok" } });
        expect(asked.map(({ command }) => command)).toEqual(["touch allowed.txt"]);
        expect(file("allowed.txt")).toBe(true);
      });

      cell("permission denied", async () => {
        const { exit, asked } = await (await ground.run(`Do [[${asking} touch denied.txt]].`)).finish(false);
        if (ONE_SHOT.has(channel.name)) return cannotAsk(asked.length, file("denied.txt"), cli);
        expect(exit.end).not.toBe(null);
        expect([asked.length, file("denied.txt")]).toEqual([1, false]);
      });

      cell("cancel mid-turn", async () => {
        const before = model.requests.length;
        const running = await ground.run("Do [[slow 60]].");
        await running.until(() => model.requests.length > before);
        await running.live.end();
        await running.until(() => false);
        expect(running.exit()?.end?.how ?? "none").not.toBe("ok");
        expect(await ground.leftovers()).toBe(0);
      });

      cell("resume continues", async () => {
        const first = await (await ground.run("First, remember the word heron. [[text noted]]")).finish();
        expect(first).toMatchObject({ exit: { end: { how: "ok" } }, session: expect.any(String) });
        const second = await (await ground.run("And now? [[text again]]", { conversation: first.session })).finish();
        expect(second).toMatchObject({ exit: { end: { how: "ok" } }, session: first.session });
        const asked = model.requests.findLast(({ prompt }) => prompt.includes("And now?"));
        expect(asked?.users.join("\n")).toContain("the word heron");
      });

      cell("usage recorded", async () => {
        const { usage } = await (await ground.run("Say [[text hello]].")).finish();
        if (cli === "copilot" && channel.name === "json") {
          expect(usage.input + usage.output).toBe(0);
          return "– its JSON has no tokens";
        }
        // Some ask a model for more than the answer: a title, a classification. Each request counts the same.
        const requests = usage.output / 56;
        expect([usage.input + usage.cached, requests >= 1]).toEqual([1234 * requests, true]);
        return usage.cost === null ? "✔ tokens" : "✔ tokens, cost";
      });
    });
  }
}

/** Started with its whole task, it has nobody to ask. */
const ONE_SHOT: ReadonlySet<string> = new Set(["json"]);

/** Codex runs commands in its own sandbox there; the others refuse what they would have to ask about. */
function cannotAsk(asked: number, done: boolean, cli: string): string {
  expect([asked, done]).toEqual([0, cli === "codex"]);
  return cli === "codex" ? "– it never asks here: its sandbox decides" : "– it cannot ask here, and refuses";
}
