import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { draw, read } from "../epics/sketch.ts";
import { Stage } from "../stage.ts";
import { install } from "./install.ts";
import { chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

/** Seen to answer after a refusal; gemini ends its turn with it. Copilot and qwen have not been tried. */
const clis = chosenClis().filter((cli) => ["claude", "pi", "codex", "opencode"].includes(cli));

let model: ScriptedModel;
let stage: Stage;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const WORKER = `[workers.hand]\ncommand = ["sh", "-c", "echo pr: https://x/pull/$1", "sh", "{item}"]\n`;

describe.each(clis)("epic loop with %s as planner and verifier", (cli) => {
  it.skipIf(!isInstalled(cli))(
    "brings two items to review, a failure and its fix between, and changes nothing",
    async () => {
      install(stage, model.url, [cli]);
      const roles = ["planner", "verifier"].map((role) => `[roles.${role}]\ncli = "${cli}"\ntimeout_seconds = 100\n`);
      appendFileSync(join(stage.home, ".config/banksman/config.toml"), [...roles, WORKER].join("\n"));
      const file = join(stage.root, ".banksman/epics/e.md");
      mkdirSync(join(stage.root, ".banksman/epics"), { recursive: true });
      writeFileSync(file, draw({ items: "t-1 queued hand; t-2 queued hand depends=t-1" }));
      const before = model.requests.length;

      await stage.ok("epic", "loop", "e");

      const epic = read(readFileSync(file, "utf8"));
      expect(epic.memory.map((row) => row.class)).toEqual([
        ...["dispatch_ok", "verify_pass", "dispatch_ok", "verify_fail", "react_filed_fix"],
        ...["dispatch_ok", "verify_pass", "verify_pass", "finished"],
      ]);
      expect(epic).toMatchObject({ status: "ready_for_user_review", lease: null, intent: null });
      expect(epic.items.map(({ id, status }) => `${id} ${status}`)).toEqual(
        ["t-1", "t-2", "t-2-fix1"].map((id) => `${id} ready_for_user_review`),
      );
      const asked = model.requests.slice(before).filter(({ step }) => step !== "aside");
      expect(asked.some(({ step }) => step === "bash")).toBe(true);
      expect(existsSync(join(stage.root, "changed-by-a-role"))).toBe(false);
      expect(stage.repo.git("status", "--porcelain", "--untracked-files=all")).not.toContain("changed-by");
      expect(stage.marked()).toEqual([]);
    },
  );
});
