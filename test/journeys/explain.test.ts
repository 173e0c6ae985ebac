import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BIN } from "../stage.ts";

/** Anywhere: it needs no repository. */
const cwd = mkdtempSync(join(tmpdir(), "bm-explain-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const pane = (file: string) => readFileSync(join("test/panes", file));
const explain = (input: Buffer | string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "explain", ...args], { cwd, input });
  return { code: status, out: stdout.toString(), err: stderr.toString() };
};

describe("explain pane", () => {
  it("says of a captured screen what it is, in the documented shape", () => {
    const { code, out, err } = explain(pane("claude-permission-bash.txt"), "pane", "--cli", "claude", "--json");
    expect([code, err, JSON.parse(out)]).toEqual([
      0,
      "",
      {
        state: "waiting",
        box: null,
        evidence: "Do you want to proceed?",
        prompt: expect.objectContaining({
          kind: "command",
          command: "touch bash-made.txt && rm -f nothing.tmp",
          complete: true,
          options: [
            { key: "1", text: "Yes", grants: "once" },
            expect.objectContaining({ key: "2", grants: "always" }),
            expect.objectContaining({ key: "3", grants: "always" }),
            { key: "4", text: "No", grants: "no" },
          ],
        }),
      },
    ]);
    const idle = JSON.parse(explain(pane("codex-idle.txt"), "pane", "--cli", "codex", "--json").out) as object;
    expect(idle).toEqual({ state: "ready", box: "", evidence: "› Ask Codex to do anything" });
  });

  it("reads colours, and says it in words to a person", () => {
    const { code, out } = explain(pane("opencode-permission-always-120x40.ansi"), "pane", "--cli", "opencode");
    expect([code, out]).toEqual([0, expect.stringContaining("allow once: Left Enter; refuse: Escape")]);
    expect(explain(pane("claude-trust.txt"), "pane", "--cli", "claude").out).toMatch(
      /^trust: ❯ No, exit[\s\S]*allow once: not by a key; refuse: not by a key\n$/,
    );
  });

  it("knows nothing of an empty screen, and lets nothing through to the terminal", () => {
    expect(JSON.parse(explain("", "pane", "--cli", "pi", "--json").out)).toEqual({
      state: "unknown",
      box: null,
      evidence: "",
    });
    expect(explain("\u0007\u009b31mred", "pane", "--cli", "pi").out).toBe("unknown: ��31mred\n");
  });

  it.each([
    [["pane"], /It has to be said whose screen it is\.\nUse `--cli <name>`\. Known: claude, /],
    [["pane", "--cli", "emacs"], /banksman cannot read the screens of "emacs" yet\.\nKnown: claude, /],
    [["pane", "--cli", "constructor"], /banksman cannot read the screens of "constructor" yet\./],
    [["command", "--", "ls -l"], /This version cannot explain a command yet\./],
    [["pane", "x", "--cli", "pi"], /A pane is read from standard input\./],
    [["command"], /This version cannot explain a command yet\.\nIt explains a pane/],
    [["verdict"], /It has to be said whose verdict it is\./],
    [["verdict", "--role", "judge"], /There is no role "judge"\./],
    [["pan"], /There is nothing called "pan" to explain\.\nDid you mean pane\?/],
    [[], /Missing required argument 'what'\./],
  ])("%j is refused in one sentence, with what to do", (args, said) => {
    const { code, out, err } = explain("x", ...args);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(said)]);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
  });

  it("is refused as JSON to a program", () => {
    const { code, out } = explain("x", "pane", "--cli", "emacs", "--json");
    expect([code, JSON.parse(out)]).toMatchObject([1, { error: { kind: "usage" } }]);
  });

  it("takes a megabyte of anything", () => {
    const out = execFileSync(process.execPath, [BIN, "explain", "pane", "--cli", "gemini", "--json"], {
      ...{ cwd, input: "│ ● 1. Allow once\n".repeat(60_000), encoding: "utf8" },
    });
    expect(JSON.parse(out)).toMatchObject({ state: "unknown" });
  });
});

describe("explain verdict", () => {
  it("says what an epic's role has answered, or why that is nothing", () => {
    const read = (text: string, role: string) =>
      JSON.parse(explain(text, "verdict", "--role", role, "--json").out) as object;
    expect(read('{"verdict":"FAIL","reason":"tests red"}', "marsha")).toEqual({
      role: "marsha",
      ok: true,
      answer: { verdict: "FAIL", reason: "tests red" },
      workarounds: [],
    });
    expect(read("PASS", "verifier")).toMatchObject({ ok: false, why: "it is not one JSON object" });
    const fix = { action: "file_fix_task", parent: "a", title: "Mend it", body: "Or skip the test on CI." };
    expect(read(JSON.stringify(fix), "planner")).toMatchObject({ ok: false, workarounds: [{ rule: "skip" }] });
  });
});
