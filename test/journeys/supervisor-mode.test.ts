import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Stage } from "../stage.ts";
import { Terminal } from "../terminal.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const configure = (text: string) => stage.repo.write(stage.root, ".banksman/config.toml", text);
const planned = async (...flags: string[]) => {
  const plan = await stage.ok("start", "--dry-run", "--json", "--branches", "feat/a", "--cli", "scripted", ...flags);
  return (JSON.parse(plan) as { panes: { title: string }[] }).panes.map(({ title }) => title);
};

describe.skipIf(!HAS_TMUX)("a session has a supervisor in pane 0", () => {
  const WITH = ["0: supervisor", "1: dashboard", "2: feat/a"];
  const WITHOUT = ["0: dashboard", "1: feat/a"];

  it("if the command line says so, else if the config does, else not", async () => {
    expect(await planned()).toEqual(WITHOUT);
    expect(await planned("--supervisor")).toEqual(WITH);
    configure("[supervisor]\nenabled = true\n");
    expect(await planned()).toEqual(WITH);
    expect(await planned("--no-supervisor")).toEqual(WITHOUT);
    expect(await planned("--headless")).toEqual([]);
    configure("[supervisor]\nenabled = false\n");
    expect(await planned()).toEqual(WITHOUT);
    expect(await planned("--supervisor")).toEqual(WITH);
  });

  it("and says what contradicts what, before anything is started", async () => {
    configure("[broker]\nenabled = false\n");
    for (const [flags, said] of [
      [["--supervisor", "--no-supervisor"], /--supervisor and --no-supervisor contradict each other/],
      [["--no-supervisor", "--supervisor"], /--supervisor and --no-supervisor contradict each other/],
      [["--headless", "--supervisor"], /--supervisor wants a pane, and --headless has none/],
      [["--supervisor"], /needs the broker[\s\S]*--no-supervisor/],
      [["--specs", "a", "--all-specs"], /--specs names some specs/],
    ] as const) {
      const ran = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted", ...flags);
      expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(said)]);
    }
    expect((await stage.status()).status).toBe("none");
  });

  it("or if a person says so on a terminal, where no is the default", async () => {
    const start = () => new Terminal(stage, "start", "--branches", "feat/a", "--cli", "scripted");
    let terminal = start();
    try {
      await terminal.shows("With a supervisor in pane 0");
      terminal.keys("C-c");
      await terminal.shows("ended with 2");
      expect((await stage.status()).status).toBe("none");
      terminal.close();
      terminal = start();
      await terminal.shows("With a supervisor in pane 0");
      terminal.keys("y");
      await terminal.shows(/0: supervisor/);
      await stage.allIn("done");
      expect(stage.panes().map(({ title }) => title)).toEqual(WITH);
    } finally {
      terminal.close();
    }
  });
});
