import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, Stage } from "../stage.ts";
import { Terminal } from "../terminal.ts";
import { HAS_TMUX } from "../tmux-server.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const path = () => join(stage.root, ".banksman/config.toml");
const config = () => readFileSync(path(), "utf8");

function write(file: string, text: string): void {
  const full = join(stage.root, file);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, text);
}

describe("init", () => {
  it("writes every key with its help, all of it commented, and a second time changes nothing", async () => {
    await stage.ok("init");
    const first = config();
    expect(first.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("["))).toEqual(
      [],
    );
    expect(first).toMatch(/worktree[\s\S]*# *placement = "child"/);
    expect(await stage.ok("init", "--print")).toBe(first);
    await stage.ok("init");
    expect(config()).toBe(first);
    await stage.start("feat/a");
    expect(stage.repo.git("status", "--porcelain")).toBe("?? .banksman/");
    expect(stage.repo.git("status", "--porcelain", "-uall")).toBe("?? .banksman/config.toml");
  });

  it("takes over what git-paw and pi were told, says what it left out, and keeps what is there", async () => {
    write(".git-paw/config.toml", 'default_cli = "claude"\nworktree_placement = "sibling"\n[broker]\nport = 9119\n');
    write(".pi/settings.json", JSON.stringify({ supervisor: { maxRetries: 2 } }));
    const { code, err } = await stage.bm("init");
    expect([code, err]).toEqual([0, expect.stringMatching(/2 settings imported[\s\S]*broker\.port was left out/)]);
    expect(config()).toMatch(/^default_cli = "claude"$/m);
    expect(config()).toMatch(/^placement = "sibling"$/m);

    write(".banksman/config.toml", '# mine\ndefault_cli = "codex" # for now\n');
    await stage.ok("init");
    expect(config()).toContain('# mine\ndefault_cli = "codex" # for now\n');
    expect(config()).toContain('placement = "sibling"');
  });
});

