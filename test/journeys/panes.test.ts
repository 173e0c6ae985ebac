import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

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
});
