import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { eventually, type Ran, Stage } from "../stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.dispose();
});

function open(files?: Record<string, string>): Stage {
  const stage = new Stage(files);
  stages.push(stage);
  return stage;
}

const start = (stage: Stage, cwd = stage.root, branches = "feat/a", cli = "scripted") =>
  stage.bmIn(cwd, "start", "--headless", "--branches", branches, "--cli", cli);

/** One sentence with what to do, exit 1, nothing half made: no session, no worktree, no branch, no supervisor. */
async function refused(stage: Stage, ran: Ran, sentence: RegExp): Promise<void> {
  expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(sentence)]);
  expect(ran.err).not.toMatch(/\n\s+at |bug in banksman|undefined/);
  expect(existsSync(join(stage.root, ".banksman/worktrees"))).toBe(false);
  expect(existsSync(join(stage.folder, "run.json"))).toBe(false);
  expect(stage.marked()).toEqual([]);
}

describe("start refuses, and leaves nothing behind", () => {
  it("outside a repository", async () => {
    const stage = open();
    await refused(stage, await start(stage, stage.repo.folder), /is not inside a git repository\.\n.*git init/);
  });
  it("in a bare repository", async () => {
    const stage = open();
    stage.repo.git("clone", "-q", "--bare", ".", join(stage.repo.folder, "bare.git"));
    await refused(stage, await start(stage, join(stage.repo.folder, "bare.git")), /bare repository.*\n.*Clone it/);
  });
  it("without a commit", async () => {
    const stage = open({});
    await refused(stage, await start(stage), /no commit yet.*\n.*git commit/);
  });
  it("on a detached HEAD", async () => {
    const stage = open();
    stage.repo.git("checkout", "-q", "--detach");
    await refused(stage, await start(stage), /HEAD is detached.*\n.*git switch/);
  });
  it("without branches", async () => {
    const stage = open();
    await refused(stage, await stage.bm("start", "--headless", "--cli", "scripted"), /No branch was named/);
  });
  it("for the branch that is checked out", async () => {
    const stage = open();
    await refused(stage, await start(stage, stage.root, "main"), /`main` is checked out in/);
  });
  it("for several reasons at once, all of them said", async () => {
    const stage = open();
    stage.repo.git("branch", "old");
    const ran = await start(stage, stage.root, "-x,main,old/new,feat/ok,a..b");
    await refused(
      stage,
      ran,
      /`-x` cannot be[\s\S]*`main` is checked out[\s\S]*`old\/new` and `old` cannot both exist[\s\S]*`a\.\.b` cannot be/,
    );
    expect(stage.repo.git("branch", "--format=%(refname:short)")).toBe("main\nold");
  });
  it("for a CLI nobody knows, one that is not there, one that comes later", async () => {
    const stage = open();
    await refused(stage, await start(stage, stage.root, "feat/a", "nope"), /no CLI called `nope`/);
    await refused(stage, await start(stage, stage.root, "feat/a", "aider"), /cannot run aider yet/);
    stage.repo.write(stage.home, ".config/banksman/config.toml", '[clis.gone]\ncommand = "bm-no-such-program --x"\n');
    await refused(
      stage,
      await start(stage, stage.root, "feat/a", "gone"),
      /`bm-no-such-program`, the command of gone, was not found/,
    );
  });
  it("with a config that is wrong in several places", async () => {
    const stage = open();
    stage.repo.write(stage.root, ".banksman/config.toml", 'defualt_cli = "x"\n[worktree]\nplacement = "uncle"\n');
    stage.repo.write(stage.home, ".config/banksman/config.toml", "[broker]\nport = 1\n");
    await refused(
      stage,
      await start(stage),
      /config\.toml:2: broker\.port must be[\s\S]*config\.toml:1: defualt_cli is not a setting; did you mean default_cli\?[\s\S]*config\.toml:3: worktree\.placement must be/,
    );
  });
  it("with a config that is not TOML", async () => {
    const stage = open();
    stage.repo.write(stage.root, ".banksman/config.toml", "this is = = not toml\n");
    await refused(stage, await start(stage), /config\.toml:1:/);
  });
  it("for a command that only this repository's config knows", async () => {
    const stage = open();
    stage.repo.write(
      stage.root,
      ".banksman/config.toml",
      `[clis.evil]\ncommand = ["touch", "${join(stage.repo.folder, "pwned")}"]\n`,
    );
    await refused(stage, await start(stage, stage.root, "feat/a", "evil"), /you have not trusted[\s\S]*banksman trust/);
    expect(existsSync(join(stage.repo.folder, "pwned"))).toBe(false);
  });
  it("where something else is in the way", async () => {
    const stage = open();
    stage.repo.write(stage.root, ".banksman/worktrees/feat-a/precious", "x\n");
    const ran = await start(stage);
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(/feat-a exists and is not a worktree/)]);
    expect([
      stage.repo.read(stage.root, ".banksman/worktrees/feat-a/precious"),
      stage.repo.git("branch", "--list", "feat/a"),
    ]).toEqual(["x\n", ""]);
  });
  it("without git, or with one that is too old", async () => {
    const stage = open();
    const bin = join(stage.repo.folder, "bin");
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, "node"));
    stage.env = { ...stage.env, PATH: bin };
    await refused(stage, await start(stage), /git is not installed/);
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.25.1\n", { mode: 0o755 });
    stage.env = { ...stage.env, PATH: `${bin}:/bin:/usr/bin` };
    await refused(stage, await start(stage), /git 2\.25\.1 is too old.*\n.*2\.38/);
  });
  it("with a tmux that is too old, or nothing to do", async () => {
    const stage = open();
    await refused(stage, await stage.bm(), /No branch was named/);
    const bin = join(stage.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "tmux"), "#!/bin/sh\necho tmux 2.9\n", { mode: 0o755 });
    stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
    const ran = await stage.bm("start", "--branches", "feat/a", "--cli", "scripted");
    await refused(stage, ran, /tmux 2\.9 is too old.*\n.*3\.2.*--headless/);
  });
  it("with a brief that is not there", async () => {
    const stage = open();
    await refused(
      stage,
      await stage.bm("start", "--headless", "--branches", "feat/a", "--cli", "scripted", "--brief", "nope.md"),
      /Brief file \S+nope\.md does not exist/,
    );
  });
  it("in a state folder it may not write", async () => {
    const stage = open();
    writeFileSync(stage.state, "a file where a folder belongs");
    const ran = await start(stage);
    expect([ran.code, ran.err]).toEqual([1, expect.not.stringMatching(/\n\s+at /)]);
    rmSync(stage.state);
  });
});

