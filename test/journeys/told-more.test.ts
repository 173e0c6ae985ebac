import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const launches = async (agent: string): Promise<number> => {
  const effects = await stage.json<{ lane: string; effect: string }[]>("log", "--effects");
  return effects.filter(({ lane, effect }) => lane === `session/${agent}` && effect === "agent.launch").length;
};
const isOut = ({ agents }: { agents: readonly { state: string; pid: number | null }[] }) =>
  agents.every(({ state, pid }) => state === "done" && pid === null);

describe("an agent that has finished", () => {
  it("is told more, starts again in its own conversation with that, and finishes again", async () => {
    stage.script("feat-a", [
      { do: "write", path: "a.txt", text: "1\n" },
      { do: "commit", message: "One" },
      { do: "end", how: "ok", text: "all done" },
      { do: "hear", path: "heard" },
      { do: "append", path: "a.txt", text: "2\n" },
      { do: "commit", message: "Two" },
    ]);
    await stage.start("feat/a");
    await stage.until(isOut);
    expect(await stage.ok("tell", "feat-a", "now the second one")).toMatch(
      /Told feat-a .*had finished: it starts again with this message/,
    );
    const heard = join(stage.worktree("feat-a"), "heard");
    await eventually(() => existsSync(heard) && readFileSync(heard, "utf8") !== "");
    await stage.until(isOut);
    expect(readFileSync(heard, "utf8")).toMatch(/had finished your task[\s\S]*now the second one/);
    expect(stage.repo.git("log", "--format=%s", "feat/a").split("\n").slice(0, 2)).toEqual(["Two", "One"]);
    const inbox = await stage.json<{ text: string; delivered: boolean }[]>("inbox", "feat-a");
    expect(inbox.filter(({ text }) => text.includes("second one"))).toMatchObject([{ delivered: true }]);
    expect(await launches("feat-a")).toBe(2);
  });

  it("stays finished when the session is stopped and started, unless started --again", async () => {
    stage.script("feat-b", [{ do: "stall" }]);
    await stage.start("feat/a,feat/b");
    await stage.until(({ agents }) => agents[0]?.state === "done" && agents[0].pid === null);
    expect(await stage.ok("stop")).toMatch(/Stopped feat-b\.[\s\S]*Already finished: feat-a/);
    expect((await stage.status()).agents.map(({ state }) => state)).toEqual(["done", "stopped"]);
    await stage.start("");
    expect((await stage.status()).agents.map(({ state }) => state)).toEqual(["done", "working"]);
    expect([await launches("feat-a"), await launches("feat-b")]).toEqual([1, 2]);
    expect(await stage.ok("start", "--again")).toMatch(/Started bm-app-\w+ again/);
    await stage.until(({ agents }) => agents[0]?.state === "done" && agents[0].pid === null);
    expect([await launches("feat-a"), await launches("feat-b")]).toEqual([2, 2]);
  });

  it("and was stopped gets what it is told after the next start", async () => {
    stage.script("feat-a", [
      { do: "end", how: "ok", text: "all done" },
      { do: "hear", path: "heard" },
    ]);
    stage.script("feat-b", [{ do: "stall" }]);
    await stage.start("feat/a,feat/b");
    await stage.until(({ agents }) => agents[0]?.state === "done" && agents[0].pid === null);
    await stage.ok("stop", "feat-a");
    expect(await stage.ok("tell", "feat-a", "one more thing")).toMatch(/gets the message after `banksman start`/);
    await stage.start("");
    const heard = join(stage.worktree("feat-a"), "heard");
    await eventually(() => existsSync(heard) && readFileSync(heard, "utf8").includes("one more thing"));
  });
});

describe("a plain command", () => {
  it("hears what it is told when it has finished, with its brief", async () => {
    const config = '[clis.plain]\ncommand = ["sh", "-c", "cat >> said; test -e go || sleep 0.1; echo x >> runs"]\n';
    stage.repo.write(stage.home, ".config/banksman/config.toml", config);
    await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", "plain", "-m", "count to three");
    await stage.until(isOut);
    await stage.ok("tell", "feat-a", "and to four");
    await eventually(async () => (await launches("feat-a")) === 2);
    await stage.until(isOut);
    const said = readFileSync(join(stage.worktree("feat-a"), "said"), "utf8");
    expect(said).toMatch(/count to three[\s\S]*count to three[\s\S]*What came since[\s\S]*and to four/);
  });
});
