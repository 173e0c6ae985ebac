import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/** A step that runs a command of ours as the agent, where it could find the person's token, and keeps what came of it. */
const tries = (name: string, line: string, before = "") =>
  ({
    do: "run",
    argv: [
      "sh",
      "-c",
      `${before} BANKSMAN_STATE_DIR='${stage.state}' banksman ${line} > ${name} 2>&1; echo "exit $?" >> ${name}`,
    ],
  }) as const;

it("an agent's commands have its own rights, not the person's, whose token lies where it could read it", async () => {
  stage.script("feat-a", [{ do: "ask", command: "true" }]);
  stage.script("feat-b", [
    tries("answered", "answer q1 allow"),
    tries("bare", "answer q1 allow", 'env -i HOME="$HOME" PATH="$PATH"'),
    tries("deeper", "answer q1 allow", "env -u BANKSMAN_RUN -u BANKSMAN_URL setsid -w sh -c '\"$@\"' -- env"),
    tries("told", "tell feat-a hello"),
    tries("seen", "status"),
    tries("stopped", "stop --force"),
    { do: "stall" },
  ]);
  await stage.start("feat/a");
  await stage.until(({ needsYou }) => needsYou.length === 1);
  await stage.ok("add", "feat/b", "--cli", "scripted");
  const said = (name: string) => stage.repo.read(stage.worktree("feat-b"), name) ?? "";
  await stage.until(() => said("stopped").includes("exit"));
  for (const name of [
    "answered",
    ...(existsSync("/proc/self/environ") ? ["bare", "deeper"] : []),
    "told",
    "seen",
    "stopped",
  ])
    expect(said(name)).toMatch(/A token of the role agent may not .*\n.*person.*\nexit 1\n$/);
  expect((await stage.status()).needsYou.length).toBe(1);
});

it.skipIf(!HAS_TMUX)("an agent that goes on without its supervisor starts none", async () => {
  stage.script("feat-a", [
    { do: "status", text: "at it" },
    { do: "wait" },
    tries("stopped", "stop --force"),
    { do: "stall" },
  ]);
  await stage.ok("start", "--branches", "feat/a", "--cli", "scripted");
  await stage.until(({ agents }) => agents[0]?.evidence.includes("at it") === true);
  await stage.killSupervisor();
  const pane = stage.panes().at(-1)?.id ?? "";
  await eventually(() => stage.tmux("capture-pane", "-p", "-t", pane).includes("[ready] >"));
  stage.tmux("send-keys", "-t", pane, "-l", "go on");
  stage.tmux("send-keys", "-t", pane, "Enter");
  const said = () => stage.repo.read(stage.worktree("feat-a"), "stopped") ?? "";
  await eventually(() => said().includes("exit"));
  expect(said()).toMatch(/No background process is running here[\s\S]*exit 1\n$/);
  expect((await stage.status()).supervisor).toBe(null);
});
