import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/core/views/snapshot.ts";
import { eventually, Stage } from "../stage.ts";
import { install } from "./install.ts";
import { type CliName, chosenClis, isInstalled } from "./pinned.ts";
import { type ScriptedModel, startModel } from "./scripted-model.ts";

/** Two that the run is to test, the ones that start quickest first. */
const [one, other] = (["claude", "pi", "codex", "gemini", "copilot", "opencode", "qwen"] as const).filter(
  (cli) => chosenClis().includes(cli) && isInstalled(cli),
);

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

const task = (name: string, text: string): string => {
  const path = join(stage.repo.folder, `${name}.md`);
  writeFileSync(path, text);
  return path;
};

/** Allows whatever is asked meanwhile. */
async function allowing(so: () => Promise<boolean>): Promise<boolean> {
  for (const { id } of (await stage.status()).needsYou) await stage.bm("answer", id, "allow");
  return so();
}

describe.skipIf(one === undefined || other === undefined)("a headless session", () => {
  const [first, second] = [one, other] as [CliName, CliName];

  it(`has ${first}, ${second} and a scripted agent side by side, each with its commit`, async () => {
    install(stage, model.url, [first, second]);
    stage.script("feat-c", [
      { do: "write", path: "c.txt", text: "c\n" },
      { do: "commit", message: "Add c" },
    ]);
    const brief = task("a", "Do [[commit done.txt :: it is done]].");
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", first, "--brief", brief);
    await stage.ok("add", "feat/b", "--cli", second, "--brief", brief);
    await stage.ok("add", "feat/c", "--cli", "scripted");
    // Committing is a command: who asks for it is allowed to. What each asks for by itself is its own affair.
    const isOver = ({ agents: all }: Snapshot) =>
      all.every(({ state, pid }) => pid === null && ["done", "committed", "failed"].includes(state));
    await eventually(() => allowing(() => stage.status().then(isOver)));
    const { agents } = await stage.status();
    expect(agents.map(({ id, state }) => [id, state])).toEqual([
      ["feat-a", "done"],
      ["feat-b", "done"],
      ["feat-c", "done"],
    ]);
    for (const agent of agents.slice(0, 2)) {
      expect(stage.repo.git("show", `${agent.branch}:done.txt`)).toBe("it is done");
      expect(agent.usage.tokens).toBe(2 * (1234 + 56));
    }
    expect(stage.repo.git("show", "feat/c:c.txt")).toBe("c");
    expect(agents[0]?.usage.cost).toBeGreaterThan(0);
    expect(stage.marked()).toEqual([]);
  });

  it(`goes on in ${first}'s own conversation after kill -9 of the supervisor half way`, async () => {
    install(stage, model.url, [first]);
    // Half way: after a first answer. Before that pi has written nothing down that it could go on with.
    const brief = task("a", "Remember the word heron. [[bash touch began]] [[slow 600]]");
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", first, "--brief", brief);
    const isHalfWay = ({ users, results }: (typeof model.requests)[number]) =>
      results.length > 0 && users.join("\n").includes("the word heron");
    await eventually(() => allowing(async () => model.requests.some(isHalfWay)));
    const before = model.requests.length;
    await stage.killSupervisor();
    await stage.ok("start", "--headless");
    await stage.until(() => model.requests.slice(before).some(({ prompt }) => prompt.includes("interrupted")));
    const resumed = model.requests.slice(before).find(({ prompt }) => prompt.includes("interrupted"));
    expect(resumed?.users.join("\n")).toContain("the word heron");
  });

  it(`brings ${first} back after kill -9 in its first turn, whatever ${first} remembers of it`, async () => {
    install(stage, model.url, [first]);
    const brief = task("a", "Remember the word egret. [[hangonce]] [[text fine]]");
    const said = () => model.requests.filter(({ users }) => users.join("\n").includes("the word egret")).length;
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", first, "--brief", brief);
    await eventually(() => said() > 0);
    const before = said();
    await stage.killSupervisor();
    expect((await stage.bm("start", "--headless")).code).toBe(0);
    const { agents } = await stage.allIn("done", "failed");
    expect(agents[0]?.state).toBe("done");
    expect(said()).toBeGreaterThan(before);
  });
});

const busy = (["claude", "pi"] as const).filter((cli) => chosenClis().includes(cli) && isInstalled(cli));

describe.skipIf(busy.length === 0)("a busy headless agent", () => {
  it.each(busy)("of %s hears what it is told after its tool call, once, and not after its turn", async (cli) => {
    install(stage, model.url, [cli], { approval: "manual" });
    const brief = task("a", "Do [[bash touch began; until test -e go; do sleep 0.1; done]] [[text finished]]");
    const began = model.requests.length;
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", cli, "--brief", brief);
    const { needsYou } = await stage.until(({ needsYou: open }) => open.length > 0);
    await stage.ok("answer", needsYou[0]?.id ?? "", "allow");
    await eventually(() => existsSync(join(stage.worktree("feat-a"), "began")));
    await stage.ok("tell", "feat-a", "the word is heron");
    writeFileSync(join(stage.worktree("feat-a"), "go"), "");
    await stage.allIn("done", "failed");
    const asked = model.requests.slice(began).filter(({ step }) => step !== "aside");
    expect(asked.map(({ raw, results }) => [results.length, raw.split("heron").length - 1])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

describe.skipIf(one === undefined)("clis test", () => {
  const cli = one as CliName;
  it(`says what works with ${cli}`, async () => {
    install(stage, model.url, [cli]);
    const { trials } = await stage.json<{ trials: { what: string; status: string; detail: string }[] }>(
      "clis",
      "test",
      cli,
    );
    expect(trials.map(({ what, status, detail }) => [what, status, detail])).toEqual([
      ["headless", "works", expect.stringMatching(/^it answers over /)],
      ["permissions", "works", "it asked, was allowed, and did it"],
      ["resume", "works", expect.stringMatching(/^it went on in /)],
      ["cost", "works", expect.stringMatching(/^1290 tokens/)],
    ]);
  });

  it("fails, and says with what, when the model refuses", async () => {
    install(stage, "http://127.0.0.1:1", [cli]);
    writeFileSync(join(stage.home, ".config/banksman/config.toml"), `[clis.${cli}]\nidle_timeout_seconds = 3\n`);
    const { code, out } = await stage.bm("clis", "test", cli);
    expect([code, out]).toEqual([1, expect.stringMatching(/^fail headless/)]);
  });
});