describe("start goes on, and says", () => {
  it("that a dirty checkout's files are not in the worktrees", async () => {
    const stage = open();
    stage.repo.write(stage.root, "README", "edited\n");
    stage.repo.write(stage.root, "new", "n\n");
    const { code, err } = await start(stage);
    expect([code, err]).toEqual([0, expect.stringMatching(/2 uncommitted files of your checkout are not in/)]);
    await stage.allIn("done");
    expect([stage.repo.read(stage.root, "README"), stage.repo.read(stage.root, "new")]).toEqual(["edited\n", "n\n"]);
  });
  it("which agent ended at once, and where its output is", async () => {
    const stage = open();
    stage.repo.write(
      stage.home,
      ".config/banksman/config.toml",
      '[clis.dud]\ncommand = ["sh", "-c", "echo cannot find model >&2; exit 4"]\n',
    );
    const { code, err } = await start(stage, stage.root, "feat/a", "dud");
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/dud ended at once: exit code 4: cannot find model\.\n.*feat-a\.log.*banksman start/),
    ]);
    expect((await stage.status()).agents).toMatchObject([{ state: "failed" }]);
    await stage.ok("purge", "--force");
    expect(stage.repo.git("branch", "--format=%(refname:short)")).toBe("main");
  });
});

describe("other commands", () => {
  it.each([
    [["foo"], /no command "foo"/],
    [["strat"], /Did you mean `banksman start`/],
    [["start", "--nope"], /Unknown option '--nope'/],
    [["tell"], /Missing required argument 'agent'/],
    [["tell", "a", "b"], /There is no session in this repository/],
    [["answer", "q1", "x"], /There is no session in this repository/],
    [["stop"], /no session/],
    [["purge", "--force"], /no session/],
    [["remove", "x"], /no session/],
    [["add", "x"], /There is no session in this repository/],
    [["restore", "nothing"], /no backup `nothing`/],
    [["log", "--since", "x"], /--since must be a whole number/],
    [["mcp", "--repo", "/no/such/folder"], /There is no folder `\/no\/such\/folder`/],
    [["say", "status", "x"], /is for agents/],
    [["serve", "--stop"], /There is no session in this repository/],
    [["pause"], /There is no session in this repository/],
    [["resume"], /There is no session in this repository/],
    [["start", "--headless", "--branches", "feat/a=scirpted"], /no CLI called `scirpted`[\s\S]*Did you mean scripted/],
    [["start", "--headless", "--branches"], /argument missing/],
    [["clis", "remove", "nope"], /There is no CLI "nope" in your config\.\nIt has no CLI at all\./],
    [["replay", "x", "--session", "nope"], /no logs of a session called `nope`\.\nNo session has logs/],
    [["peek", "x"], /There is no agent called `x`\.\nNo agent is in the session\./],
    [["epic", "bogus", "x"], /There is no command `epic bogus`/],
    [["epic", "answer", "x"], /Name the decision and your answer/],
  ])("%j", async (args, sentence) => {
    const stage = open();
    await refused(stage, await stage.bm(...args), sentence);
  });

  it("tell programs the same as JSON", async () => {
    const stage = open();
    const { code, out, err } = await stage.bm("stop", "--json");
    expect([code, JSON.parse(out), err]).toEqual([
      1,
      { error: { kind: "session.none", message: expect.any(String), hint: expect.any(String) } },
      expect.stringMatching(/no session/),
    ]);
  });
  it("read an empty repository without making anything", async () => {
    const stage = open();
    const answers = [
      await stage.json("agents"),
      await stage.json("questions"),
      await stage.json("inbox"),
      await stage.json("log"),
      await stage.json("restore", "list"),
    ];
    expect(answers).toEqual([[], [], [], [], []]);
    expect(await stage.status()).toMatchObject({
      session: null,
      status: "none",
      supervisor: null,
      agents: [],
      needsYou: [],
    });
    expect([existsSync(stage.state), existsSync(join(stage.root, ".banksman"))]).toEqual([false, false]);
  });
});

