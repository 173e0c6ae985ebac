import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const config = (text: string) => stage.repo.write(stage.home, ".config/banksman/config.toml", text);
const start = (branches: string, ...more: string[]) =>
  stage.ok("start", ...(branches === "" ? [] : ["--branches", branches, "--cli", "scripted"]), ...more);

describe.skipIf(!HAS_TMUX)("an agent in a pane", () => {
  it("hears why it was refused, and is not said to work while it stands at its prompt", async () => {
    stage.script("feat-a", [{ do: "ask", command: "touch lock" }, { do: "hear", path: "heard" }, { do: "wait" }]);
    await start("feat/a");
    await stage.until(({ needsYou }) => needsYou.some(({ kind }) => kind === "approval"));
    expect(await stage.ok("answer", "q1", "deny", "use", "another", "file")).toBe(
      "q1: denied. feat-a gets your reason.\n",
    );
    await eventually(() => stage.repo.read(stage.worktree("feat-a"), "heard") !== null);
    expect(stage.repo.read(stage.worktree("feat-a"), "heard")).toMatch(
      /not allowed to do this: touch lock\. The reason: use another file/,
    );
    await stage.until(({ agents }) => agents[0]?.state === "idle");
  });

  it("that dies is said to have failed for what it said, not for its last line", async () => {
    stage.script("feat-a", [
      { do: "say", text: "fatal: the disk is full" },
      { do: "crash", code: 7 },
    ]);
    await stage.bm("start", "--branches", "feat/a", "--cli", "scripted");
    const { agents } = await stage.until(({ agents: [agent] }) => agent?.state === "failed");
    expect(agents[0]?.evidence).toBe("exit code 7: fatal: the disk is full");
  });

  it("whose program ends by itself is told more with its brief, when it is started again", async () => {
    config('[clis.quick]\ncommand = ["sh", "-c", "cat .banksman/brief.md >> seen"]\n');
    await stage.ok("start", "--branches", "feat/a", "--cli", "quick");
    await stage.until(({ agents: [agent] }) => agent?.state === "done");
    expect(await stage.ok("tell", "feat-a", "and then the heron")).toMatch(/it starts again with this message/);
    await eventually(() => stage.repo.read(stage.worktree("feat-a"), "seen")?.includes("heron") === true);
    const { agents } = await stage.until(
      ({ agents: [agent] }) => agent?.state === "done" && agent.inbox.undelivered === 0,
    );
    expect(agents[0]?.warnings).toEqual([]);
    expect(stage.repo.read(stage.worktree("feat-a"), "seen")).toMatch(/# What came since[\s\S]*and then the heron/);
    const [message] = await stage.json<{ delivered: boolean }[]>("inbox", "feat-a");
    expect(message?.delivered).toBe(true);
  });

  it("is not a coding CLI whose screen nobody knows; headless is what is proposed", async () => {
    stage.repo.write(stage.home, "bin/qwen", "#!/bin/sh\nexec sleep 1000\n");
    chmodSync(join(stage.home, "bin/qwen"), 0o755);
    stage.env = { ...stage.env, PATH: `${stage.home}/bin:${stage.env.PATH}` };
    const { code, err } = await stage.bm("start", "--branches", "feat/a", "--cli", "qwen");
    expect([code, err]).toEqual([1, expect.stringMatching(/qwen cannot run in tmux yet[\s\S]*start --headless/)]);
    expect((await stage.status()).status).toBe("none");
  });

  it("that swallows whatever is typed is not said to have its brief", async () => {
    config('[clis.deaf]\ncommand = ["sh", "-c", "echo ready; stty raw -echo; exec cat > /dev/null"]\n');
    const starting = stage.bm("start", "--branches", "feat/a", "--cli", "deaf");
    const { agents } = await stage.until(({ agents: [agent] }) => (agent?.warnings.length ?? 0) > 0);
    expect([agents[0]?.state, agents[0]?.warnings]).toEqual([
      "starting",
      ["its brief was typed into its pane, and it does not show that it has taken it: look there"],
    ]);
    await starting;
  });
});

describe.skipIf(!HAS_TMUX)("the console and the dashboard", () => {
  /** Whether each of them runs, and under which process. */
  const programs = () =>
    stage
      .tmux("list-panes", "-a", "-F", "#{pane_dead} #{pane_pid} #{pane_title}")
      .split("\n")
      .map((line) => line.split(" "))
      .slice(0, 2);
  const quit = async () => {
    const before = programs();
    const [console_, dashboard] = stage.panes();
    await eventually(() => stage.tmux("capture-pane", "-p", "-t", dashboard?.id ?? "").includes("feat-a"));
    stage.tmux("send-keys", "-t", dashboard?.id ?? "", "q");
    stage.tmux("send-keys", "-t", console_?.id ?? "", "C-d");
    const isGone = (i: number) => programs()[i]?.[0] === "1" || programs()[i]?.[1] !== before[i]?.[1];
    await eventually(() => isGone(0) && isGone(1));
    return () => programs().every(([dead, pid], i) => dead === "0" && pid !== before[i]?.[1]);
  };

  it("come back by themselves when somebody has quit them", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await start("feat/a", "--supervisor");
    await eventually(await quit());
    expect(stage.panes().map(({ title }) => title)).toEqual(["0: supervisor", "1: dashboard", "2: feat/a"]);
  });

  it("come back with `start` at once", async () => {
    stage.script("feat-a", [{ do: "stall" }]);
    await start("feat/a", "--supervisor");
    const isBack = await quit();
    expect(await start("")).toMatch(/Already running/);
    expect(isBack()).toBe(true);
  });
});