describe("init, about specs and gates,", () => {
  const project = () => {
    write("package.json", JSON.stringify({ scripts: { test: "vitest", lint: "biome check", build: "tsc" } }));
    write(".specify/specs/001-a/tasks.md", "- [ ] T001 x\n");
  };

  it("takes what it finds where nobody can be asked, and says so", async () => {
    project();
    const { code, err } = await stage.bm("init");
    expect([code, err]).toEqual([0, expect.stringContaining('specs.type = "speckit" (the only kind of specs here)')]);
    expect(err).toContain('supervisor.test_command = "npm test" (from package.json)');
    expect(config()).toMatch(/^\[specs\]\n(# .*\n)*type = "speckit"$/m);
    expect(config()).toMatch(
      /^test_command = "npm test"\n\n(# .*\n)*lint_command = "npm run lint"\n\n(# .*\n)*build_command = /m,
    );
    const first = config();
    expect((await stage.bm("init")).err).toMatch(
      /^Not used until you trust them \(`banksman trust`\): supervisor\.test_command, supervisor\.lint_command, supervisor\.build_command\n$/,
    );
    expect(config()).toBe(first);
  });

  it("does as the command line says, and keeps what the file has otherwise", async () => {
    project();
    write(".banksman/config.toml", '# mine\n[supervisor] # ours\ntest_command = "make check" # slow\n');
    await stage.ok("init", "--spec-system", "none", "--lint-command", "make lint");
    expect(config()).toContain('# mine\n[supervisor] # ours\ntest_command = "make check" # slow\n');
    expect(config()).toContain('lint_command = "make lint"');
    expect(config()).not.toContain("speckit");
    const said = await stage.ok("init", "--yes", "--test-command", "make test");
    expect(said).toMatch(/^Wrote .*config\.toml: .*supervisor\.test_command.*\. Commit it\.\n$/);
    expect(await stage.ok("init", "--yes", "--test-command", "make test")).toMatch(/is up to date\.\n$/);
    expect(config()).toContain('test_command = "make test" # slow');
    const ran = await stage.bm("init", "--spec-system", "spekit");
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringMatching(/no spec system "spekit"\.\nDid you mean speckit\?/),
    ]);
  });

  it("names several kinds of specs, and takes none of them", async () => {
    project();
    write("openspec/changes/x/tasks.md", "- [ ] 1 x\n");
    expect((await stage.bm("init")).err).toMatch(
      /several kinds of specs \(openspec, speckit\): choose one with --spec-system/,
    );
    expect(config()).not.toMatch(/^type = /m);
  });

  it.skipIf(!HAS_TMUX)("asks a person, with what it has found as the proposal", async () => {
    project();
    const bin = join(stage.home, "bin");
    stage.repo.write(bin, "claude", "#!/bin/sh\n");
    chmodSync(join(bin, "claude"), 0o755);
    stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
    const terminal = new Terminal(stage, "init");
    try {
      await terminal.shows(/Which CLI do agents use[\s\S]*● claude[\s\S]*none/);
      terminal.keys("Enter");
      await terminal.shows(/Which spec system[\s\S]*● speckit \(found here\)/);
      terminal.keys("Enter");
      // In the order in which gates run.
      await terminal.shows(/How it is linted[\s\S]*npm run lint/);
      terminal.keys("C-u");
      await eventually(() => !/npm run lint/.test(terminal.text()));
      terminal.keys("Enter");
      await terminal.shows(/How it is built[\s\S]*npm run build/);
      terminal.keys("Enter");
      await terminal.shows(/How the tests are run[\s\S]*npm test/);
      terminal.keys("-l", " -- --run");
      await terminal.shows("npm test -- --run");
      terminal.keys("Enter");
      await terminal.shows("ended with 0");
      expect(config()).toMatch(
        /type = "speckit"[\s\S]*test_command = "npm test -- --run"\n[\s\S]*\nbuild_command = "npm run build"/,
      );
      expect(config()).not.toMatch(/^lint_command/m);
      expect(config()).toMatch(/^default_cli = "claude"$/m);
    } finally {
      terminal.close();
    }
  });
});

describe.skipIf(!HAS_TMUX)("start asks for branches", () => {
  it("by name where there is none but the present one, and again while a name is none", async () => {
    const terminal = new Terminal(stage, "start", "--headless", "--cli", "scripted");
    try {
      await terminal.shows("Names of the new branches");
      terminal.keys("-l", "feat/a..b");
      terminal.keys("Enter");
      await terminal.shows("feat/a..b cannot be a branch");
      terminal.keys("C-u");
      terminal.keys("-l", "feat/a, feat/b");
      await terminal.shows("feat/a, feat/b");
      terminal.keys("Enter");
      await terminal.shows("ended with 0");
      const { agents } = await stage.allIn("done");
      expect(agents.map(({ branch }) => branch)).toEqual(["feat/a", "feat/b"]);
    } finally {
      terminal.close();
    }
  });
  it("from those that are there, and new ones besides", async () => {
    stage.repo.git("branch", "old/one");
    const terminal = new Terminal(stage, "start", "--headless", "--cli", "scripted");
    try {
      await terminal.shows(/Which branches[\s\S]*old\/one[\s\S]*new branches, by name/);
      terminal.keys("-l", "zzz");
      await eventually(() => !terminal.text().includes("old/one") && /new branches, by name/.test(terminal.text()));
      terminal.keys("Tab");
      await terminal.shows(/◼ new branches/);
      terminal.keys("Enter");
      await terminal.shows("Names of the new branches");
      terminal.keys("-l", "feat/new");
      terminal.keys("Enter");
      await terminal.shows("ended with 0");
      const { agents } = await stage.allIn("done");
      expect(agents.map(({ branch }) => branch)).toEqual(["feat/new"]);
    } finally {
      terminal.close();
    }
  });
});

describe("what a repository's config wants", () => {
  const wants = (text: string) => write(".banksman/config.toml", `[worktree]\nsetup = ${JSON.stringify(text)}\n`);

  it("runs only once it is trusted, and only as it was read", async () => {
    wants("echo one > ran.txt");
    const started = await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted");
    expect([started.code, started.err]).toEqual([
      0,
      expect.stringMatching(/Not used until you trust.*worktree\.setup/),
    ]);
    expect(existsSync(join(stage.worktree("feat-a"), "ran.txt"))).toBe(false);

    const asked = await stage.bm("trust");
    expect([asked.code, asked.out, asked.err]).toEqual([
      1,
      expect.stringContaining('worktree.setup = "echo one > ran.txt"'),
      expect.stringContaining("--yes"),
    ]);
    expect(await stage.json("trust", "--yes")).toEqual({
      keys: { "worktree.setup": "echo one > ran.txt" },
      trusted: true,
    });
    await stage.ok("add", "feat/b", "--cli", "scripted");
    expect(readFileSync(join(stage.worktree("feat-b"), "ran.txt"), "utf8")).toBe("one\n");

    wants("echo two > ran.txt");
    await stage.ok("add", "feat/c", "--cli", "scripted");
    expect(existsSync(join(stage.worktree("feat-c"), "ran.txt"))).toBe(false);
  });

  it("never goes through a shell that it was not asked to", async () => {
    const program = join(stage.repo.folder, "agent with space");
    writeFileSync(program, '#!/bin/sh\nprintf "%s|" "$@" > args.txt\n');
    chmodSync(program, 0o755);
    write(
      ".banksman/config.toml",
      `default_cli = "mine"\n[clis.mine]\ncommand = [${JSON.stringify(program)}, "$(touch owned)", "; touch owned"]\n`,
    );
    await stage.ok("trust", "--yes");
    await stage.ok("start", "--headless", "--branches", "feat/a");
    await stage.allIn("done");
    expect(readFileSync(join(stage.worktree("feat-a"), "args.txt"), "utf8")).toBe("$(touch owned)|; touch owned|");
    expect(existsSync(join(stage.worktree("feat-a"), "owned"))).toBe(false);
  });
});

it("a preset is a set of branches with a name; existing branches are rebased where that is asked for", async () => {
  write(".banksman/config.toml", '[presets.both]\nbranches = ["feat/a", "feat/b"]\ncli = "scripted"\n');
  stage.repo.git("branch", "feat/a");
  stage.repo.write(stage.root, "newer", "n\n");
  stage.repo.commit(stage.root, "newer");
  expect((await stage.bm("start", "--headless", "--preset", "botg")).err).toMatch(
    /no preset "botg"[\s\S]*Did you mean both/,
  );
  expect(await stage.ok("start", "--headless", "--preset", "both", "--rebase", "--dry-run")).toMatch(
    /feat-a .*existing branch, new worktree, rebased onto main if clean and not pushed/,
  );
  await stage.ok("start", "--headless", "--preset", "both", "--rebase");
  const { agents } = await stage.allIn("done");
  expect(agents[0]?.warnings).toEqual([expect.stringMatching(/feat\/a was rebased onto main.*saved as refs/)]);
  expect(await stage.ok("log", "--effects")).toMatch(/done: feat\/a was rebased onto main.*saved as refs/);
  expect(stage.repo.git("log", "--format=%s", "feat/a").split("\n")).toEqual([
    "Add a note by feat-a",
    "newer",
    "first",
  ]);
});

it("an existing branch stays where it is unless a rebase is asked for", async () => {
  stage.repo.git("switch", "-q", "-c", "feat/a");
  stage.repo.write(stage.root, "mine", "m\n");
  const before = stage.repo.commit(stage.root, "mine");
  stage.repo.git("switch", "-q", "main");
  stage.repo.write(stage.root, "newer", "n\n");
  stage.repo.commit(stage.root, "newer");
  stage.script("feat-a", [{ do: "stall" }]);
  expect(await stage.ok("start", "--headless", "--branches", "feat/a", "--cli", "scripted", "--dry-run")).toMatch(
    /feat-a .*\(existing branch, new worktree\)\n/,
  );
  await stage.start("feat/a");
  const { agents } = await stage.allIn("working");
  expect([stage.repo.git("rev-parse", "feat/a"), agents[0]?.warnings]).toEqual([before, []]);
  expect(stage.repo.gitIn(stage.worktree("feat-a"), "log", "--format=%s").split("\n")).toEqual(["mine", "first"]);
  expect(stage.repo.git("for-each-ref", "--format=%(refname)")).not.toContain("backup");
  expect(await stage.ok("log", "--effects")).not.toContain("rebased");
});

it("a preset's branches can have CLIs of their own", async () => {
  stage.repo.write(stage.home, ".config/banksman/config.toml", '[clis.other]\ncommand = ["sh", "-c", "true"]\n');
  write(".banksman/config.toml", '[presets.both]\nbranches = ["feat/a", "feat/b=other"]\ncli = "scripted"\n');
  const plan = await stage.json<{ agents: { branch: string; cli: string }[] }>(
    ...["start", "--headless", "--preset", "both", "--dry-run"],
  );
  expect(plan.agents.map(({ branch, cli }) => [branch, cli])).toEqual([
    ["feat/a", "scripted"],
    ["feat/b", "other"],
  ]);
});