it("a full disk ends a start with one sentence, and the same command goes on later", async () => {
  const stage = open({ ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, "x".repeat(60_000)])) });
  // A git that finds the disk full during the second checkout: what it had written so far stays, as it would.
  const bin = join(stage.repo.folder, "bin");
  mkdirSync(bin);
  const real = "/usr/bin/git";
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\nif [ "$1" = reset ] && [ -f "${bin}/full" ]; then case "$PWD" in *feat-b) printf xxxx > f0; echo "fatal: unable to write file f1: No space left on device" >&2; exit 128;; esac; fi\nexec ${real} "$@"\n`,
  );
  chmodSync(join(bin, "git"), 0o755);
  writeFileSync(join(bin, "full"), "");
  stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
  const { code, err } = await start(stage, stage.root, "feat/a,feat/b");
  expect([code, err]).toEqual([1, expect.stringMatching(/feat-b: .*disk.*full/s)]);
  // What was begun of it is removed in the background.
  await eventually(() => stage.repo.git("branch", "--list", "feat/*", "--format=%(refname:short)") === "feat/a");
  expect(readdirSync(join(stage.root, ".banksman/worktrees"))).toEqual(["feat-a"]);
  rmSync(join(bin, "full"));
  expect((await stage.bm("start", "--headless")).code).toBe(0);
  await stage.allIn("done");
  expect(stage.repo.read(stage.worktree("feat-b"), "f39")?.length).toBe(60_000);
});
