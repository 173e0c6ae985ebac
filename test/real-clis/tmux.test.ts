import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/core/snapshot.ts";
import { Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";
import { install } from "./install.ts";
import { type CliName, chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

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

const SCREENS: readonly CliName[] = ["claude", "codex", "gemini", "opencode", "pi"];
const there = chosenClis().filter((cli) => SCREENS.includes(cli));

/** More than 4 kB in many lines, with what terminals and shells like to misunderstand. */
const LONG = [
  "# The task",
  ...Array.from(
    { length: 80 },
    (_, i) => `${i + 1}. line of the brief with "quotes", $(dollars), #{hashes}; and – dashes`,
  ),
  "Now do [[commit from-tmux.txt :: it was typed]].",
  "The last line of the brief.",
].join("\n");

const start = (cli: CliName, brief: string) => {
  const path = join(stage.repo.folder, "brief.md");
  writeFileSync(path, brief);
  return stage.ok("start", "--branches", "feat/a", "--cli", cli, "--brief", path);
};

const agentOf = ({ agents }: Snapshot) => agents[0];

/** As a person would at the pane: the dialogs that are nobody else's to answer. */
async function standAt(cli: CliName): Promise<void> {
  const dialogs = PERSON[cli] ?? [];
  for (const keys of dialogs) {
    const agent = agentOf(await stage.until((snapshot) => agentOf(snapshot)?.phase === "trust"));
    stage.tmux("send-keys", "-t", agent?.pane?.id ?? "", ...keys);
    await stage.until((snapshot) => agentOf(snapshot)?.phase !== "trust");
  }
}

/** What a person presses to trust the worktree. */
const PERSON: Partial<Record<CliName, readonly (readonly string[])[]>> = {
  claude: [["Down", "Enter"]],
  codex: [["Enter"]],
};

for (const cli of there) {
  describe.skipIf(!HAS_TMUX || !isInstalled(cli))(`${cli} in tmux`, () => {
    it("gets a brief of 4 kB as one prompt, is answered what it asks, and commits", async () => {
      install(stage, model.url, [cli]);
      expect(LONG.length).toBeGreaterThan(4096);
      await start(cli, LONG);
      await standAt(cli);
      await stage.until(() => model.requests.some(({ users }) => users.join("\n").includes("from-tmux.txt")));
      const asked = model.requests.find(({ users }) => users.join("\n").includes("from-tmux.txt"));
      const typed = asked?.users.find((text) => text.includes("from-tmux.txt")) ?? "";
      for (const line of LONG.split("\n")) expect(typed).toContain(line);
      // Codex commits in its own sandbox; the others ask.
      if (cli !== "codex") {
        const { needsYou } = await stage.until(({ needsYou: open }) => open.length > 0);
        expect(needsYou[0]?.text).toContain("git commit");
        await stage.ok("answer", needsYou[0]?.id ?? "", "allow");
      }
      await stage.until(() => stage.repo.git("log", "-1", "--format=%s", "feat/a") === "Add from-tmux.txt");
      await stage.until((snapshot) => agentOf(snapshot)?.state === "idle");
    });
  });
}

describe.skipIf(!HAS_TMUX || !there.includes("gemini") || !isInstalled("gemini"))("gemini's question of trust", () => {
  it("is shown to the person, and gets no key", async () => {
    install(stage, model.url, ["gemini"], { folderTrust: true });
    await start("gemini", "Do [[text nothing]].");
    const agent = agentOf(await stage.until((snapshot) => agentOf(snapshot)?.phase === "trust"));
    expect(agent?.state).toBe("waiting");
    expect(model.requests.some(({ users }) => users.join("\n").includes("nothing"))).toBe(false);
  });
});
