import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GIT_ENV, TempRepository } from "../git-repository.ts";
import { BIN } from "../stage.ts";

/** Anywhere: it needs no repository. */
const cwd = mkdtempSync(join(tmpdir(), "bm-explain-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const pane = (file: string) => readFileSync(join("test/panes", file));
const explain = (input: Buffer | string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, "explain", ...args], { cwd, input });
  return { code: status, out: stdout.toString(), err: stderr.toString() };
};

describe("explain command", () => {
  const ABOUT = ["--worktree", "/w/feat-a", "--branch", "feat/a", "--home", "/home/dev", "--preset", "node,rust"];
  const ask = (...words: string[]) =>
    JSON.parse(explain("", "command", ...ABOUT, "--json", "--", ...words).out) as object;

  it("says what an agent may run, by which rule, and why; without a look at the disk", () => {
    expect(ask("git push -u origin feat/a")).toMatchObject({ decision: "approve", rule: "git.push.own" });
    expect(ask("git push origin main")).toMatchObject({ decision: "deny", rule: "git.push.other" });
    expect(ask("cat", "a b/.env")).toMatchObject({ command: "cat 'a b/.env'", decision: "deny", rule: "path.secret" });
    expect(ask("cargo test && npm test")).toMatchObject({ decision: "approve" });
    expect(ask("go test ./...")).toMatchObject({ decision: "ask", rule: "preset.stack" });
    expect(explain("", "command", ...ABOUT, "--", "rm -rf ~").out).toMatch(
      /^deny: It writes to .*\.\nrule: path\.outside\n$/,
    );
  });

  it("answers a batch line by line, also what is no command", () => {
    const lines = ['{"command":"ls"}', "no JSON", '{"command":7}', "", '{"command":"sudo ls","id":1}'];
    const { code, out } = explain(`${lines.join("\n")}\n`, "command", "--batch", ...ABOUT);
    const answers = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { rule: string });
    expect([code, answers.map(({ rule }) => rule)]).toEqual([
      0,
      ["files.ls", "input.invalid", "input.invalid", "input.invalid", "system.root"],
    ]);
    expect(Object.keys(answers[0] ?? {})).toEqual(["command", "decision", "rule", "why"]);
  });

  it("knows the checkout around it: what is unchanged, what is locked, which languages it has, what it may not widen", () => {
    const repository = new TempRepository({
      "package.json": '{"scripts":{"gen":"node gen.js","odd":"node x.js"}}\n',
      "package-lock.json": '{"packages":{"node_modules/vitest": {}}}\n',
      "gen.js": "1\n",
      "mine.js": "1\n",
      ".banksman/config.toml":
        '[supervisor.common_dev_allowlist]\nextra = ["frob"]\n[supervisor.auto_approve]\napproval_level = "conservative"\n',
    });
    const path = join(repository.folder, "wt");
    repository.git("worktree", "add", "-q", "-b", "feat/x", path);
    writeFileSync(join(path, "mine.js"), "2\n");
    writeFileSync(join(path, "package.json"), '{"scripts":{"gen":"node gen.js","odd":"node y.js"}}\n');
    symlinkSync("/etc", join(path, "out"));
    const commands = [
      "node gen.js",
      "node mine.js",
      "npm run gen",
      "npm run odd",
      "npx vitest run",
      "npx jest",
      "cargo test",
      "frob",
      "cat out/shadow",
      "git commit -m x",
    ];
    const input = commands.map((command) => `${JSON.stringify({ command })}\n`).join("");
    const env = { ...GIT_ENV, BANKSMAN_STATE_DIR: join(repository.folder, "state") };
    const { stdout } = spawnSync(process.execPath, [BIN, "explain", "command", "--batch"], { cwd: path, input, env });
    const rules = stdout
      .toString()
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { rule: string }).rule);
    expect(rules).toEqual([
      "script.unchanged",
      "script.changed",
      "npm.run",
      "node.script.changed",
      "npx.locked",
      "npx.not-locked",
      "preset.stack",
      "program.unknown",
      "path.secret",
      "level.conservative",
    ]);
    repository.dispose();
  });
});

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
    [["output"], /This version cannot explain an agent's output yet\.\nIt explains a command, a pane and a verdict/],
    [["pane", "x", "--cli", "pi"], /A pane is read from standard input\./],
    [["command", "--worktree", "/w"], /There is no command to explain\./],
    [["command", "--worktree", "/w", "--preset", "cobol", "ls"], /There is no preset "cobol"\./],
    [["command", "ls"], /is not inside a git repository\./],
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
