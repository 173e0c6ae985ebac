import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

/**
 * A program that shows captured screens, one after the other: the next one comes with the key that it waits for. What
 * is pasted counts as the key `paste`. Everything that was typed is in `typed`.
 */
function plays(name: string, ...screens: [file: string, until: string][]): void {
  const typed = join(stage.home, "typed");
  const program = join(stage.home, name);
  const panes = screens.map(([file, until]) => [resolve("test/panes", file), until]);
  writeFileSync(typed, "");
  writeFileSync(
    program,
    `#!${process.execPath}
const fs = require("fs");
const panes = ${JSON.stringify(panes)};
process.stdin.setRawMode(true).setEncoding("utf8");
const show = () => process.stdout.write("\\x1b[H\\x1b[2J" + fs.readFileSync(panes[0][0], "utf8").trimEnd().replaceAll("\\n", "\\r\\n"));
process.stdout.write("\\x1b[?2004h");
show();
process.stdin.on("data", (data) => {
  fs.appendFileSync(${JSON.stringify(typed)}, JSON.stringify(data) + "\\n");
  const key = data.startsWith("\\x1b[200~") ? "paste" : data;
  if (panes.length > 1 && key === panes[0][1]) { panes.shift(); show(); }
});
`,
    { mode: 0o755 },
  );
  stage.repo.write(join(stage.home, ".config/banksman"), "config.toml", `[clis.${name}]\ncommand = ["${program}"]\n`);
}

const typed = () =>
  readFileSync(join(stage.home, "typed"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as string);
const pane = () => stage.panes().find(({ title }) => title.endsWith("feat/a"))?.id ?? "";

describe.skipIf(!HAS_TMUX)("a CLI whose screens are understood", () => {
  it("at a trust dialog is an open item and gets no key; once a person has answered, it gets its brief", async () => {
    plays(
      "claude",
      ["claude-trust.txt", "y"],
      ["claude-idle-80x24.txt", "paste"],
      ["claude-pasted-4k-80x24.txt", "\r"],
      ["claude-working-80x24.txt", ""],
    );
    const { code, err } = await stage.bm("start", "--branches", "feat/a", "--cli", "claude");
    expect([code, err]).toEqual([0, expect.stringContaining("feat-a: claude asks whether to trust this folder")]);
    const { needsYou, agents } = await stage.status();
    expect(needsYou).toMatchObject([
      { id: "trust:feat-a", kind: "trust", agent: "feat-a", text: expect.stringContaining("attach and answer") },
    ]);
    expect([agents[0]?.state, agents[0]?.phase, typed()]).toEqual(["waiting", "trust", []]);
    stage.tmux("send-keys", "-t", pane(), "y");
    await stage.until((seen) => seen.needsYou.length === 0 && seen.agents[0]?.state === "working");
    expect(typed().map((key) => (key.length > 20 ? "brief" : key))).toEqual(["y", "brief", "\r"]);
  });

  it("is answered with the key that allows it once, and what cannot be seen whole is no command", async () => {
    plays(
      "gemini",
      ["gemini-idle-80x24.txt", "paste"],
      ["gemini-pasted-4k-80x24.txt", "\r"],
      ["gemini-permission-bash-80x24.txt", "1"],
      ["gemini-permission-tall-60x15.txt", "3"],
      ["gemini-working-80x24.txt", ""],
    );
    await stage.ok("start", "--branches", "feat/a", "--cli", "gemini");
    const asked = async (text: string) => {
      const { needsYou } = await stage.until((seen) => seen.needsYou.some((need) => need.text.includes(text)));
      return needsYou[0]?.id ?? "";
    };
    const first = await asked("touch bash-made.txt && rm -f nothing.tmp");
    expect(await stage.json("questions")).toMatchObject([{ command: "touch bash-made.txt && rm -f nothing.tmp" }]);
    await stage.ok("answer", first, "allow");
    const second = await asked("its screen may not show all of it");
    expect(await stage.json("questions")).toEqual([expect.not.objectContaining({ command: expect.anything() })]);
    await stage.ok("answer", second, "deny");
    await stage.until(({ needsYou }) => needsYou.length === 0);
    await eventually(() => typed().at(-1) === "3");
    expect(typed().slice(1)).toEqual(["\r", "1", "3"]);
  });
});
